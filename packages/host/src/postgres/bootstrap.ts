// Prepares a database for the host: connects as its owner, creates the roles and applies `packages/host/sql`.

import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { BootError, RetryableBootError } from "../boot-error.ts";
import type { DataKeys } from "../data-keys.ts";
import { claimDataKey } from "./claim-data-key.ts";
import { recordSource } from "./schema-history.ts";
import { findServerProblems } from "./server-requirements.ts";
import { sqlStates } from "./sql-states.ts";

/** The SQL files that give a database the schemas of the host, applied in the order of their names. */
export const hostSqlFolder = new URL("../../sql/", import.meta.url);

/** A role that the host logs in as besides the owner login. */
export type ServiceRole = "authenticator" | "supabase_auth_admin";

/** A role's password, derived from the data key, so that hosts sharing the key can share one Postgres. */
export function rolePassword(dataKey: string, role: ServiceRole): string {
  return createHmac("sha256", dataKey).update(role).digest("base64url");
}

/** Connection string of one of the host's own roles on the server of `url`. */
export function roleUrl(url: string, dataKey: string, role: ServiceRole): string {
  const own = new URL(url);
  own.username = role;
  own.password = rolePassword(dataKey, role);
  return own.href;
}

/** Error codes while the server is starting, recovering, full or not listening yet. */
const passingCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ETIMEDOUT",
  sqlStates.cannotConnectNow,
  sqlStates.tooManyConnections,
]);

/**
 * Connects as the owner for the time of a boot.
 * @throws {BootError} with one sentence when the server cannot be reached or used; a {@link RetryableBootError} when that may
 *   pass by itself.
 */
export async function connectOwner(
  url: string,
  more: Pick<pg.ClientConfig, "query_timeout"> = {},
): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, ...more });
  try {
    await client.connect();
  } catch (error) {
    const { hostname, port, pathname } = new URL(url);
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    const words = `The database at ${hostname}:${port || "5432"}${pathname} cannot be reached: ${reason}`;
    const { code } = error as { code?: string };
    // The driver's own errors have none: the server gave no answer in time, or went away in the middle of it.
    const isPassing = code === undefined || passingCodes.has(code);
    throw isPassing ? new RetryableBootError(words) : new BootError(words);
  }
  return client;
}

/**
 * The role that owns the objects of migrations: `postgres`, as on hosted projects, when the login is a superuser. Any
 * other login owns them itself, because a role `postgres` may then be the server's superuser.
 */
export async function projectOwner(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ owner: string }>(
    "select case when rolsuper then 'postgres' else rolname end as owner from pg_roles where rolname = current_user",
  );
  return rows[0]?.owner ?? "postgres";
}

/**
 * Checks that a host can use this server with this login.
 * @throws {BootError} listing every problem with the statement that solves it
 */
export async function assertUsable(client: pg.Client, migrationsFolder: string): Promise<void> {
  const problems = await findServerProblems(client, migrationsFolder);
  if (problems.length > 0) {
    throw new BootError(`The database is not usable:\n  ${problems.join("\n  ")}`);
  }
}

/**
 * Brings roles and the host's own schemas (auth, storage, …) up to date, each file of `packages/host/sql` once, and
 * sees that the database is one of this data key.
 * @throws {BootError} when a file fails, such as for missing privileges, or when the data key is another
 */
export async function prepareDatabase(client: pg.Client, dataKeys: DataKeys): Promise<void> {
  await client.query(`create schema if not exists host;
      create table if not exists host.applied_files (
        name text primary key, applied_at timestamptz not null default now());
      create table if not exists host.schema_sources (
        name text primary key, sha256 text not null, recorded_at timestamptz not null default now())`);
  await client.query("select set_config('host.project_owner', $1, false)", [
    await projectOwner(client),
  ]);
  const { rows } = await client.query<{ name: string }>("select name from host.applied_files");
  const done = new Set(rows.map((row) => row.name));
  const names = (await readdir(hostSqlFolder)).filter((name) => name.endsWith(".sql")).toSorted();
  for (const name of names) {
    if (done.has(name)) continue;
    const sql = await readFile(new URL(name, hostSqlFolder), "utf8");
    await client.query("begin");
    try {
      await client.query(sql);
      await client.query("insert into host.applied_files (name) values ($1)", [name]);
      await recordSource(client, `host/${name}`, sql);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback");
      throw new BootError(
        `The host's own schema could not be prepared (${name}): ${String(error)}`,
      );
    }
  }
  await claimDataKey(client, dataKeys);
  for (const role of ["authenticator", "supabase_auth_admin"] as const) {
    await client.query(`alter role ${role} password '${rolePassword(dataKeys.current, role)}'`);
  }
}
