// Receives uploads into temporary files, where they are hashed and checked before they are stored.

import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { storageErrors } from "./storage-errors.ts";
import { fsyncFile } from "./fsync.ts";

/** Enough of a file's start to detect its type. */
export const headBytes = 4100;
/** Enough of a file's end to check its end mark. */
const tailBytes = 1024;

/** The last bytes after appending `chunk` to `before`. */
function tailOf(before: Buffer, chunk: Uint8Array): Buffer {
  const last = Buffer.from(chunk.subarray(Math.max(0, chunk.byteLength - tailBytes)));
  return last.byteLength === tailBytes ? last : Buffer.concat([before, last]).subarray(-tailBytes);
}

/** A received file that is not stored yet. */
export interface StagedFile {
  path: string;
  /** Bytes. */
  size: number;
  /** MD5 of the content in hex; used as the entity tag only. */
  md5: string;
  /** The first bytes, up to 4,100. */
  head: Buffer;
  /** The last bytes, up to 1,024. */
  tail: Buffer;
}

/** Folder for received files until they are checked. Each file is either moved to the store or removed. */
export class StagingArea {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** An unused path in the folder. */
  async newPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, randomUUID());
  }

  /**
   * Streams the bytes to a new file and syncs it to disk.
   * @throws {StorageError} EntityTooLarge at the first byte over `limit`; the file is removed.
   */
  async receive(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<StagedFile> {
    const path = await this.newPath();
    const handle = await open(path, "wx", 0o600);
    const hash = createHash("md5");
    const head: Uint8Array[] = [];
    let tail: Buffer = Buffer.alloc(0);
    let size = 0;
    try {
      for await (const chunk of bytes) {
        if (size + chunk.byteLength > limit) throw storageErrors.tooLarge();
        if (size < headBytes) head.push(chunk.subarray(0, headBytes - size));
        tail = tailOf(tail, chunk);
        size += chunk.byteLength;
        hash.update(chunk);
        await handle.writeFile(chunk);
      }
      await handle.sync();
    } catch (error) {
      await handle.close();
      await this.discard(path);
      throw error;
    }
    await handle.close();
    return { path, size, md5: hash.digest("hex"), head: Buffer.concat(head), tail };
  }

  /** Size, hash, head and tail of a file created at a path of `newPath`. */
  async measure(path: string): Promise<StagedFile> {
    const hash = createHash("md5");
    const head: Uint8Array[] = [];
    let tail: Buffer = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (size < headBytes) head.push(chunk.subarray(0, headBytes - size));
      tail = tailOf(tail, chunk);
      size += chunk.byteLength;
      hash.update(chunk);
    }
    await fsyncFile(path);
    return { path, size, md5: hash.digest("hex"), head: Buffer.concat(head), tail };
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes files not modified since `before` (epoch milliseconds), which a killed process left behind. */
  async sweep(before: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && found.mtimeMs < before) await this.discard(path);
    }
  }
}
