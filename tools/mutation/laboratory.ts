import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { connectOwner, prepareDatabase } from "../../packages/host/src/postgres/bootstrap.ts";
import { startEmbeddedPostgres } from "../../packages/host/src/postgres/embedded.ts";
import { applyMigrations } from "../../packages/host/src/postgres/migrate.ts";

const MIGRATIONS = fileURLToPath(new URL("../../supabase/migrations", import.meta.url));
const ORIGINAL = "original";

/** A Postgres of its own with one migrated database, and as many copies of it as are asked for. */
export interface Laboratory {
  /** Runs work on the original; nothing else may be connected to it. */
  onOriginal: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Copies the original, changes the copy with one statement, and removes it after the work. */
  onCopy: <T>(change: string, work: (url: string) => Promise<T>) => Promise<T>;
  /** Stops the server and removes its folder; may be called again. */
  close: () => Promise<void>;
}

function urlOf(base: string, database: string): string {
  const url = new URL(base);
  url.pathname = `/${database}`;
  return url.href;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectOwner(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Settings of roles in one database are kept by the cluster, and a template does not bring them along. */
async function copyRoleSettings(admin: pg.Client, database: string): Promise<void> {
  const { rows } = await admin.query<{ role: string; name: string; value: string }>(
    `select setrole::regrole::text as role, split_part(c, '=', 1) as name, substr(c, strpos(c, '=') + 1) as value
       from pg_db_role_setting, unnest(setconfig) as c
      where setrole <> 0 and setdatabase = (select oid from pg_database where datname = $1)`,
    [ORIGINAL],
  );
  for (const { role, name, value } of rows) {
    const to = admin.escapeLiteral(value);
    await admin.query(`alter role ${role} in database ${database} set ${name} = ${to}`);
  }
}

/** Starts the server in a temporary folder and applies the project's migrations. */
export async function openLaboratory(): Promise<Laboratory> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-mutation-"));
  const server = await startEmbeddedPostgres(
    join(folder, "postgres"),
    randomBytes(18).toString("hex"),
  );
  const admin = await connectOwner(server.url);
  admin.on("error", () => undefined);
  const dismantle = async () => {
    await admin.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  let closing: Promise<void> | undefined;
  // A signal and the failure it causes may both ask for this.
  const close = async () => await (closing ??= dismantle());
  try {
    // Nothing here outlives the run, so no commit has to wait for the disk.
    await admin.query("alter system set fsync = off");
    await admin.query("alter system set synchronous_commit = off");
    await admin.query("select pg_reload_conf()");
    await admin.query(`create database ${ORIGINAL}`);
    await withClient(urlOf(server.url, ORIGINAL), async (client) => {
      await prepareDatabase(client, randomBytes(32).toString("hex"));
      await applyMigrations(client, MIGRATIONS);
    });
  } catch (error) {
    await close();
    throw error;
  }
  let copies = 0;
  return {
    onOriginal: async (work) => await withClient(urlOf(server.url, ORIGINAL), work),
    onCopy: async (change, work) => {
      copies += 1;
      const copy = `copy_${copies}`;
      await admin.query(`create database ${copy} template ${ORIGINAL}`);
      await copyRoleSettings(admin, copy);
      const url = urlOf(server.url, copy);
      try {
        await withClient(url, async (client) => await client.query(change));
        return await work(url);
      } finally {
        await admin.query(`drop database ${copy} with (force)`);
      }
    },
    close,
  };
}
