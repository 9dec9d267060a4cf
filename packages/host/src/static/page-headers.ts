import type { HostContext } from "../context.ts";

/** Sources by directive. */
export type Sources = Readonly<Record<string, readonly string[]>>;

const HSTS = "max-age=31536000; includeSubDomains";

/** The policy every page gets: nothing runs but our own scripts, nothing frames us, forms stay here. */
function contentSecurityPolicy(publicUrl: string, additions: Sources): string {
  // The address people typed may differ from the one the app calls: localhost and 127.0.0.1 are two origins.
  const own = ["'self'", publicUrl];
  const socket = publicUrl.replace(/^http/, "ws");
  const policy: Record<string, readonly string[]> = {
    "default-src": ["'none'"],
    "script-src": own,
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": [...own, "data:", "blob:"],
    "media-src": [...own, "blob:"],
    "font-src": ["'self'"],
    "connect-src": [...own, socket],
    "frame-src": own,
    "manifest-src": ["'self'"],
    "worker-src": ["'self'"],
    "object-src": ["'none'"],
    "base-uri": ["'none'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  for (const [directive, sources] of Object.entries(additions)) {
    const allowed = (policy[directive] ?? []).filter((source) => source !== "'none'");
    policy[directive] = [...allowed, ...sources];
  }
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources.join(" ")}`)
    .join("; ");
}

/** Headers of everything the web app is made of, and those its pages have besides. */
export function staticHeaders(
  context: HostContext,
  additions: Sources,
  paymentFrames: readonly string[] = [],
): { all: Readonly<Record<string, string>>; page: Readonly<Record<string, string>> } {
  const { config, publicUrl } = context;
  const payers = paymentFrames
    .filter((source) => /^https:\/\/[\w.-]+(:\d+)?$/.test(source))
    .map((source) => ` "${source}"`)
    .join("");
  const isSecure = publicUrl.startsWith("https:");
  return {
    all: {
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      ...(config.production || isSecure ? { "strict-transport-security": HSTS } : {}),
    },
    page: {
      "content-security-policy": contentSecurityPolicy(publicUrl, additions),
      "cross-origin-opener-policy": "same-origin",
      "x-frame-options": "DENY",
      "permissions-policy": `camera=(), geolocation=(), microphone=(), payment=(self${payers}), usb=()`,
    },
  };
}
