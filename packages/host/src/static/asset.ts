import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { getMimeType } from "hono/utils/mime";
import type { ByteRange } from "../conditional-requests.ts";

/** Files up to this size are kept in memory once read; larger ones are streamed. */
const LARGEST_KEPT = 4 * 1024 ** 2;
const SMALLEST_COMPRESSED = 512;
const COMPRESSIBLE =
  /^(?:text\/|application\/(?:json|javascript|xml|manifest\+json|wasm)|image\/svg\+xml)/;

const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** How a body is packed on its way; the empty string stands for not at all. */
export type Encoding = "br" | "gzip" | "";

/** What one file of the web app weighs, is and was. */
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

async function pack(bytes: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return await deflate(bytes, { level: 9 });
  if (encoding === "") return bytes;
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  };
  return await brotli(bytes, { params });
}

function openAsset(file: string, path: string, size: number, modified: Date): Asset {
  const type = getMimeType(path) ?? "application/octet-stream";
  const isKept = size <= LARGEST_KEPT;
  const kept = new Map<Encoding, Promise<Buffer>>();
  const bytesIn = async (encoding: Encoding): Promise<Buffer> => {
    const known = kept.get(encoding);
    if (known !== undefined) return await known;
    const made =
      encoding === "" ? readFile(file) : bytesIn("").then(async (bytes) => pack(bytes, encoding));
    kept.set(encoding, made);
    // What could not be read now may be readable at the next request.
    made.catch(() => kept.delete(encoding));
    return await made;
  };
  let hash: Promise<string> | undefined;
  return {
    path,
    type,
    size,
    modified,
    isCompressible: isKept && size >= SMALLEST_COMPRESSED && COMPRESSIBLE.test(type),
    etag: async (encoding) => {
      if (!isKept) return `"${size.toString(36)}-${modified.getTime().toString(36)}"`;
      hash ??= bytesIn("").then((bytes) =>
        createHash("sha256").update(bytes).digest("base64url").slice(0, 20),
      );
      return `"${await hash}${encoding === "" ? "" : `-${encoding}`}"`;
    },
    whole: async (encoding) => (isKept ? await bytesIn(encoding) : undefined),
    stream: (range) => Readable.toWeb(createReadStream(file, range ?? {})) as ReadableStream,
  };
}

/**
 * Every file below the folder by its path in the URL, as they are now. What is not listed is never looked for on
 * the disk, so no path of a request can lead out of the folder. Hidden files and links are left out.
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

/** The best encoding the reader takes (`Accept-Encoding`), brotli before gzip. */
export function chooseEncoding(header: string | null): Encoding {
  const weights = new Map<string, number>();
  for (const part of (header ?? "").toLowerCase().split(",")) {
    const [name = "", weight] = part.trim().split(/\s*;\s*q=/);
    weights.set(name, weight === undefined ? 1 : Number(weight));
  }
  for (const encoding of ["br", "gzip"] as const) {
    if ((weights.get(encoding) ?? weights.get("*") ?? 0) > 0) return encoding;
  }
  return "";
}
