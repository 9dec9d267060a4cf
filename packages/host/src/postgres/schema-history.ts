import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { BootError } from "../config.ts";

const hostSqlFolder = fileURLToPath(new URL("../../sql/", import.meta.url));

/** SHA-256 of each SQL file a database is made of, in hex, by a name such as `migrations/20260101_rooms.sql`. */
export type SchemaSources = ReadonlyMap<string, string>;

async function hashesOf(label: string, folder: string): Promise<[string, string][]> {
  const names = await readdir(folder).catch((): string[] => []);
  const files = names.filter((name) => name.endsWith(".sql")).toSorted();
  return await Promise.all(
    files.map(async (name): Promise<[string, string]> => {
      const text = await readFile(join(folder, name));
      return [`${label}/${name}`, createHash("sha256").update(text).digest("hex")];
    }),
  );
}

/** Reads what this version makes a database of: the host's own files and the project's migrations. */
export async function readSchemaSources(migrationsFolder: string): Promise<SchemaSources> {
  const [own, project] = await Promise.all([
    hashesOf("host", hostSqlFolder),
    hashesOf("migrations", migrationsFolder),
  ]);
  return new Map([...own, ...project]);
}

function refuse(place: string, reason: string): never {
  throw new BootError(
    `${place} was made by another version of this software (${reason}) and cannot be used by this one. ` +
      "Go back to the version that made it, or start with a new database: `npm run db:reset` deletes the data folder.",
  );
}

/**
 * Refuses a database whose SQL files are not a beginning of this version's: a changed file is never applied again, so
 * such a database would lack rules without anybody noticing.
 * @param place what the database is called in the message
 * @throws {BootError} naming the first file that differs and the ways out
 */
export async function assertSchemaHistory(
  client: pg.Client,
  sources: SchemaSources,
  place: string,
): Promise<void> {
  const { rows: tables } = await client.query<{ prepared: boolean; recorded: boolean }>(
    `select to_regclass('host.applied_files') is not null as prepared,
            to_regclass('host.schema_sources') is not null as recorded`,
  );
  const [known] = tables;
  if (known?.recorded !== true) {
    if (known?.prepared === true) refuse(place, "it keeps no record of its schema");
    return;
  }
  const { rows } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from host.schema_sources order by name",
  );
  for (const { name, sha256 } of rows) {
    const current = sources.get(name);
    if (current === undefined) refuse(place, `${name} is not part of this one`);
    if (current !== sha256) refuse(place, `${name} has changed`);
  }
}

/** Records what the database is made of now; call it once everything has been applied. */
export async function recordSchemaHistory(
  client: pg.Client,
  sources: SchemaSources,
): Promise<void> {
  await client.query(`create table if not exists host.schema_sources (
    name text primary key, sha256 text not null, recorded_at timestamptz not null default now())`);
  await client.query(
    `insert into host.schema_sources (name, sha256)
     select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`,
    [[...sources.keys()], [...sources.values()]],
  );
}
