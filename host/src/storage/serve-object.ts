import { Readable } from "node:stream";
import type { ByteRange } from "./blob-store.ts";
import { fault, StorageFault } from "./errors.ts";
import { bareType } from "./limits.ts";
import type { ObjectRow } from "./object-rows.ts";
import type { StorageParts } from "./parts.ts";

/** Types a browser would run or lay out as a page; they are saved, never opened. */
const ACTIVE =
  /^(?:text\/(?:html|xml|javascript|xsl)|application\/(?:xml|xhtml\+xml|javascript|x-javascript|ecmascript)|image\/svg\+xml|multipart\/|.+\+xml)/;

/** How one download is answered. */
export interface Serving {
  /** Value of the `download` query: a file name, or empty for the object's own. */
  download: string | undefined;
  /** True when the answer is for this reader alone. */
  isPrivate: boolean;
  /** When the link that was used ends, in epoch seconds. */
  expires?: number;
}

function disposition(mimetype: string, serving: Serving): string | undefined {
  if (serving.download === undefined) return ACTIVE.test(mimetype) ? "attachment" : undefined;
  if (serving.download === "") return "attachment";
  const name = encodeURIComponent(serving.download);
  return `attachment; filename="${name}"; filename*=UTF-8''${name}`;
}

/** The part of `size` bytes a Range header asks for; undefined for all, null for one that is not there. */
export function parseRange(header: string | null, size: number): ByteRange | undefined | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  if (match[1] === "") {
    const last = Number(match[2]);
    return last === 0 || size === 0 ? null : { start: Math.max(size - last, 0), end: size - 1 };
  }
  const start = Number(match[1]);
  const end = match[2] === "" ? size - 1 : Math.min(Number(match[2]), size - 1);
  return start >= size || end < start ? null : { start, end };
}

/** True when the reader has this content already. */
export function isUnchanged(request: Request, etag: string, modified: Date): boolean {
  const known = request.headers.get("if-none-match");
  if (known !== null) {
    return known.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));
  }
  const since = Date.parse(request.headers.get("if-modified-since") ?? "");
  return Number.isFinite(since) && Math.floor(modified.getTime() / 1000) * 1000 <= since;
}

function headersFor(object: ObjectRow, serving: Serving): Headers {
  const meta = object.metadata ?? {};
  const mimetype = bareType(meta.mimetype ?? "application/octet-stream");
  const cache = meta.cacheControl ?? "no-cache";
  const headers = new Headers({
    "accept-ranges": "bytes",
    // Hosted Supabase never lets a stored page be a page.
    "content-type": mimetype === "text/html" ? "text/plain" : (meta.mimetype ?? mimetype),
    "cache-control": serving.isPrivate ? `private, ${cache}` : cache,
    "last-modified": object.updated_at.toUTCString(),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "x-robots-tag": "none",
  });
  if (meta.eTag !== undefined) headers.set("etag", meta.eTag);
  if (serving.expires !== undefined) {
    headers.set("expires", new Date(serving.expires * 1000).toUTCString());
    headers.set("cache-control", "private, no-cache");
  }
  const attachment = disposition(mimetype, serving);
  if (attachment !== undefined) headers.set("content-disposition", attachment);
  return headers;
}

/**
 * Answers a GET or HEAD with the object's bytes, a part of them, or that nothing changed.
 * @throws {StorageFault} NoSuchKey when the bytes are gone.
 */
export async function serveObject(
  parts: StorageParts,
  request: Request,
  object: ObjectRow,
  serving: Serving,
): Promise<Response> {
  const size = object.metadata?.size ?? 0;
  const headers = headersFor(object, serving);
  const etag = headers.get("etag") ?? "";
  if (isUnchanged(request, etag, object.updated_at)) {
    return new Response(null, { status: 304, headers });
  }
  const condition = request.headers.get("if-range");
  const range =
    condition === null || condition === etag
      ? parseRange(request.headers.get("range"), size)
      : undefined;
  if (range === null) {
    const refusal = new StorageFault(
      416,
      "InvalidRange",
      "invalid range provided",
      "invalid_range",
    );
    return Response.json(refusal.body, {
      status: 416,
      headers: { "content-range": `bytes */${size}` },
    });
  }
  headers.set("content-length", String(range ? range.end - range.start + 1 : size));
  if (range) headers.set("content-range", `bytes ${range.start}-${range.end}/${size}`);
  const status = range ? 206 : 200;
  if (request.method === "HEAD") return new Response(null, { status, headers });
  const bytes =
    object.version === null
      ? undefined
      : await parts.blobs.open(object.version, range ?? undefined);
  if (bytes === undefined) throw fault.noSuchKey();
  return new Response(Readable.toWeb(bytes) as ReadableStream, { status, headers });
}

/** What `info()` of the clients reads. */
export function describeObject(object: ObjectRow): Record<string, unknown> {
  const meta = object.metadata ?? {};
  return {
    id: object.id,
    name: object.name,
    version: object.version,
    bucket_id: object.bucket_id,
    size: meta.size ?? null,
    content_type: meta.mimetype ?? null,
    cache_control: meta.cacheControl ?? null,
    etag: meta.eTag ?? null,
    metadata: object.user_metadata,
    last_modified: object.updated_at,
    created_at: object.created_at,
  };
}
