import { createHmac } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { BootError } from "../config.ts";

const HOST_SQL = new URL("../../sql/", import.meta.url);
const OLDEST_VERSION = 150_000;
/** Held for the time of a boot so that hosts sharing one Postgres prepare it one after the other. */
const BOOT_LOCK = 4_710_331;

/** The same for every host that shares the secret, so several may serve one Postgres. */
export function authenticatorPassword(jwtSecret: string): string {
  return createHmac("sha256", jwtSecret).update("authenticator").digest("base64url");
}

/**
 * Connects as the owner for the time of a boot.
 * @throws {BootError} with one sentence when the server cannot be reached or used.
 */
export async function connectOwner(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
  } catch (error) {
    const { hostname, port, pathname } = new URL(url);
    const reason = error instanceof Error ? error.message || String(error) : String(error);
    throw new BootError(
      `The database at ${hostname}:${port || "5432"}${pathname} cannot be reached: ${reason}`,
    );
  }
  return client;
}

async function assertUsable(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number; able: boolean }>(
    `select current_setting('server_version_num')::int as version,
            rolsuper or (rolcreaterole and rolbypassrls) as able
       from pg_roles where rolname = current_user`,
  );
  const row = rows[0];
  if (row === undefined || row.version < OLDEST_VERSION) {
    throw new BootError("The database is older than PostgreSQL 15.");
  }
  if (!row.able) {
    throw new BootError(
      "The login of DATABASE_URL needs to be a superuser, or to have CREATEROLE and BYPASSRLS.",
    );
  }
}

/**
 * Brings roles and the host's own schemas (auth, storage, …) up to date, each file of `host/sql` once.
 * @throws {BootError} when the server is too old or the login may not do it.
 */
export async function prepareDatabase(client: pg.Client, jwtSecret: string): Promise<void> {
  await assertUsable(client);
  await client.query("select pg_advisory_lock($1)", [BOOT_LOCK]);
  try {
    await client.query(`create schema if not exists host;
      create table if not exists host.applied_files (
        name text primary key, applied_at timestamptz not null default now())`);
    const { rows } = await client.query<{ name: string }>("select name from host.applied_files");
    const done = new Set(rows.map((row) => row.name));
    const names = (await readdir(HOST_SQL)).filter((name) => name.endsWith(".sql")).toSorted();
    for (const name of names) {
      if (done.has(name)) continue;
      const sql = await readFile(new URL(name, HOST_SQL), "utf8");
      await client.query("begin");
      try {
        await client.query(sql);
        await client.query("insert into host.applied_files (name) values ($1)", [name]);
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw new BootError(
          `The host's own schema could not be prepared (${name}): ${String(error)}`,
        );
      }
    }
    const password = authenticatorPassword(jwtSecret);
    await client.query(`alter role authenticator password '${password}'`);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [BOOT_LOCK]);
  }
}
