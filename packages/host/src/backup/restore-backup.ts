import { createWriteStream } from "node:fs";
import { chmod, chown, mkdir, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { BootError } from "../config.ts";
import { findBinaries, postgresMajor } from "../postgres/binaries.ts";
import { connectOwner } from "../postgres/bootstrap.ts";
import { startEmbeddedPostgres } from "../postgres/embedded.ts";
import { stopOrphanedDatabase } from "../postgres/open-postgres.ts";
import { readSchemaSources, type SchemaSources } from "../postgres/schema-history.ts";
import { chooseServerAccount, type ServerAccount } from "../postgres/server-account.ts";
import { loadSecrets } from "../secrets.ts";
import { isVersion } from "../storage/blob-store.ts";
import { openDiskBlobStore } from "../storage/disk-blob-store.ts";
import { ArchiveError, currentPlatform, type ArchiveHeader } from "./archive-format.ts";
import { readArchive } from "./read-archive.ts";

/** What a restore did. */
export interface RestoreSummary {
  /** Whatever was acknowledged before this time is back. */
  endMark: Date;
  files: number;
  /** Where the folder that was replaced is kept; undefined when there was none. */
  keptFolder: string | undefined;
  /** Names of stored files whose bytes the backup does not hold, as `bucket/name`: they were missing before it was made. */
  missing: string[];
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

/** Writes the archive's files below `folder`; those of the database belong to the account that runs it. */
async function extractTo(
  folder: string,
  file: string,
  sources: SchemaSources,
): Promise<{ endMark: Date; files: number }> {
  let account: ServerAccount = { kind: "own" };
  const own = async (path: string, full: string) => {
    if (account.kind !== "account" || !/^postgres(\/|$)/.test(path)) return;
    await chown(full, account.uid, account.gid);
  };
  const manifest = await readArchive(file, {
    onHeader: async (header) => {
      const { postgres } = await findBinaries();
      assertFits(file, header, { major: await postgresMajor(postgres), sources });
      // Mode 711: the database's own account must be able to enter this folder.
      await mkdir(folder, { recursive: true, mode: 0o711 });
      account = await chooseServerAccount(join(folder, "postgres"), [postgres]);
    },
    onFolder: async (path, mode) => {
      const full = join(folder, path);
      await mkdir(full, { mode: 0o700 });
      await chmod(full, mode);
      await own(path, full);
    },
    onFile: async (path, mode, content) => {
      const full = join(folder, path);
      await pipeline(content, createWriteStream(full, { flags: "wx", mode, flush: true }));
      await own(path, full);
    },
  });
  const files = manifest.entries.filter(({ path }) => !path.endsWith("/")).length;
  return { endMark: new Date(manifest.endMark), files };
}

/** Stored files whose bytes are not in the folder. */
async function missingBytes(client: pg.Client, folder: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; version: string | null }>(
    "select bucket_id || '/' || name as name, version from storage.objects order by 1",
  );
  const blobs = openDiskBlobStore(join(folder, "storage", "objects"));
  const missing: string[] = [];
  for (const { name, version } of rows) {
    if (!isVersion(version)) continue;
    const bytes = await blobs.open(version);
    if (bytes === undefined) missing.push(name);
    bytes?.destroy();
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
async function recover(folder: string): Promise<string[]> {
  const { databasePassword } = await loadSecrets(folder);
  const server = await startEmbeddedPostgres(join(folder, "postgres"), databasePassword);
  try {
    const client = await connectOwner(server.url);
    try {
      await callAfterRestore(client);
      return await missingBytes(client, folder);
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
}): Promise<RestoreSummary> {
  const { file, dataDir, replace } = options;
  await assertTarget(dataDir, replace);
  await stat(file).catch(() => {
    throw new ArchiveError(`${file} does not exist.`);
  });
  const sources = await readSchemaSources(options.migrationsFolder);
  const folder = `${dataDir}.restoring-${process.pid}`;
  try {
    const { endMark, files } = await extractTo(folder, file, sources);
    const missing = await recover(folder);
    // A product may have been started meanwhile.
    await assertTarget(dataDir, replace);
    const keptFolder = await putInPlace(folder, dataDir);
    return { endMark, files, keptFolder, missing };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}
