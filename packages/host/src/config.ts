import { resolve } from "node:path";
import { z } from "zod";
import { limitsFrom, limitVariables, mostEmbeddedConnections } from "./limits/limit-settings.ts";
import type { HostLimits } from "./limits/limits.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const origin = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const secret = z.string().min(32, "must have at least 32 characters");

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  PUBLIC_URL: origin.optional(),
  SUPABASE_ANON_KEY: z.string().min(20).optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(20).optional(),
  SUPABASE_JWT_SECRET: secret.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  // Files live on this disk; a setting that would be ignored is better refused.
  S3_ENDPOINT: z.undefined("S3-compatible storage is not available; unset it").optional(),
  TRUSTED_PROXY: z.string().min(1).optional(),
  MAX_ANSWER_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024)
    .max(128 * 1024 * 1024)
    .default(8 * 1024 * 1024),
  ...limitVariables,
});

/** Where and how the host runs; made once at boot and never changed. */
export interface HostConfig {
  /** True for `NODE_ENV=production`, and for every address that others can reach: see {@link reasonForProduction}. */
  production: boolean;
  /** TCP port of the site; 0 asks the system for a free one. */
  port: number;
  /** Socket address to listen on. */
  host: string;
  /** Absolute folder for the embedded database, stored files and generated secrets. */
  dataDir: string;
  /** Postgres to use instead of the embedded one. */
  databaseUrl: string | undefined;
  /** Origin that links in e-mails and signed URLs carry; the listening address when undefined. */
  publicUrl: string | undefined;
  jwtSecret: string | undefined;
  anonKey: string | undefined;
  serviceRoleKey: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Address of the one proxy whose forwarding headers are believed. */
  trustedProxy: string | undefined;
  /** Largest answer of the REST API, in bytes. */
  maxAnswerBytes: number;
  /** How much callers may ask for, and how the database's connections are shared. */
  limits: HostLimits;
}

/** A boot that cannot go on; `message` is one plain sentence (or one a fault) for the operator. */
export class BootError extends Error {
  override readonly name: string = "BootError";
}

/** A boot that may work later without anybody changing anything: something this host needs is not up yet. */
export class NotYetError extends BootError {
  override readonly name = "NotYetError";
}

/** Empty variables count as unset: that is what people mean by `PORT=` in a `.env` file. */
export function withoutEmpty(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.trim() !== "") filled[name] = value.trim();
  }
  return filled;
}

/** One line per fault, as `NAME: what is wrong`. Values are left out: they may be secrets. */
export function faultsOf(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join(".") || "environment"}: ${issue.message}`);
}

/** True for a host name or address that only this machine can reach; IPv6 with or without brackets. */
export function isLoopbackHost(hostname: string): boolean {
  if (["localhost", "::1", "[::1]"].includes(hostname)) return true;
  return /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Why an environment counts as production, as one line for an operator who did not expect it; undefined when it does
 * not. Whatever others can reach is production, also when `NODE_ENV` does not say so: a local install prints
 * passwords and shows the e-mail it caught.
 */
export function reasonForProduction(
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const { NODE_ENV: mode, PUBLIC_URL: publicUrl, HOST: host } = withoutEmpty(env);
  if (mode === "production") return "NODE_ENV: is production, so more has to be set";
  const publicHost = publicUrl === undefined ? undefined : URL.parse(publicUrl)?.hostname;
  const isOpen = (hostname: string | undefined) =>
    hostname !== undefined && !isLoopbackHost(hostname);
  if (!isOpen(publicHost) && !isOpen(host)) return undefined;
  const name = isOpen(publicHost) ? "PUBLIC_URL" : "HOST";
  return `${name}: can be reached from other machines, so this counts as production and more has to be set`;
}

/**
 * Reads the host's part of the environment.
 * @throws {BootError} listing every fault at once.
 */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = environment.safeParse(withoutEmpty(env));
  const faults = parsed.success ? [] : faultsOf(parsed.error);
  const values = parsed.data;
  const reason = reasonForProduction(env);
  if (values !== undefined && reason !== undefined) {
    const before = faults.length;
    for (const name of [
      "SUPABASE_JWT_SECRET",
      "SUPABASE_ANON_KEY",
      "SUPABASE_SERVICE_ROLE_KEY",
      "PUBLIC_URL",
    ] as const) {
      if (values[name] === undefined) faults.push(`${name}: must be set in production`);
    }
    if (faults.length > before) faults.unshift(reason);
  }
  const connections = values?.DATABASE_CONNECTIONS ?? 0;
  if (values?.DATABASE_URL === undefined && connections > mostEmbeddedConnections) {
    faults.push(
      `DATABASE_CONNECTIONS: must be at most ${mostEmbeddedConnections} without DATABASE_URL`,
    );
  }
  if (values === undefined || faults.length > 0) {
    throw new BootError(`The environment is not usable:\n  ${faults.join("\n  ")}`);
  }
  return {
    production: reason !== undefined,
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    databaseUrl: values.DATABASE_URL,
    publicUrl: values.PUBLIC_URL,
    jwtSecret: values.SUPABASE_JWT_SECRET,
    anonKey: values.SUPABASE_ANON_KEY,
    serviceRoleKey: values.SUPABASE_SERVICE_ROLE_KEY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? "no-reply@localhost",
    trustedProxy: values.TRUSTED_PROXY,
    maxAnswerBytes: values.MAX_ANSWER_BYTES,
    limits: limitsFrom(values),
  };
}
