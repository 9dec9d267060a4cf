// Reads an archive and verifies every checksum, both for a restore and right after a backup was written.

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import type { z } from "zod";
import {
  archiveEnd,
  archiveHeader,
  ArchiveError,
  archiveManifest,
  endName,
  formatVersion,
  headerName,
  manifestName,
  type ArchiveHeader,
  type ArchiveManifest,
} from "./archive-format.ts";
import { extractTar, type TarEntry } from "./tar-streams.ts";

/** Largest description of an archive, in bytes; files may be larger. */
const maxTextBytes = 256 * 1024 * 1024;

/** What a reader does with the entries; each is called in the order of the archive. */
export interface ArchiveReader {
  /** Throws {@link ArchiveError} when the archive does not fit. */
  onHeader: (header: ArchiveHeader) => void | Promise<void>;
  onFolder?: (path: string, mode: number) => Promise<void>;
  /** Consumes the whole content. */
  onFile?: (path: string, mode: number, content: AsyncIterable<Uint8Array>) => Promise<void>;
}

const foreign = (file: string) => new ArchiveError(`${file} is not a backup of this software.`);
const damaged = (file: string, why: string) =>
  new ArchiveError(`${file} is incomplete or damaged (${why}); nothing was restored from it.`);

/** True for a path that stays below its folder, whatever the system. */
function isPlainPath(path: string): boolean {
  const parts = path.split("/");
  return !path.includes("\\") && !path.includes("\0") && !/^[a-z]:/i.test(path)
    ? parts.every((part) => part !== "" && part !== "." && part !== "..")
    : false;
}

async function* hashed(
  content: AsyncIterable<Uint8Array>,
  seen: { size: number; sha256: string },
): AsyncGenerator<Uint8Array> {
  const hash = createHash("sha256");
  for await (const chunk of content) {
    seen.size += chunk.byteLength;
    hash.update(chunk);
    yield chunk;
  }
  seen.sha256 = hash.digest("hex");
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of content) {
    size += chunk.byteLength;
    if (size > maxTextBytes) throw new Error("a description is too long");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parse<T extends z.ZodType>(shape: T, text: string): z.infer<T> | undefined {
  try {
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** The entries of a compressed archive. Errors of the file, the compression and the archive end the iteration. */
function entriesOf(file: string): AsyncIterable<TarEntry> {
  const extract = extractTar();
  const source = createReadStream(file);
  const gunzip = createGunzip();
  const closed = new AbortController();
  source.on("error", (error) => gunzip.destroy(error));
  const feed = async () => {
    for await (const chunk of source.pipe(gunzip)) {
      if (closed.signal.aborted) return;
      if (!extract.write(chunk)) await once(extract, "drain", { signal: closed.signal });
    }
    extract.end();
  };
  feed().catch((error: unknown) => {
    extract.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  extract.once("close", () => {
    closed.abort();
    source.destroy();
    gunzip.destroy();
  });
  return extract;
}

/**
 * Reads an archive once from start to end and checks the hash of each entry and that nothing is missing, added or out of place.
 * Entries are handed on before the end was seen, so what was made of them may be used only when this resolves.
 * @throws {ArchiveError} when it is foreign, incomplete, damaged or does not fit
 */
export async function readArchive(file: string, reader: ArchiveReader): Promise<ArchiveManifest> {
  const found: ArchiveManifest["entries"] = [];
  let header: ArchiveHeader | undefined;
  let manifest: ArchiveManifest | undefined;
  let manifestSha256 = "";
  let isEnded = false;

  const readEntry = async (entry: TarEntry): Promise<void> => {
    const { name, type, mode } = entry.header;
    const seen = { size: 0, sha256: "" };
    const content = hashed(entry, seen);
    if (header === undefined) {
      if (name !== headerName) throw foreign(file);
      header = parse(archiveHeader, await textOf(content));
      if (header === undefined) throw foreign(file);
      if (header.formatVersion > formatVersion) {
        throw new ArchiveError(`${file} was made by a newer version of this software.`);
      }
      await reader.onHeader(header);
    } else if (isEnded) {
      throw damaged(file, "there is more behind its end");
    } else if (name === manifestName) {
      manifest = parse(archiveManifest, await textOf(content));
      manifestSha256 = seen.sha256;
    } else if (manifest !== undefined) {
      if (name !== endName) throw damaged(file, `${name} stands behind the manifest`);
      const end = parse(archiveEnd, await textOf(content));
      if (end?.manifestSha256 !== manifestSha256) throw damaged(file, "its manifest has changed");
      isEnded = true;
    } else {
      const path = name.replace(/\/$/, "");
      if (!isPlainPath(path)) throw damaged(file, "it names a file outside its folder");
      if (type === "directory") {
        await reader.onFolder?.(path, mode);
        entry.resume();
        found.push({ path: `${path}/`, size: 0, sha256: "" });
        return;
      }
      if (type !== "file") throw damaged(file, `${path} is not a plain file`);
      if (reader.onFile) await reader.onFile(path, mode, content);
      else for await (const chunk of content) void chunk;
      found.push({ path, ...seen });
    }
  };

  try {
    for await (const entry of entriesOf(file)) await readEntry(entry);
  } catch (error) {
    if (error instanceof ArchiveError) throw error;
    const { code = "", message } = error as { code?: string; message: string };
    if (code === "ENOENT") throw new ArchiveError(`${file} does not exist.`);
    // Errors of writing what was read name the disk, not the archive.
    if (/^E[A-Z]+$/.test(code)) throw error;
    throw header === undefined ? foreign(file) : damaged(file, message);
  }
  if (header === undefined) throw foreign(file);
  if (manifest === undefined || !isEnded) throw damaged(file, "its end is missing");
  const isSame =
    manifest.entries.length === found.length &&
    manifest.entries.every(
      (one, at) =>
        one.path === found[at]?.path &&
        one.size === found[at].size &&
        one.sha256 === found[at].sha256,
    );
  if (!isSame) throw damaged(file, "a checksum differs");
  return manifest;
}
