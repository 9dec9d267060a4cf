// Writes a gzipped tar archive that ends with a manifest of checksums, so that damage is noticed.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { fsyncFile } from "../storage/fsync.ts";
import {
  endName,
  headerName,
  manifestName,
  type ArchiveHeader,
  type ArchiveManifest,
} from "./archive-format.ts";
import { packTar } from "./tar-streams.ts";

/** Low, because a backup shares its machine with members. */
const gzipLevel = 3;

/** A file that goes into an archive. */
export interface ArchiveFile {
  /** Path below the data folder, with forward slashes. */
  path: string;
  /** Bytes; `content` has to be exactly that long. */
  size: number;
  /** Permission bits. */
  mode: number;
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** Receives the entries of an archive, one after another. */
export interface ArchiveWriter {
  addFile: (file: ArchiveFile) => Promise<void>;
  addFolder: (path: string, mode: number) => Promise<void>;
}

/**
 * Writes an archive to `path`, which must not exist, with mode 600. Resolves once it would survive a power cut.
 * @param fill adds the entries and returns the end mark
 * @throws what `fill` throws, or the error of the disk; the file stays behind incomplete
 */
export async function writeArchive(
  path: string,
  header: ArchiveHeader,
  fill: (writer: ArchiveWriter) => Promise<Date>,
): Promise<ArchiveManifest> {
  const pack = packTar();
  const failure = new AbortController();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600 });
  const written = pipeline(pack, createGzip({ level: gzipLevel }), file);
  written.catch((error: unknown) => failure.abort(error));
  const entries: ArchiveManifest["entries"] = [];

  const add = async ({ path: name, size, mode, content }: ArchiveFile): Promise<string> => {
    const hash = createHash("sha256");
    let length = 0;
    const sink = pack.entry({ name, size, mode, mtime: new Date(0), type: "file" });
    const ended = once(sink, "close", { signal: failure.signal });
    ended.catch(() => undefined);
    for await (const chunk of content) {
      failure.signal.throwIfAborted();
      length += chunk.byteLength;
      if (length > size) break;
      hash.update(chunk);
      if (!sink.write(chunk)) await once(sink, "drain", { signal: failure.signal });
    }
    if (length !== size) throw new Error(`${name} changed its size while it was read`);
    sink.end();
    await ended;
    return hash.digest("hex");
  };
  const addText = async (name: string, value: unknown): Promise<string> => {
    const text = Buffer.from(`${JSON.stringify(value)}\n`);
    return await add({ path: name, size: text.length, mode: 0o600, content: [text] });
  };
  const writer: ArchiveWriter = {
    addFile: async (one) => {
      entries.push({ path: one.path, size: one.size, sha256: await add(one) });
    },
    addFolder: async (name, mode) => {
      failure.signal.throwIfAborted();
      await new Promise<void>((resolve, reject) => {
        const done = (error?: Error | null) => (error ? reject(error) : resolve());
        pack.entry({ name: `${name}/`, mode, mtime: new Date(0), type: "directory" }, done);
      });
      entries.push({ path: `${name}/`, size: 0, sha256: "" });
    },
  };
  try {
    await addText(headerName, header);
    const endMark = await fill(writer);
    const manifest: ArchiveManifest = { endMark: endMark.toISOString(), entries };
    await addText(endName, { manifestSha256: await addText(manifestName, manifest) });
    pack.finalize();
    await written;
    await fsyncFile(path);
    return manifest;
  } catch (error) {
    // The disk's error comes first: it is why an entry could not be written.
    const reason: unknown = failure.signal.aborted ? failure.signal.reason : error;
    pack.destroy();
    await written.catch(() => undefined);
    throw reason;
  }
}
