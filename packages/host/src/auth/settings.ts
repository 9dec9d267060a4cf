// Schema of the `[auth]` table in config.toml: which settings have an effect, their defaults and their bounds.

import { z } from "zod";
import { BootError, formatIssues } from "../boot-error.ts";
import { settingsAt, type Project } from "../project.ts";
import { parseDuration } from "./duration.ts";

const maxOtpLifetimeS = 3600;
const maxEmailIntervalMs = 24 * 3_600_000;

const duration = z.string().transform((value, check) => {
  const ms = parseDuration(value);
  if (ms !== undefined && ms >= 0) return ms;
  check.addIssue({ code: "custom", message: "is not a duration such as 1m or 24h" });
  return z.NEVER;
});
const count = z.number().int().min(0);
const template = z.object({
  subject: z.string().optional(),
  content_path: z.string().optional(),
});
const notification = template.extend({ enabled: z.boolean().default(false) });

const email = z.object({
  enable_signup: z.boolean().default(true),
  enable_confirmations: z.boolean().optional(),
  double_confirm_changes: z.boolean().default(true),
  secure_password_change: z.boolean().default(false),
  require_current_password: z.boolean().default(false),
  max_frequency: duration
    .default(60_000)
    .refine((ms) => ms <= maxEmailIntervalMs, "must not be longer than 24h"),
  otp_length: z.number().int().min(6).max(10).default(6),
  // A password reset link expires after an hour at most, even if the file says more.
  otp_expiry: z
    .number()
    .int()
    .min(1)
    .default(maxOtpLifetimeS)
    .transform((seconds) => Math.min(seconds, maxOtpLifetimeS)),
  template: z.record(z.string(), template).default({}),
  notification: z.record(z.string(), notification).default({}),
  smtp: z.object({ sender_name: z.string().optional() }).default({}),
});

const rateLimit = z.object({
  sign_in_sign_ups: count.default(30),
  token_refresh: count.default(150),
  token_verifications: count.default(30),
  email_sent: count.default(30),
});

const factorKind = z
  .object({
    enroll_enabled: z.boolean().default(false),
    verify_enabled: z.boolean().default(false),
  })
  .prefault({});

const flag = z
  .union([z.boolean(), z.enum(["true", "false", "1", "0"])])
  .transform((value) => value === true || value === "true" || value === "1");

/** Security keys, which variables can turn on as well. */
const webAuthn = z
  .object({ enroll_enabled: flag.default(false), verify_enabled: flag.default(false) })
  .prefault({});

const mfa = z.object({
  max_enrolled_factors: z.number().int().min(0).max(100).default(10),
  totp: factorKind,
  web_authn: webAuthn,
});

/** An address; empty where it is not set, as in the file that `supabase init` writes. */
const address = z
  .union([z.literal(""), z.url({ protocol: /^https?$/ })])
  .transform((text) => (text === "" ? undefined : text))
  .optional();

const provider = z
  .object({
    enabled: flag.default(false),
    // Google takes several with commas between them: the first is that of the site, the others those of apps.
    client_id: z.string().default(""),
    secret: z.string().default(""),
    redirect_uri: address,
    // The issuer of a stand-in, for tests and demos; here alone, because hosted projects do without.
    url: address,
    skip_nonce_check: flag.default(false),
  })
  .superRefine(({ enabled, client_id: id, secret }, check) => {
    if (!enabled) return;
    for (const [name, value] of [
      ["client_id", id],
      ["secret", secret],
    ] as const) {
      if (value.trim() === "") {
        check.addIssue({
          code: "custom",
          path: [name],
          message: "must be set where enabled is true",
        });
      }
    }
  });

/** A table `[auth.external.*]`. */
export type ProviderSettings = z.infer<typeof provider>;

const authTable = z.object({
  site_url: z.url({ protocol: /^https?$/ }).optional(),
  additional_redirect_urls: z.array(z.string().max(2048)).default([]),
  // Where the file with signing keys lies, from the folder of config.toml; signing-keys.ts reads it.
  signing_keys_path: z.string().optional(),
  jwt_expiry: z.number().int().min(30).max(604_800).default(3600),
  enable_refresh_token_rotation: z.boolean().default(true),
  refresh_token_reuse_interval: count.default(10),
  enable_signup: z.boolean().default(true),
  minimum_password_length: z.number().int().min(6).max(72).default(6),
  password_requirements: z
    .enum([
      "",
      "letters_digits",
      "lower_upper_letters_digits",
      "lower_upper_letters_digits_symbols",
    ])
    .default(""),
  // An extension of this host: the symbols that count. Hosted projects have a fixed, larger set.
  password_symbols: z.string().min(1).max(64).optional(),
  // An extension of this host, for development only: accepts passwords that are easy to guess.
  allow_guessable_passwords: z.boolean().default(false),
  sessions: z
    .object({ timebox: duration.optional(), inactivity_timeout: duration.optional() })
    .default({}),
  rate_limit: rateLimit.prefault({}),
  email: email.prefault({}),
  enable_manual_linking: z.boolean().default(false),
  external: z.object({ google: provider.prefault({}), apple: provider.prefault({}) }).prefault({}),
  mfa: mfa.prefault({}),
  passkey: z.object({ enabled: flag.default(false) }).prefault({}),
  webauthn: z
    .object({
      rp_display_name: z.string().min(1).max(64).optional(),
      rp_id: z.hostname().optional(),
      rp_origins: z
        .array(z.url({ protocol: /^https?$/ }))
        .min(1)
        .max(5)
        .optional(),
    })
    .default({}),
});

/** The `[auth]` table of config.toml with defaults; durations in milliseconds. */
export type AuthSettings = z.infer<typeof authTable>;

/** Figures that replace those of `[auth.rate_limit]`; omitted ones keep their value. */
export type AuthRateLimitOverrides = Partial<AuthSettings["rate_limit"]>;

type Environment = Readonly<Record<string, string | undefined>>;

/** Replaces `env(NAME)` like the official CLI; an unset variable removes the key. */
function withEnvironment(value: unknown, env: Environment): unknown {
  if (typeof value === "string") {
    const name = /^env\((\w+)\)$/.exec(value)?.[1];
    return name === undefined ? value : env[name] || undefined;
  }
  if (Array.isArray(value)) {
    return value.map((item) => withEnvironment(item, env)).filter((item) => item !== undefined);
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, withEnvironment(inner, env)]),
  );
}

/**
 * The `[auth]` table with what the environment says. `SUPABASE_AUTH_EXTERNAL_GOOGLE_ENABLED` and its like replace settings of
 * a provider, as they do for the official CLI; `SUPABASE_AUTH_PASSKEY_ENABLED` turns passkeys on, and
 * `SUPABASE_AUTH_MFA_WEB_AUTHN_ENROLL_ENABLED` with its like for `VERIFY` security keys as second factor.
 */
function rawSettings(project: Project, env: Environment): Readonly<Record<string, unknown>> {
  const table = withEnvironment(settingsAt(project, "auth"), env) as Record<string, unknown>;
  const named = (prefix: string, keys: readonly string[]) =>
    keys.flatMap((key) => {
      const value = env[`SUPABASE_AUTH_${prefix}_${key}`.toUpperCase()];
      return value === undefined || value === "" ? [] : [[key, value] as const];
    });
  const external: Record<string, unknown> = { ...(table["external"] as object | undefined) };
  for (const name of ["google", "apple"]) {
    const own = named(`external_${name}`, Object.keys(provider.shape));
    if (own.length > 0) {
      external[name] = { ...(external[name] as object | undefined), ...Object.fromEntries(own) };
    }
  }
  const factors = table["mfa"] as { web_authn?: object } | undefined;
  const securityKeys = named("mfa_web_authn", ["enroll_enabled", "verify_enabled"]);
  const passkeys = env["SUPABASE_AUTH_PASSKEY_ENABLED"];
  return {
    ...table,
    ...(Object.keys(external).length > 0 && { external }),
    ...(securityKeys.length > 0 && {
      mfa: {
        ...factors,
        web_authn: { ...factors?.web_authn, ...Object.fromEntries(securityKeys) },
      },
    }),
    ...(passkeys && {
      passkey: { ...(table["passkey"] as object | undefined), enabled: passkeys },
    }),
  };
}

/** The settings of the `[auth]` table that have an effect here; empty when the table cannot be used. */
export function keptAuthSettings(
  project: Project,
  env: Environment,
): Readonly<Record<string, unknown>> {
  return authTable.safeParse(rawSettings(project, env)).data ?? {};
}

/**
 * Reads the `[auth]` table of a project's config.toml.
 * @throws {BootError} listing every issue at once.
 */
export function readAuthSettings(project: Project, env: Environment): AuthSettings {
  const parsed = authTable.safeParse(rawSettings(project, env));
  if (parsed.success) return parsed.data;
  const issues = formatIssues(parsed.error).map((issue) => `auth.${issue}`);
  throw new BootError(`The project's config.toml is not usable:\n  ${issues.join("\n  ")}`);
}
