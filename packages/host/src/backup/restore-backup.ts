// Turns an archive into a data folder, which replaces the present one only after PostgreSQL has recovered from it.

import { mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type pg from "pg";
import { BootError } from "../boot-error.ts";
import { findBinaries, postgresMajor } from "../postgres/binaries.ts";
import { connectOwner } from "../postgres/bootstrap.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";
import type { ServerMemory } from "../postgres/server-memory.ts";
import { stopOrphanedDatabase } from "../postgres/open-postgres.ts";
import {
  hasUnicodeLocale,
  asciiLocaleReason,
  readSchemaSources,
  type SchemaSources,
} from "../postgres/schema-history.ts";
import { loadSecrets } from "../secrets.ts";
import { isVersion } from "../storage/blob-store.ts";
import { fsyncFolder } from "../storage/fsync.ts";
import {
  ArchiveError,
  currentPlatform,
  type ArchiveHeader,
  type ArchiveManifest,
} from "./archive-format.ts";
import { extractArchive } from "./extract-archive.ts";

/** What a restore did. */
export interface RestoreSummary {
  /** Whatever was acknowledged before this time is back. */
  endMark: Date;
  files: number;
  /** Where the folder that was replaced is kept; undefined when there was none. */
  keptFolder: string | undefined;
  /** Stored files that the database names and whose bytes the archive does not hold whole, as `bucket/name`. */
  missing: string[];
  /** Paths in the archive that belong to no data folder, and were not written. */
  leftOut: string[];
  /** The bucket that keeps the stored files, which are not in the archive then. */
  bucket: string | undefined;
}

async function isEmptyOrAbsent(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw new BootError(`${folder} cannot be used as a data folder: ${error.message}`);
  });
  return names.length === 0;
}

/** Refuses a folder that is in use or that would be lost. */
async function assertTarget(dataDir: string, replace: boolean): Promise<void> {
  if (await isEmptyOrAbsent(dataDir)) return;
  if (!replace) {
    throw new BootError(
      `${dataDir} is not empty. Restore into another DATA_DIR, or add --replace, which keeps the present folder beside it.`,
    );
  }
  if (!(await stopOrphanedDatabase(dataDir))) {
    throw new BootError(`The product is running over ${dataDir}; stop it first.`);
  }
}

/** @throws {ArchiveError} saying why this software cannot use the archive on this machine */
function assertFits(
  file: string,
  header: ArchiveHeader,
  here: { major: number; sources: SchemaSources },
): void {
  const { major, sources } = here;
  if (header.platform !== currentPlatform() || header.postgres !== major) {
    throw new ArchiveError(
      `${file} was made by PostgreSQL ${header.postgres} on ${header.platform} and fits no other; ` +
        `this is PostgreSQL ${major} on ${currentPlatform()}.`,
    );
  }
  for (const { name, sha256 } of header.schema) {
    if (sources.get(name) === sha256) continue;
    const why = sources.has(name) ? `${name} has changed` : `${name} is not part of this one`;
    throw new ArchiveError(`${file} was made by another version of this software (${why}).`);
  }
}

/** The bucket that keeps the files of a database; undefined for a folder, and for a database from before there were buckets. */
async function bucketOf(client: pg.Client): Promise<string | undefined> {
  const { rows: known } = await client.query<{ known: boolean }>(
    "select to_regclass('host.file_store') is not null as known",
  );
  if (known[0]?.known !== true) return undefined;
  const { rows } = await client.query<{ bucket: string | null }>(
    "select bucket from host.file_store",
  );
  return rows[0]?.bucket ?? undefined;
}

/** Stored files that the database names and that are not whole in the archive: absent, or of another size. */
async function missingFiles(client: pg.Client, manifest: ArchiveManifest): Promise<string[]> {
  const { rows } = await client.query<{
    name: string;
    version: string | null;
    size: string | null;
  }>(
    `select bucket_id || '/' || name as name, version, metadata ->> 'size' as size
       from storage.objects order by 1`,
  );
  const sizes = new Map(
    manifest.entries
      .filter(({ path }) => path.startsWith("storage/objects/"))
      .map(({ path, size }) => [path.slice(path.lastIndexOf("/") + 1), size]),
  );
  const missing: string[] = [];
  for (const { name, version, size } of rows) {
    if (!isVersion(version)) continue;
    const found = sizes.get(version);
    if (found === undefined) missing.push(name);
    else if (size !== null && Number(size) !== found) {
      missing.push(`${name} (${found} of ${size} bytes)`);
    }
  }
  return missing;
}

/** Calls the project's `hooks.after_restore()`, if it has one: what it sends or charges may have gone out since the backup. */
async function callAfterRestore(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ exists: boolean }>(
    "select to_regprocedure('hooks.after_restore()') is not null as exists",
  );
  if (rows[0]?.exists === true) await client.query("select hooks.after_restore()");
}

/** Lets PostgreSQL recover the restored folder and stops it again, so that a copy it cannot use is never put in place. */
async function recover(
  folder: string,
  file: string,
  manifest: ArchiveManifest,
  memory: ServerMemory | undefined,
): Promise<{ missing: string[]; bucket: string | undefined }> {
  const { databasePassword } = await loadSecrets(folder);
  const server = await startEmbeddedPostgres(join(folder, "postgres"), databasePassword, memory);
  try {
    const client = await connectOwner(server.url);
    try {
      if (!(await hasUnicodeLocale(client))) {
        throw new ArchiveError(
          `${file} was made by another version of this software (${asciiLocaleReason}).`,
        );
      }
      await callAfterRestore(client);
      const bucket = await bucketOf(client);
      // What is in a bucket is in no archive.
      const missing = bucket === undefined ? await missingFiles(client, manifest) : [];
      return { missing, bucket };
    } finally {
      await client.end();
    }
  } finally {
    await server.stop();
    await rm(join(folder, "postgres.log"), { force: true });
  }
}

/** Puts `folder` in place of `dataDir`. @returns where the former folder is, if there was one */
async function putInPlace(folder: string, dataDir: string): Promise<string | undefined> {
  if (await isEmptyOrAbsent(dataDir)) {
    // Replaces an empty folder as well.
    await rename(folder, dataDir);
    await fsyncFolder(dirname(dataDir));
    return undefined;
  }
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const kept = `${dataDir}.before-${time}`;
  await rename(dataDir, kept);
  try {
    await rename(folder, dataDir);
  } catch (error) {
    await rename(kept, dataDir);
    throw error;
  }
  await fsyncFolder(dirname(dataDir));
  return kept;
}

/**
 * Makes a data folder from an archive. Everything is written to a folder beside it, checked, and recovered by PostgreSQL first; only
 * then it takes the place of `dataDir`. After an error `dataDir` is as it was.
 * @param options.replace true replaces a folder that is not empty, and keeps it beside the new one
 * @throws {BootError} when the archive is foreign, incomplete or damaged, the folder is in use, or it is not empty
 */
export async function restoreBackup(options: {
  file: string;
  dataDir: string;
  migrationsFolder: string;
  replace: boolean;
  /** What the server that recovers the folder takes; from the memory of the machine when undefined. */
  memory?: ServerMemory | undefined;
  /** Names at the top of a data folder that the embedding program keeps there; other unknown ones are not written. */
  otherNames: readonly string[];
}): Promise<RestoreSummary> {
  const { file, dataDir, replace } = options;
  await assertTarget(dataDir, replace);
  await stat(file).catch(() => {
    throw new ArchiveError(`${file} does not exist.`);
  });
  const sources = await readSchemaSources(options.migrationsFolder);
  const folder = `${dataDir}.restoring-${process.pid}`;
  try {
    // Mode 711: the database's own account must be able to enter this folder.
    await mkdir(folder, { recursive: true, mode: 0o711 });
    const onHeader = async (header: ArchiveHeader) => {
      const { postgres } = await findBinaries();
      assertFits(file, header, { major: await postgresMajor(postgres), sources });
    };
    const { otherNames } = options;
    const { manifest, leftOut } = await extractArchive(folder, file, { onHeader, otherNames });
    const { missing, bucket } = await recover(folder, file, manifest, options.memory);
    // A product may have been started meanwhile.
    await assertTarget(dataDir, replace);
    const keptFolder = await putInPlace(folder, dataDir);
    const files = manifest.entries.filter(({ path }) => !path.endsWith("/")).length;
    return { endMark: new Date(manifest.endMark), files, keptFolder, missing, bucket, leftOut };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
