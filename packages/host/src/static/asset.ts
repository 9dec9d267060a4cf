// The files of the web app, listed once at start, with compression, entity tags and a cache in memory.

import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { parseAccept } from "hono/utils/accept";
import { getMimeType } from "hono/utils/mime";
import type { ByteRange } from "../conditional-requests.ts";

/** Files up to this size are kept in memory once read; larger ones are streamed. */
const maxCachedBytes = 4 * 1024 ** 2;
const minCompressedBytes = 512;
const compressibleTypes =
  /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json|wasm)|image\/svg\+xml)/;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Content encoding of a response; the empty string means none. */
export type Encoding = "br" | "gzip" | "";

/** One file of the web app. */
export interface Asset {
  /** Path in the URL, such as `/assets/app-1a2b.js`. */
  path: string;
  type: string;
  /** Bytes of the file as it is. */
  size: number;
  modified: Date;
  isCompressible: boolean;
  /** Entity tag of the file in this encoding, quotes included. */
  etag: (encoding: Encoding) => Promise<string>;
  /** The whole file in this encoding; undefined for files too large to keep. */
  whole: (encoding: Encoding) => Promise<Buffer | undefined>;
  /** The file as it is, or a part of it. */
  stream: (range?: ByteRange) => ReadableStream;
}

async function compress(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return await deflate(bytes, { level: 9 });
  if (encoding === "") return bytes;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return await brotli(bytes, { params });
}

function openAsset(file: string, path: string, size: number, modified: Date): Asset {
  const type = contentTypeOf(path);
  const isCached = size <= maxCachedBytes;
  const cache = new Map<Encoding, Promise<Buffer>>();
  const bytesAs = async (encoding: Encoding): Promise<Buffer> => {
    const known = cache.get(encoding);
    if (known !== undefined) return await known;
    const loading =
      encoding === ""
        ? readFile(file)
        : bytesAs("").then(async (bytes) => compress(bytes, encoding));
    cache.set(encoding, loading);
    // A failed read is tried again at the next request.
    loading.catch(() => cache.delete(encoding));
    return await loading;
  };
  let hash: Promise<string> | undefined;
  return {
    path,
    type,
    size,
    modified,
    isCompressible: isCached && size >= minCompressedBytes && compressibleTypes.test(type),
    etag: async (encoding) => {
      if (!isCached) return `"${size.toString(36)}-${modified.getTime().toString(36)}"`;
      hash ??= bytesAs("").then((bytes) =>
        createHash("sha256").update(bytes).digest("base64url").slice(0, 20),
      );
      return `"${await hash}${encoding === "" ? "" : `-${encoding}`}"`;
    },
    whole: async (encoding) => (isCached ? await bytesAs(encoding) : undefined),
    stream: (range) => Readable.toWeb(createReadStream(file, range ?? {})) as ReadableStream,
  };
}

/**
 * Every file below the folder, by its path in the URL. The list is made once, so the path of a request is never
 * looked up on the disk and cannot leave the folder. Hidden files and symbolic links are left out.
 */
export async function listAssets(folder: string): Promise<ReadonlyMap<string, Asset>> {
  const assets = new Map<string, Asset>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(folder.length).split(sep).join("/");
    const isHidden = path.split("/").some((part) => part.startsWith(".") && part !== ".well-known");
    if (!entry.isFile() || isHidden) continue;
    const { size, mtime } = await stat(file);
    assets.set(path, openAsset(file, path, size, mtime));
  }
  return assets;
}

/** Hono does not know captions of films. */
function contentTypeOf(path: string): string {
  if (path.endsWith(".vtt")) return "text/vtt; charset=utf-8";
  return getMimeType(path) ?? "application/octet-stream";
}

/** The best encoding the client accepts (`Accept-Encoding`), brotli before gzip. */
export function chooseEncoding(header: string | null): Encoding {
  const accepted = parseAccept((header ?? "").toLowerCase());
  const weights = new Map(accepted.map(({ type, q }) => [type, q]));
  for (const encoding of ["br", "gzip"] as const) {
    if ((weights.get(encoding) ?? weights.get("*") ?? 0) > 0) return encoding;
  }
  return "";
}
