// Security headers of the web app, such as the content security policy and HSTS.

import type { HostContext } from "../context.ts";
import { downloadOrigin } from "../storage/s3-settings.ts";

/** Sources of a content security policy, by directive. */
export type CspSources = Readonly<Record<string, readonly string[]>>;

const hstsValue = "max-age=31536000; includeSubDomains";

/** The policy of every page: only the site's own scripts run, no framing, forms post to the site only. */
function contentSecurityPolicy(
  publicUrl: string,
  filesOrigin: string | undefined,
  additions: CspSources,
): string {
  // The page's origin may differ from the public one: localhost and 127.0.0.1 are two origins.
  const own = ["'self'", publicUrl];
  const socket = publicUrl.replace(/^http/, "ws");
  const files = filesOrigin === undefined ? [] : [filesOrigin];
  const policy: Record<string, readonly string[]> = {
    "default-src": ["'none'"],
    "script-src": own,
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": [...own, "data:", "blob:", ...files],
    "media-src": [...own, "blob:", ...files],
    "font-src": ["'self'"],
    "connect-src": [...own, socket, ...files],
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

/** Headers for every file of the web app (`all`), and additional ones for its pages (`page`). */
export function staticHeaders(
  context: HostContext,
  additions: CspSources,
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
      ...(config.production || isSecure ? { "strict-transport-security": hstsValue } : {}),
    },
    page: {
      "content-security-policy": contentSecurityPolicy(
        publicUrl,
        downloadOrigin(config.s3),
        additions,
      ),
      // A wallet's window tells the page that opened it what was chosen; pages of others reach this one in neither case.
      "cross-origin-opener-policy":
        paymentFrames.length === 0 ? "same-origin" : "same-origin-allow-popups",
      "x-frame-options": "DENY",
      "permissions-policy": `camera=(), geolocation=(), microphone=(), payment=(self${payers}), usb=()`,
    },
  };
}
