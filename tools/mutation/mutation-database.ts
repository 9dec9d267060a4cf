import { randomBytes } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import {
  applyMigrations,
  connectOwner,
  prepareDatabase,
  startEmbeddedPostgres,
} from "basehost/database";

const migrationsFolder = fileURLToPath(new URL("../../supabase/migrations", import.meta.url));
const originalName = "original";

/** A Postgres server with one migrated database, and copies of it on demand. */
export interface MutationDatabase {
  /** Runs work on the original. A copy cannot be made while anything is connected to the original. */
  onOriginal: <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Runs work on a database with the migrations up to this version only, and drops it after the work. */
  onVersion: <T>(version: string, work: (client: pg.Client) => Promise<T>) => Promise<T>;
  /** Copies the original, runs the statement `change` on the copy, and drops the copy after the work. */
  onCopy: <T>(change: string, work: (url: string) => Promise<T>) => Promise<T>;
  /** Stops the server and removes its folder. May be called more than once. */
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

/** Settings of a role in one database are stored per cluster, so a copy made from a template lacks them. */
async function copyRoleSettings(admin: pg.Client, database: string): Promise<void> {
  const { rows } = await admin.query<{ role: string; name: string; value: string }>(
    `select setrole::regrole::text as role, split_part(c, '=', 1) as name, substr(c, strpos(c, '=') + 1) as value
       from pg_db_role_setting, unnest(setconfig) as c
      where setrole <> 0 and setdatabase = (select oid from pg_database where datname = $1)`,
    [originalName],
  );
  for (const { role, name, value } of rows) {
    const to = admin.escapeLiteral(value);
    await admin.query(`alter role ${role} in database ${database} set ${name} = ${to}`);
  }
}

/** Starts the server in a temporary folder and applies the project's migrations. */
export async function openMutationDatabase(): Promise<MutationDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "fourfold-mutation-"));
  const server = await startEmbeddedPostgres(
    join(folder, "postgres"),
    randomBytes(18).toString("hex"),
  );
  const admin = await connectOwner(server.url);
  admin.on("error", () => undefined);
  const shutDown = async () => {
    await admin.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
  const createDatabase = async (name: string, migrations: string) => {
    await admin.query(`create database ${name}`);
    await withClient(urlOf(server.url, name), async (client) => {
      await prepareDatabase(client, randomBytes(32).toString("hex"));
      await applyMigrations(client, migrations);
    });
  };
  let closing: Promise<void> | undefined;
  // A signal and the error it causes may both call this.
  const close = async () => await (closing ??= shutDown());
  try {
    // The data is temporary, so commits need not wait for the disk.
    await admin.query("alter system set fsync = off");
    await admin.query("alter system set synchronous_commit = off");
    await admin.query("select pg_reload_conf()");
    await createDatabase(originalName, migrationsFolder);
  } catch (error) {
    await close();
    throw error;
  }
  let copies = 0;
  return {
    onOriginal: async (work) => await withClient(urlOf(server.url, originalName), work),
    onVersion: async (version, work) => {
      const migrations = join(folder, "migrations");
      await mkdir(migrations);
      for (const name of await readdir(migrationsFolder)) {
        if (name.split("_", 1).join() > version) continue;
        await cp(join(migrationsFolder, name), join(migrations, name));
      }
      await createDatabase("earlier", migrations);
      try {
        return await withClient(urlOf(server.url, "earlier"), work);
      } finally {
        await admin.query("drop database earlier with (force)");
      }
    },
    onCopy: async (change, work) => {
      copies += 1;
      const copy = `copy_${copies}`;
      await admin.query(`create database ${copy} template ${originalName}`);
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
