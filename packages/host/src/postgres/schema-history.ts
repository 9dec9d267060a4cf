// Remembers the hash of every SQL file a database was built from, and refuses databases of another version.

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type pg from "pg";
import { BootError } from "../boot-error.ts";

const hostSqlFolder = fileURLToPath(new URL("../../sql/", import.meta.url));

/** SHA-256 in hex of each SQL file that a database is built from, by a name such as `migrations/20260101_rooms.sql`. */
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

/** Hashes the SQL files of this version: the host's own files and the project's migrations. */
export async function readSchemaSources(migrationsFolder: string): Promise<SchemaSources> {
  const [own, project] = await Promise.all([
    hashesOf("host", hostSqlFolder),
    hashesOf("migrations", migrationsFolder),
  ]);
  return new Map([...own, ...project]);
}

/** Where a database is, in messages to the operator. */
export interface DatabasePlace {
  /** The subject of a sentence. */
  readonly name: string;
  /** How a new database is begun in its place: the end of a sentence. */
  readonly fresh: string;
}

/** The place of an embedded database, or of the one that `DATABASE_URL` names. */
export function placeOf(config: {
  databaseUrl?: string | undefined;
  dataDir: string;
}): DatabasePlace {
  return config.databaseUrl === undefined
    ? {
        name: `The data folder ${config.dataDir}`,
        fresh: "start with a new database: `npm run db:reset` deletes the data folder",
      }
    : {
        name: "The database of DATABASE_URL",
        fresh:
          "make another, empty database on that server with `create database` and name it in DATABASE_URL",
      };
}

function refuse({ name, fresh }: DatabasePlace, reason: string): never {
  throw new BootError(
    `${name} was made by another version of this software (${reason}) and cannot be used by this one. ` +
      `Go back to the version that made it, or ${fresh}.`,
  );
}

/** Advisory lock for the time from the look at the history to its last record. */
const schemaLockKey = 4_710_331;

/**
 * Runs `work` while no other host looks at or changes the schema of this database. The lock ends with the connection, so a
 * killed host leaves none behind.
 */
export async function withSchemaLock<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  await client.query("select pg_advisory_lock($1)", [schemaLockKey]);
  try {
    return await work();
  } finally {
    // A connection that was lost holds nothing any more.
    await client.query("select pg_advisory_unlock($1)", [schemaLockKey]).catch(() => undefined);
  }
}

/** Records a file that the running transaction has applied, so that a start which ends midway can be started again. */
export async function recordSource(client: pg.Client, name: string, text: string): Promise<void> {
  await client.query(
    "insert into host.schema_sources (name, sha256) values ($1, $2) on conflict (name) do nothing",
    [name, createHash("sha256").update(text).digest("hex")],
  );
}

/**
 * Refuses a database whose recorded SQL files differ from this version's. A changed file is never applied again, so such
 * a database would silently lack rules.
 * @throws {BootError} naming the first file that differs and what to do
 */
export async function assertSchemaHistory(
  client: pg.Client,
  sources: SchemaSources,
  place: DatabasePlace,
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

/** Why the embedded database of an earlier version, which was made with the locale C, cannot be used. */
export const asciiLocaleReason = "its database knows no letters beyond A to Z";

/** Whether an embedded database compares texts as this version's do, by the built-in locale C.UTF-8. */
export async function hasUnicodeLocale(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ isBuiltin: boolean }>(
    `select datlocprovider = 'b' and to_jsonb(d) ->> 'datlocale' = 'C.UTF-8' as "isBuiltin"
       from pg_database d where datname = current_database()`,
  );
  return rows[0]?.isBuiltin === true;
}

/**
 * Refuses an embedded database of an earlier version: it would find and order texts by other rules than this one's.
 * @throws {BootError} saying what to do
 */
export async function assertUnicodeLocale(client: pg.Client, place: DatabasePlace): Promise<void> {
  if (!(await hasUnicodeLocale(client))) refuse(place, asciiLocaleReason);
}

/** Records every SQL file once all are applied: also those that another tool, such as the Supabase CLI, has applied. */
export async function recordSchemaHistory(
  client: pg.Client,
  sources: SchemaSources,
): Promise<void> {
  await client.query(
    `insert into host.schema_sources (name, sha256)
     select * from unnest($1::text[], $2::text[]) on conflict (name) do nothing`,
    [[...sources.keys()], [...sources.values()]],
  );
}
