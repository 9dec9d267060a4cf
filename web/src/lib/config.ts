import * as z from "zod/mini";

/** Where the backend and the card provider are. */
export interface BackendConfig {
  readonly supabaseUrl: string;
  readonly supabaseAnonKey: string;
}

/** Accounts elsewhere that members can sign in with, in the order of their buttons. */
export const signInProviders = ["google", "apple"] as const;
export type SignInProvider = (typeof signInProviders)[number];

export interface AppConfig {
  /** Null when nothing is configured: the stand-in client answers then. */
  readonly backend: BackendConfig | null;
  /** Null when cards cannot be taken. */
  readonly stripePublishableKey: string | null;
  /** Address of the card provider's browser script; null for its public address. */
  readonly stripeScriptUrl: string | null;
  /** The key that a browser subscribes to push messages with; null where there are none. */
  readonly vapidPublicKey: string | null;
  /** Those that are on; mostly none. */
  readonly signInProviders: readonly SignInProvider[];
  /** True where members may sign in with passkeys. */
  readonly passkeys: boolean;
  /** True where security keys and passkeys are offered as second factor. */
  readonly securityKeys: boolean;
}

const optionalText = z.optional(z.nullable(z.string()));
const remoteConfig = z.object({
  supabaseUrl: optionalText,
  supabaseAnonKey: optionalText,
  stripePublishableKey: optionalText,
  stripeScriptUrl: optionalText,
  vapidPublicKey: optionalText,
  // A wrong value switches nothing on, and nothing else off.
  signInProviders: z.optional(z.unknown()),
  passkeys: z.optional(z.unknown()),
  securityKeys: z.optional(z.unknown()),
});
type RemoteConfig = z.infer<typeof remoteConfig>;

export interface BuildOverrides {
  readonly VITE_SUPABASE_URL?: string | undefined;
  readonly VITE_SUPABASE_ANON_KEY?: string | undefined;
  readonly VITE_STRIPE_PUBLISHABLE_KEY?: string | undefined;
  readonly VITE_VAPID_PUBLIC_KEY?: string | undefined;
  /** Names with commas between them. */
  readonly VITE_SIGN_IN_PROVIDERS?: string | undefined;
  /** `true` or `false`. */
  readonly VITE_PASSKEYS?: string | undefined;
  /** `true` or `false`. */
  readonly VITE_SECURITY_KEYS?: string | undefined;
}

/**
 * Joins what the server says with what was fixed at build time; the build wins, field by field.
 * A backend needs a valid http(s) address and a key, otherwise there is none.
 */
export function resolveConfig(
  remote: unknown,
  overrides: BuildOverrides,
  origin: string,
): AppConfig {
  const parsed = remoteConfig.safeParse(remote);
  const served: RemoteConfig = parsed.success ? parsed.data : {};
  const url = absoluteUrl(filled(overrides.VITE_SUPABASE_URL, served.supabaseUrl), origin);
  const key = filled(overrides.VITE_SUPABASE_ANON_KEY, served.supabaseAnonKey);
  const named = overrides.VITE_SIGN_IN_PROVIDERS?.split(",") ?? served.signInProviders;
  return {
    backend: url !== null && key !== null ? { supabaseUrl: url, supabaseAnonKey: key } : null,
    stripePublishableKey: filled(
      overrides.VITE_STRIPE_PUBLISHABLE_KEY,
      served.stripePublishableKey,
    ),
    stripeScriptUrl: filled(served.stripeScriptUrl),
    vapidPublicKey: filled(overrides.VITE_VAPID_PUBLIC_KEY, served.vapidPublicKey),
    signInProviders: signInProviders.filter((name) => Array.isArray(named) && named.includes(name)),
    passkeys: filled(overrides.VITE_PASSKEYS, String(served.passkeys)) === "true",
    securityKeys: filled(overrides.VITE_SECURITY_KEYS, String(served.securityKeys)) === "true",
  };
}

/**
 * Reads `/config.json` once. A missing, broken or unreachable file means "not configured"; with
 * both backend overrides present the file is optional.
 */
export async function loadConfig(
  overrides: BuildOverrides,
  origin: string,
  fetchText: typeof fetch = fetch,
): Promise<AppConfig> {
  let remote: unknown = {};
  try {
    const answer = await fetchText("/config.json");
    if (answer.ok) remote = await answer.json();
  } catch {
    remote = {};
  }
  return resolveConfig(remote, overrides, origin);
}

function filled(...values: readonly (string | null | undefined)[]): string | null {
  return (
    values.find((value) => value !== undefined && value !== null && value.trim() !== "") ?? null
  );
}

function absoluteUrl(value: string | null, origin: string): string | null {
  if (value === null || !URL.canParse(value, origin)) return null;
  const url = new URL(value, origin);
  return url.protocol === "https:" || url.protocol === "http:" ? url.href.replace(/\/$/, "") : null;
}
