// Applies `supabase/migrations` and records them in the table where the Supabase CLI looks.

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import pg from "pg";
import { BootError } from "../boot-error.ts";
import { projectOwner } from "./bootstrap.ts";
import { recordSource } from "./schema-history.ts";
import { splitStatements } from "./split-statements.ts";

const fileNamePattern = /^(\d+)_(.+)\.sql$/;

interface Migration {
  version: string;
  name: string;
  path: string;
}

async function listMigrations(folder: string): Promise<Migration[]> {
  const names = await readdir(folder).catch((): string[] => []);
  return names.toSorted().flatMap((file) => {
    const match = fileNamePattern.exec(file);
    return match?.[1] && match[2]
      ? [{ version: match[1], name: match[2], path: join(folder, file) }]
      : [];
  });
}

/**
 * Applies the project's migrations that are not recorded yet, each in a transaction and as the project's owner,
 * and records them as the Supabase CLI does, so that each tool sees what the other has applied.
 * @param onApplied told of each as soon as it is applied
 * @returns the versions applied by this call
 * @throws {BootError} naming the file that failed; earlier files stay applied, the failed one is rolled back
 */
export async function applyMigrations(
  client: pg.Client,
  folder: string,
  onApplied: (migration: string, ms: number) => void = () => undefined,
): Promise<string[]> {
  const owner = pg.escapeIdentifier(await projectOwner(client));
  await client.query(`create schema if not exists supabase_migrations authorization ${owner};
      create table if not exists supabase_migrations.schema_migrations (
        version text primary key, statements text[], name text);
      alter table supabase_migrations.schema_migrations owner to ${owner}`);
  const { rows } = await client.query<{ version: string }>(
    "select version from supabase_migrations.schema_migrations",
  );
  const done = new Set(rows.map((row) => row.version));
  const applied: string[] = [];
  for (const migration of await listMigrations(folder)) {
    if (done.has(migration.version)) continue;
    const startedAt = performance.now();
    await applyOne(client, migration, owner);
    onApplied(basename(migration.path, ".sql"), Math.round(performance.now() - startedAt));
    applied.push(migration.version);
  }
  return applied;
}

async function applyOne(client: pg.Client, migration: Migration, owner: string): Promise<void> {
  const sql = await readFile(migration.path, "utf8");
  await client.query("begin");
  try {
    await client.query(`set local role ${owner}`);
    await client.query(sql);
    await client.query(
      "insert into supabase_migrations.schema_migrations (version, statements, name) values ($1, $2, $3)",
      [migration.version, splitStatements(sql), migration.name],
    );
    await client.query("reset role");
    await recordSource(client, `migrations/${basename(migration.path)}`, sql);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    await client.query("reset role");
    const reason = error instanceof Error ? error.message : String(error);
    throw new BootError(
      `Migration ${migration.version}_${migration.name} failed and was undone: ${reason}`,
    );
  }
}
