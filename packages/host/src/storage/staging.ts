import { createHash, randomUUID } from "node:crypto";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import { createReadStream } from "node:fs";
import { join } from "node:path";
import { fault } from "./errors.ts";
import { syncFile } from "./sync.ts";

/** Enough of a file to tell what it is. */
const HEAD_BYTES = 4100;
/** Enough to see whether a file ends as its type says it must. */
const TAIL_BYTES = 1024;

/** The last bytes of what was read so far and the next chunk. */
function tailOf(before: Buffer, chunk: Uint8Array): Buffer {
  const last = Buffer.from(chunk.subarray(Math.max(0, chunk.byteLength - TAIL_BYTES)));
  return last.byteLength === TAIL_BYTES
    ? last
    : Buffer.concat([before, last]).subarray(-TAIL_BYTES);
}

/** A received file nobody can ask for yet. */
export interface Staged {
  path: string;
  /** Bytes. */
  size: number;
  /** MD5 of the content in hex: an entity tag, not a proof of anything. */
  md5: string;
  /** The first bytes, up to 4,100. */
  head: Buffer;
  /** The last bytes, up to 1,024. */
  tail: Buffer;
}

/** Where files wait until they are checked; a file is either used up by its upload or removed. */
export class Staging {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A path for a file that is about to be made. */
  async newPath(): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    return join(this.#folder, randomUUID());
  }

  /**
   * Writes the bytes to a new file as they come in, synced to disk.
   * @throws {StorageFault} EntityTooLarge at the first byte over `limit`; the file is gone by then.
   */
  async receive(bytes: AsyncIterable<Uint8Array>, limit: number): Promise<Staged> {
    const path = await this.newPath();
    const handle = await open(path, "wx", 0o600);
    const hash = createHash("md5");
    const head: Uint8Array[] = [];
    let tail: Buffer = Buffer.alloc(0);
    let size = 0;
    try {
      for await (const chunk of bytes) {
        if (size + chunk.byteLength > limit) throw fault.tooLarge();
        if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
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

  /** Facts of a file made at a path of `newPath`. */
  async measure(path: string): Promise<Staged> {
    const hash = createHash("md5");
    const head: Uint8Array[] = [];
    let tail: Buffer = Buffer.alloc(0);
    let size = 0;
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      if (size < HEAD_BYTES) head.push(chunk.subarray(0, HEAD_BYTES - size));
      tail = tailOf(tail, chunk);
      size += chunk.byteLength;
      hash.update(chunk);
    }
    await syncFile(path);
    return { path, size, md5: hash.digest("hex"), head: Buffer.concat(head), tail };
  }

  async discard(path: string): Promise<void> {
    await rm(path, { force: true });
  }

  /** Removes what a killed process left behind: files untouched since `before` (epoch milliseconds). */
  async sweep(before: number): Promise<void> {
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && found.mtimeMs < before) await this.discard(path);
    }
  }
}
