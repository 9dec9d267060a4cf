// Finds out whether the disk of the data folder takes writes: it can be full, read-only or gone while reads go on.

import { rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HealthCheck } from "./health-check.ts";
import { sharedAnswer } from "./shared-answer.ts";

/** A folder on a disk with less free than both is full: the database needs room to end what it has begun. */
const fullShare = 0.02;
const fullBytes = 1024 ** 3;
const warningShare = 0.1;
/** A backup leaves files with this ending out. */
const probeName = "write-probe.new";
/** More than file systems keep inside of an entry, so that a block is needed. */
const probe = Buffer.alloc(8192);

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk is full",
  EROFS: "the disk is read-only",
};

async function writeProbe(folder: string): Promise<void> {
  const path = join(folder, probeName);
  try {
    await writeFile(path, probe, { mode: 0o600 });
  } finally {
    await rm(path, { force: true }).catch(() => undefined);
  }
}

/** What a check asks the file system; tests have others. */
interface FileSystem {
  readonly write: (folder: string) => Promise<void>;
  readonly stat: (folder: string) => Promise<{ bavail: number; blocks: number; bsize: number }>;
}

async function checkDisk(folder: string, { write, stat }: FileSystem): Promise<HealthCheck> {
  try {
    const { bavail, blocks, bsize } = await stat(folder);
    const share = blocks === 0 ? 1 : bavail / blocks;
    if (share < fullShare && bavail * bsize < fullBytes)
      return { state: "failing", detail: "the disk is full" };
    await write(folder);
    return share < warningShare
      ? { state: "warning", detail: "less than a tenth of the disk is free" }
      : { state: "ok" };
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    return { state: "failing", detail: reasons[code] ?? `the disk can't be written: ${code}` };
  }
}

/** The state of a folder's disk, asked at most every five seconds. */
export function diskCheck(
  folder: string,
  files: FileSystem = { write: writeProbe, stat: statfs },
): () => Promise<HealthCheck> {
  return sharedAnswer(async () => await checkDisk(folder, files), {
    late: { state: "failing", detail: "the disk does not answer" },
    validMs: 5000,
    longestMs: 5000,
  });
}
