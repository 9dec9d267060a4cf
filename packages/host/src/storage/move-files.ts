// Copies the bytes of all stored files from one store to another, such as from the disk to a bucket.

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { isVersion, type BlobStore } from "./blob-store.ts";
import { fsyncFile } from "./fsync.ts";
import type { StagingArea } from "./staging-area.ts";

/** Where files are copied from, and where to. */
type Source = Pick<BlobStore, "open">;
type Target = Pick<BlobStore, "list" | "put" | "open" | "remove">;

interface Stores {
  from: Source;
  to: Target;
  /** Where each file lies for a moment. */
  staging: StagingArea;
}

/** What a run of {@link copyFiles} did. */
export interface CopySummary {
  copied: number;
  /** They were in the target already. */
  present: number;
  /** Names of files whose bytes the source does not have, or whose bytes are not those that were uploaded. */
  broken: string[];
}

interface StoredFile {
  name: string;
  version: string;
  /** MD5 of the bytes in hex, where the host wrote the row. */
  md5: string | null;
}

/** Hosted Supabase and others write entity tags that are no checksum of the whole. */
const md5Pattern = /^"?([\da-f]{32})"?$/;

async function versionsIn(store: Target): Promise<Set<string>> {
  const found = new Set<string>();
  for await (const versions of store.list(Infinity)) for (const one of versions) found.add(one);
  return found;
}

async function hashOf(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of bytes) hash.update(chunk);
  return hash.digest("hex");
}

/**
 * Copies what the rows of `storage.objects` refer to and the target does not have. Each file is read back from the target and
 * compared by its checksum. The source is only read, so the hosts may go on; a run that was ended goes on where it stopped.
 * @param onProgress called after each file with how many are done
 * @throws {StorageError} when a store is away
 */
export async function copyFiles(
  client: Pick<pg.ClientBase, "query">,
  { from, to, staging }: Stores,
  onProgress: (done: number, all: number) => void,
): Promise<CopySummary> {
  const { rows } = await client.query<StoredFile>(
    `select bucket_id || '/' || name as name, version, metadata ->> 'eTag' as md5
       from storage.objects where version is not null order by version`,
  );
  const present = await versionsIn(to);
  const summary: CopySummary = { copied: 0, present: 0, broken: [] };
  for (const [at, { name, version, md5 }] of rows.entries()) {
    if (!isVersion(version)) continue;
    if (present.has(version)) summary.present++;
    else {
      const expected = md5Pattern.exec(md5 ?? "")?.[1];
      if (await copyOne(version, expected, { from, to, staging })) summary.copied++;
      else summary.broken.push(name);
    }
    onProgress(at + 1, rows.length);
  }
  return summary;
}

/** @returns false when the source has no such bytes, or others than were uploaded */
async function copyOne(
  version: string,
  expected: string | undefined,
  { from, to, staging }: Stores,
): Promise<boolean> {
  const stream = await from.open(version);
  if (stream === undefined) return false;
  const path = await staging.newPath();
  try {
    const hash = createHash("md5");
    stream.on("data", (chunk: Buffer) => hash.update(chunk));
    await pipeline(stream, createWriteStream(path, { flags: "wx", mode: 0o600 }));
    const md5 = hash.digest("hex");
    if (expected !== undefined && md5 !== expected) return false;
    await fsyncFile(path);
    await to.put(version, path);
    const written = await to.open(version);
    if (written === undefined || (await hashOf(written as AsyncIterable<Uint8Array>)) !== md5) {
      await to.remove([version]);
      throw new Error(`${version} was not the same when it was read back`);
    }
    return true;
  } finally {
    await staging.discard(path);
  }
}
