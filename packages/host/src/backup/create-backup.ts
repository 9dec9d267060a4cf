// Makes one archive of an install, database and files, while it goes on serving.

import { access, open, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, relative, sep } from "node:path";
import type pg from "pg";
import { BootError } from "../boot-error.ts";
import { connectOwner } from "../postgres/bootstrap.ts";
import { fsyncFolder } from "../storage/fsync.ts";
import { newHeader, type ArchiveHeader, type ArchiveManifest } from "./archive-format.ts";
import { withBackupLock } from "./backup-lock.ts";
import { openBaseBackup } from "./base-backup.ts";
import { readArchive } from "./read-archive.ts";
import { extractTar } from "./tar-streams.ts";
import { writeArchive, type ArchiveWriter } from "./write-archive.ts";

/** Ends the name of an archive that is not complete. */
export const partialSuffix = ".partial";
const postgresFolder = "postgres";

/** What a finished backup holds. */
export interface BackupSummary {
  file: string;
  /** Whatever was acknowledged before this time is in the archive. */
  endMark: Date;
  files: number;
  /** Size of the archive. */
  bytes: number;
}

/** Files of a data folder that no backup needs: the database is copied by itself, the rest is unfinished. */
function isLeftOut(path: string): boolean {
  return (
    path === postgresFolder ||
    path === `${postgresFolder}.log` ||
    path === `${postgresFolder}.password` ||
    path === "storage/incoming" ||
    path.endsWith(".new") ||
    path.endsWith(partialSuffix)
  );
}

async function readHeader(client: pg.Client): Promise<ArchiveHeader> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int / 10000 as version",
  );
  const { rows: schema } = await client.query<{ name: string; sha256: string }>(
    "select name, sha256 from host.schema_sources order by name",
  );
  return newHeader({ postgres: rows[0]?.version ?? 0, schema });
}

/** Adds the database, as PostgreSQL hands it out. Its own log is left out: it belongs to this machine. */
export async function addDatabase(
  writer: ArchiveWriter,
  url: string,
  signal: AbortSignal,
): Promise<Date> {
  const backup = await openBaseBackup(url, signal);
  const extract = extractTar();
  backup.tar.on("error", (error) => extract.destroy(error));
  backup.tar.pipe(extract);
  try {
    for await (const entry of extract) {
      const { name, type, mode, size } = entry.header;
      const path = `${postgresFolder}/${name.replace(/^\.\//, "").replace(/\/$/, "")}`;
      const isWanted = !path.startsWith(`${postgresFolder}/log/`);
      if (type === "directory" && path !== `${postgresFolder}/`) await writer.addFolder(path, mode);
      if (type === "file" && isWanted) await writer.addFile({ path, size, mode, content: entry });
      else entry.resume();
    }
  } catch (error) {
    // A stream without a reader would keep the connection, its slot and the server's backup mode.
    backup.tar.destroy();
    await backup.endMark.catch(() => undefined);
    throw error;
  }
  return await backup.endMark;
}

/** Adds what lies beside the database: stored files, secrets and what the embedding program keeps. */
async function addFolder(
  writer: ArchiveWriter,
  dataDir: string,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const found = await readdir(folder, { withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      // A folder may have been removed since it was listed. Any other error would leave its files out unnoticed.
      if (error.code === "ENOENT" && folder !== dataDir) return [];
      throw error;
    },
  );
  for (const one of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    signal.throwIfAborted();
    const full = join(folder, one.name);
    const path = relative(dataDir, full).split(sep).join("/");
    if (isLeftOut(path)) continue;
    if (one.isDirectory()) {
      await writer.addFolder(path, 0o700);
      await addFolder(writer, dataDir, full, signal);
    } else if (one.isFile()) await addPlainFile(writer, path, full);
    else if (one.isSymbolicLink()) {
      throw new BootError(
        `${full} is a link. A backup holds only what is in the data folder: put the folder there, or mount the disk.`,
      );
    }
  }
}

async function addPlainFile(writer: ArchiveWriter, path: string, full: string): Promise<void> {
  // Files here are replaced by a rename or removed, never changed in place, so an open one stays whole.
  const handle = await open(full, "r").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (handle === undefined) return;
  try {
    const { size } = await handle.stat();
    const content = handle.createReadStream({ autoClose: false });
    await writer.addFile({ path, size, mode: 0o600, content });
  } finally {
    await handle.close();
  }
}

/**
 * Writes the database behind `url`, which runs embedded over `dataDir`, and all files of the folder to one archive while everything
 * goes on serving. The archive gets its name once it was written to disk, read back and found whole.
 *
 * The files are copied after the database, and no stored bytes are removed meanwhile: so each row finds its bytes.
 * @throws {BootError} when the name is taken or another backup runs; after any error the name is still free
 */
export async function createBackup(options: {
  file: string;
  dataDir: string;
  url: string;
  /** Runs before anything is written, while no other backup does. */
  beforeWriting?: () => Promise<void>;
  signal?: AbortSignal;
}): Promise<BackupSummary> {
  const { file, dataDir, url } = options;
  const partial = `${file}${partialSuffix}`;
  await assertFree(file);
  const client = await connectOwner(url);
  const lost = new AbortController();
  client.on("error", (error) => lost.abort(error));
  const signal = AbortSignal.any([lost.signal, ...(options.signal ? [options.signal] : [])]);
  try {
    return await withBackupLock(client, async () => {
      try {
        // One backup runs at a time, so an earlier one of this name was killed.
        await rm(partial, { force: true });
        await options.beforeWriting?.();
        const header = await readHeader(client);
        await writeArchive(partial, header, async (writer) => {
          await writer.addFolder(postgresFolder, 0o700);
          const endMark = await addDatabase(writer, url, signal);
          await addFolder(writer, dataDir, dataDir, signal);
          signal.throwIfAborted();
          return endMark;
        });
        const manifest = await readArchive(partial, {
          onHeader: () => undefined,
          onFile: async (_path, _mode, content) => {
            for await (const chunk of content) {
              void chunk;
              signal.throwIfAborted();
            }
          },
        });
        return await giveName(partial, file, manifest);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    });
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function assertFree(file: string): Promise<void> {
  const isTaken = await access(file).then(
    () => true,
    () => false,
  );
  if (isTaken) throw new BootError(`${file} exists already; choose another name.`);
  await access(dirname(file)).catch(() => {
    throw new BootError(`The folder of ${basename(file)} does not exist: ${dirname(file)}`);
  });
}

async function giveName(
  partial: string,
  file: string,
  manifest: ArchiveManifest,
): Promise<BackupSummary> {
  await assertFree(file);
  await rename(partial, file);
  await fsyncFolder(dirname(file));
  const { size } = await stat(file);
  const files = manifest.entries.filter(({ path }) => !path.endsWith("/")).length;
  return { file, endMark: new Date(manifest.endMark), files, bytes: size };
}
