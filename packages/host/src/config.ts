// The host's environment variables: their schema, their defaults and what production requires.

import { resolve } from "node:path";
import { z } from "zod";
import { readTracingSettings, tracingVariables } from "./tracing/tracing-settings.ts";
import type { TracingSettings } from "./tracing/tracing.ts";
import {
  backupVariables,
  readBackupSettings,
  type BackupSettings,
} from "./backup/backup-settings.ts";
import { BootError, formatIssues } from "./boot-error.ts";
import { defaultConnections, readLimits, limitVariables } from "./limits/limit-settings.ts";
import type { HostLimits } from "./limits/limits.ts";
import {
  memoryVariables,
  readServerMemory,
  spareConnections,
  type ServerMemory,
} from "./postgres/server-memory.ts";
import { readS3Settings, s3Variables, type S3Settings } from "./storage/s3-settings.ts";
import { isGuessableSecret } from "./signing-secret.ts";

const port = z.coerce.number().int().min(0).max(65_535);
const origin = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ""));
const databaseAddress = z.url({ protocol: /^postgres(ql)?$/ });
const secret = z
  .string()
  .min(32, { error: "must have at least 32 characters", abort: true })
  .refine((value) => !isGuessableSecret(value), "can be guessed; use random characters");

const environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: port.default(3000),
  HOST: z.string().min(1).default("127.0.0.1"),
  DATA_DIR: z.string().min(1).default("./data"),
  DATABASE_URL: databaseAddress.optional(),
  DATABASE_DIRECT_URL: databaseAddress.optional(),
  DATABASE_REPLICA_URL: databaseAddress.optional(),
  DATABASE_POOL_STATEMENTS: z.enum(["0", "1"]).default("0"),
  REDIS_URL: z.url({ protocol: /^rediss?$/ }).optional(),
  PUBLIC_URL: origin.optional(),
  SUPABASE_ANON_KEY: z.string().min(20).optional(),
  SUPABASE_SERVICE_ROLE_KEY: z.string().min(20).optional(),
  SUPABASE_JWT_SECRET: secret.optional(),
  SUPABASE_JWT_SECRET_PREVIOUS: secret.optional(),
  DATA_KEY: secret.optional(),
  DATA_KEY_PREVIOUS: secret.optional(),
  SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  MAIL_FROM: z.string().min(3).optional(),
  TRUSTED_PROXY: z.string().min(1).optional(),
  METRICS_PORT: port.optional(),
  METRICS_TOKEN: secret.optional(),
  ...tracingVariables,
  MAX_ANSWER_BYTES: z.coerce
    .number()
    .int()
    .min(64 * 1024)
    .max(128 * 1024 * 1024)
    .default(8 * 1024 * 1024),
  ...s3Variables,
  ...backupVariables,
  ...limitVariables,
  ...memoryVariables,
});

/** Configuration of the host; read once at boot. */
export interface HostConfig {
  /** True for `NODE_ENV=production` and for every address reachable from other machines; see {@link reasonForProduction}. */
  production: boolean;
  /** TCP port of the site; 0 asks the system for a free one. */
  port: number;
  /** Socket address to listen on. */
  host: string;
  /** Absolute folder for the embedded database, stored files and generated secrets. */
  dataDir: string;
  /** Postgres to use instead of the embedded one: the server itself, never a pool. */
  databaseUrl: string | undefined;
  /** A pool in transaction mode in front of that server, which the requests go through; none when undefined. */
  databasePoolUrl: string | undefined;
  /** True where the pool keeps prepared statements by name, as PgBouncer does with `max_prepared_statements`. */
  poolKeepsStatements: boolean;
  /** A replica of that server, for reads that may lag; none when undefined. */
  databaseReplicaUrl: string | undefined;
  /** Redis or Valkey, through which one host decodes changes for all; each decodes them itself when undefined. */
  redisUrl: string | undefined;
  /** Origin that links in e-mails and signed URLs carry; the listening address when undefined. */
  publicUrl: string | undefined;
  jwtSecret: string | undefined;
  /** A second JWT secret, whose tokens and API keys are accepted and which signs none. */
  previousJwtSecret: string | undefined;
  /** What the install encrypts and derives with; kept in the data folder when undefined. */
  dataKey: string | undefined;
  /** The data key before this one: what was made with it is still read. */
  previousDataKey: string | undefined;
  anonKey: string | undefined;
  serviceRoleKey: string | undefined;
  smtpUrl: string | undefined;
  mailFrom: string;
  /** Address of the one proxy whose forwarding headers are trusted. */
  trustedProxy: string | undefined;
  /** Port of `/metrics` for this machine alone; none when undefined. */
  metricsPort: number | undefined;
  /** Bearer token of `/metrics` beside the site; not served there when undefined. */
  metricsToken: string | undefined;
  /** Where traces go; none are made when undefined. */
  tracing: TracingSettings | undefined;
  /** Largest response of the REST API, in bytes. */
  maxAnswerBytes: number;
  /** Rate limits, and how database connections are shared. */
  limits: HostLimits;
  /** What the embedded PostgreSQL takes of the machine; undefined with a server of one's own. */
  serverMemory: ServerMemory | undefined;
  /** The bucket of stored files; the data folder when undefined. */
  s3: S3Settings | undefined;
  /** Scheduled backups; none when undefined. */
  backups: BackupSettings | undefined;
}

/** Removes empty variables: `PORT=` in a `.env` file means unset. */
export function withoutEmpty(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && value.trim() !== "") filled[name] = value.trim();
  }
  return filled;
}

/** True for a host name or address that only this machine can reach; IPv6 with or without brackets. */
export function isLoopbackHost(hostname: string): boolean {
  if (["localhost", "::1", "[::1]"].includes(hostname)) return true;
  return /^127(\.\d{1,3}){3}$/.test(hostname);
}

/**
 * Why an environment counts as production, as one line for the operator; undefined when it does not. An address that
 * other machines can reach counts as production regardless of `NODE_ENV`, because a local install prints passwords and
 * shows caught e-mail.
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

/** Which address of the database is for what. */
function databaseAddresses(
  values: z.infer<typeof environment>,
): Pick<
  HostConfig,
  "databaseUrl" | "databasePoolUrl" | "poolKeepsStatements" | "databaseReplicaUrl"
> {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct } = values;
  return {
    databaseUrl: direct ?? url,
    databasePoolUrl: direct === undefined || direct === url ? undefined : url,
    poolKeepsStatements: values.DATABASE_POOL_STATEMENTS === "1",
    databaseReplicaUrl: values.DATABASE_REPLICA_URL,
  };
}

/**
 * Reads the host's part of the environment.
 * @throws {BootError} listing every issue at once.
 */
export function readHostConfig(env: Readonly<Record<string, string | undefined>>): HostConfig {
  const parsed = environment.safeParse(withoutEmpty(env));
  const issues = parsed.success ? [] : formatIssues(parsed.error);
  const values = parsed.data;
  const reason = reasonForProduction(env);
  if (values !== undefined && reason !== undefined) {
    const before = issues.length;
    for (const name of [
      "SUPABASE_JWT_SECRET",
      "SUPABASE_ANON_KEY",
      "SUPABASE_SERVICE_ROLE_KEY",
      "PUBLIC_URL",
    ] as const) {
      if (values[name] === undefined) issues.push(`${name}: must be set in production`);
    }
    if (issues.length > before) issues.unshift(reason);
  }
  for (const name of ["SUPABASE_JWT_SECRET", "DATA_KEY"] as const) {
    const previous = values?.[`${name}_PREVIOUS`];
    if (previous !== undefined && previous === values?.[name]) {
      issues.push(`${name}_PREVIOUS: is ${name} itself; remove it`);
    }
  }
  if (values?.DATA_KEY_PREVIOUS !== undefined && values.DATA_KEY === undefined) {
    issues.push("DATA_KEY: must be set together with DATA_KEY_PREVIOUS");
  }
  const serverMemory = values && readServerMemory(values, issues);
  const connections = values?.DATABASE_CONNECTIONS ?? defaultConnections;
  const mostConnections = (serverMemory?.maxConnections ?? Infinity) - spareConnections;
  if (connections > mostConnections) {
    issues.push(
      values?.DATABASE_CONNECTIONS === undefined
        ? `DATABASE_MAX_CONNECTIONS: must be at least ${connections + spareConnections}, or DATABASE_CONNECTIONS be set`
        : `DATABASE_CONNECTIONS: must be at most ${mostConnections} without DATABASE_URL, or DATABASE_MAX_CONNECTIONS be larger`,
    );
  }
  for (const name of ["DATABASE_DIRECT_URL", "DATABASE_REPLICA_URL"] as const) {
    if (values?.[name] !== undefined && values.DATABASE_URL === undefined)
      issues.push(`DATABASE_URL: must be set together with ${name}`);
  }
  if (values?.DATABASE_POOL_STATEMENTS === "1" && values.DATABASE_DIRECT_URL === undefined) {
    issues.push("DATABASE_DIRECT_URL: must be set together with DATABASE_POOL_STATEMENTS");
  }
  if (values?.REDIS_URL !== undefined && values.DATABASE_URL === undefined) {
    issues.push("REDIS_URL: is for several hosts, so it needs DATABASE_URL");
  }
  const s3 = values && readS3Settings(values, issues);
  const backups = values && readBackupSettings(values, issues);
  if (values === undefined || issues.length > 0) {
    throw new BootError(`The environment is not usable:\n  ${issues.join("\n  ")}`);
  }
  return {
    production: reason !== undefined,
    port: values.PORT,
    host: values.HOST,
    dataDir: resolve(values.DATA_DIR),
    ...databaseAddresses(values),
    redisUrl: values.REDIS_URL,
    publicUrl: values.PUBLIC_URL,
    jwtSecret: values.SUPABASE_JWT_SECRET,
    previousJwtSecret: values.SUPABASE_JWT_SECRET_PREVIOUS,
    dataKey: values.DATA_KEY,
    previousDataKey: values.DATA_KEY_PREVIOUS,
    anonKey: values.SUPABASE_ANON_KEY,
    serviceRoleKey: values.SUPABASE_SERVICE_ROLE_KEY,
    smtpUrl: values.SMTP_URL,
    mailFrom: values.MAIL_FROM ?? "no-reply@localhost",
    trustedProxy: values.TRUSTED_PROXY,
    metricsPort: values.METRICS_PORT,
    tracing: readTracingSettings(values),
    metricsToken: values.METRICS_TOKEN,
    maxAnswerBytes: values.MAX_ANSWER_BYTES,
    limits: readLimits(values),
    serverMemory,
    s3,
    backups,
  };
}
