import { cp, mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { applyMigrations } from "basehost/database";
import { openScratchServer, withOwner } from "../schema/scratch-server.ts";

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

/** Starts a scratch server and applies the project's migrations. */
export async function openMutationDatabase(): Promise<MutationDatabase> {
  const server = await openScratchServer();
  const { admin, folder, urlOf, close } = server;
  const createDatabase = async (name: string, migrations: string) => {
    await server.createDatabase(name, async (client) => {
      await applyMigrations(client, migrations);
    });
  };
  try {
    await createDatabase(originalName, migrationsFolder);
  } catch (error) {
    await close();
    throw error;
  }
  let copies = 0;
  return {
    onOriginal: async (work) => await withOwner(urlOf(originalName), work),
    onVersion: async (version, work) => {
      const migrations = join(folder, "migrations");
      await mkdir(migrations);
      for (const name of await readdir(migrationsFolder)) {
        if (name.split("_", 1).join() > version) continue;
        await cp(join(migrationsFolder, name), join(migrations, name));
      }
      await createDatabase("earlier", migrations);
      try {
        return await withOwner(urlOf("earlier"), work);
      } finally {
        await admin.query("drop database earlier with (force)");
      }
    },
    onCopy: async (change, work) => {
      copies += 1;
      const copy = `copy_${copies}`;
      await admin.query(`create database ${copy} template ${originalName}`);
      await copyRoleSettings(admin, copy);
      const url = urlOf(copy);
      try {
        await withOwner(url, async (client) => await client.query(change));
        return await work(url);
      } finally {
        await admin.query(`drop database ${copy} with (force)`);
      }
    },
    close,
  };
}
