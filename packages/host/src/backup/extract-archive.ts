// Unpacks an archive into a new data folder, after checking that it is whole and that the disk has room for it.

import { createWriteStream } from "node:fs";
import { chown, mkdir, statfs } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { findBinaries } from "../postgres/binaries.ts";
import { chooseServerAccount, type ServerAccount } from "../postgres/server-account.ts";
import { writeServerConfiguration } from "../postgres/server-configuration.ts";
import { fsyncFolder } from "../storage/fsync.ts";
import { restoreActionFor } from "./accepted-paths.ts";
import { ArchiveError, type ArchiveHeader, type ArchiveManifest } from "./archive-format.ts";
import { readArchive } from "./read-archive.ts";

/** Counted for each entry beside its bytes: disks hand out whole blocks. */
const blockBytes = 4096;
/** Kept free for the log that PostgreSQL writes while it recovers. */
const recoveryBytes = 128 * 1024 * 1024;

/** Counts what an archive unpacks to, and throws `error` once that is more than `limit` bytes. */
function createCounter(limit: number, error: () => ArchiveError) {
  let bytes = 0;
  const add = (more: number) => {
    bytes += more;
    if (bytes > limit) throw error();
  };
  return {
    bytes: () => bytes,
    addEntry: () => add(blockBytes),
    async *counted(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
      for await (const chunk of content) {
        add(chunk.byteLength);
        yield chunk;
      }
    },
  };
}

/**
 * Reads and checks a whole archive without writing anything.
 * @param roomBytes what the disk has free; reading stops as soon as the archive would need more
 * @returns how much room its files need
 * @throws {ArchiveError} when it is damaged, needs more room, or `onHeader` refuses it
 */
export async function measureArchive(
  file: string,
  roomBytes: number,
  onHeader: (header: ArchiveHeader) => void | Promise<void>,
): Promise<number> {
  const megabytes = Math.floor(roomBytes / 1_000_000);
  const counter = createCounter(
    roomBytes,
    () =>
      new ArchiveError(`${file} needs more than the ${megabytes} MB that are free on the disk.`),
  );
  await readArchive(file, {
    onHeader,
    onFolder: async () => counter.addEntry(),
    onFile: async (_path, _mode, content) => {
      counter.addEntry();
      for await (const chunk of counter.counted(content)) void chunk;
    },
  });
  return counter.bytes();
}

/**
 * Writes the archive's files below `folder`, which exists; those of the database belong to the account that runs it, and its
 * configuration is our own. Resolves once everything would survive a power cut.
 * @param options.otherNames see {@link restoreActionFor}
 * @returns the manifest, and what was left out
 */
export async function extractArchive(
  folder: string,
  file: string,
  options: {
    onHeader: (header: ArchiveHeader) => void | Promise<void>;
    otherNames: readonly string[];
  },
): Promise<{ manifest: ArchiveManifest; leftOut: string[] }> {
  const { onHeader, otherNames } = options;
  const { bavail, bsize } = await statfs(folder);
  const roomBytes = Math.max(bavail * bsize - recoveryBytes, 0);
  const neededBytes = await measureArchive(file, roomBytes, onHeader);
  const counter = createCounter(
    neededBytes,
    () => new ArchiveError(`${file} has changed while it was read.`),
  );
  const { postgres } = await findBinaries();
  const account: ServerAccount = await chooseServerAccount(join(folder, "postgres"), [postgres]);
  const own = async (path: string, full: string) => {
    if (account.kind !== "account" || !/^postgres(\/|$)/.test(path)) return;
    await chown(full, account.uid, account.gid);
  };
  const leftOut: string[] = [];
  const folders = [folder];
  const isWanted = (path: string) => {
    const decision = restoreActionFor(path, otherNames);
    if (decision === "leave out") leftOut.push(path);
    return decision === "write";
  };
  const manifest = await readArchive(file, {
    onHeader,
    onFolder: async (path) => {
      counter.addEntry();
      if (!isWanted(path)) return;
      const full = join(folder, path);
      await mkdir(full, { mode: 0o700 });
      await own(path, full);
      folders.push(full);
    },
    onFile: async (path, _mode, content) => {
      counter.addEntry();
      const bytes = counter.counted(content);
      if (!isWanted(path)) {
        for await (const chunk of bytes) void chunk;
        return;
      }
      const full = join(folder, path);
      await pipeline(bytes, createWriteStream(full, { flags: "wx", mode: 0o600, flush: true }));
      await own(path, full);
    },
  });
  await writeServerConfiguration(join(folder, "postgres"), account);
  for (const one of folders) await fsyncFolder(one);
  return { manifest, leftOut };
}
