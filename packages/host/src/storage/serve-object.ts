// Answers downloads of an object: ranges, conditional requests, and headers that keep browsers from running it.

import { Readable } from "node:stream";
import { isUnchanged, rangeOf } from "../conditional-requests.ts";
import { storageErrors, StorageError } from "./storage-errors.ts";
import { normaliseType } from "./bucket-limits.ts";
import type { ObjectRow } from "./object-rows.ts";
import type { StorageServices } from "./storage-services.ts";

/** Types a browser would execute or render as a page; they are sent as attachments. */
const activeContentTypes =
  /^(?:text\/(?:html|xml|javascript|xsl)|application\/(?:xml|xhtml\+xml|javascript|x-javascript|ecmascript)|image\/svg\+xml|multipart\/|.+\+xml)/;

/** A private file of at least this many bytes may come from the bucket itself; for a smaller one a second request costs more. */
const linkedFromBytes = 1024 * 1024;
/** A year: bytes of one version never change. */
const pinnedCache = "public, max-age=31536000, immutable";

/** How one download is served. */
export interface DownloadOptions {
  /** Value of the `download` query parameter: a file name, or empty for the object's own. */
  download: string | undefined;
  /** True when shared caches must not keep the response. */
  isPrivate: boolean;
  /** Expiry of the signed URL that was used, in epoch seconds. */
  expires?: number;
}

function disposition(mimetype: string, options: DownloadOptions): string | undefined {
  if (options.download === undefined)
    return activeContentTypes.test(mimetype) ? "attachment" : undefined;
  if (options.download === "") return "attachment";
  const name = encodeURIComponent(options.download);
  return `attachment; filename="${name}"; filename*=UTF-8''${name}`;
}

/** Headers of a response that carries the object. */
export function downloadHeaders(object: ObjectRow, options: DownloadOptions): Headers {
  const meta = object.metadata ?? {};
  const mimetype = normaliseType(meta.mimetype ?? "application/octet-stream");
  const cache = meta.cacheControl ?? "no-cache";
  const headers = new Headers({
    "accept-ranges": "bytes",
    // Like hosted Supabase, HTML is served as plain text.
    "content-type": mimetype === "text/html" ? "text/plain" : (meta.mimetype ?? mimetype),
    "cache-control": options.isPrivate ? `private, ${cache}` : cache,
    "last-modified": object.updated_at.toUTCString(),
    "x-content-type-options": "nosniff",
    "content-security-policy": "sandbox; default-src 'none'",
    "cross-origin-resource-policy": "cross-origin",
    "x-robots-tag": "none",
  });
  if (meta.eTag !== undefined) headers.set("etag", meta.eTag);
  if (options.expires !== undefined) {
    headers.set("expires", new Date(options.expires * 1000).toUTCString());
    headers.set("cache-control", "private, no-cache");
  }
  const attachment = disposition(mimetype, options);
  if (attachment !== undefined) headers.set("content-disposition", attachment);
  return headers;
}

/** Where the bucket itself gives the bytes of a large private file, with the type and disposition this host would give; else undefined. */
async function linkOf(
  { blobs }: StorageServices,
  request: Request,
  { version, metadata }: ObjectRow,
  { headers, options }: { headers: Headers; options: DownloadOptions },
): Promise<string | undefined> {
  const isLarge = (metadata?.size ?? 0) >= linkedFromBytes;
  if (!options.isPrivate || !isLarge || request.method !== "GET" || version === null)
    return undefined;
  return await blobs.linkTo?.(version, headers);
}

/**
 * Answers a GET or HEAD with the object (200), a range of it (206), 304, or the way to the bucket (302).
 * @throws {StorageError} NoSuchKey when the bytes are missing.
 */
export async function serveObject(
  services: StorageServices,
  request: Request,
  object: ObjectRow,
  options: DownloadOptions,
): Promise<Response> {
  const size = object.metadata?.size ?? 0;
  const headers = downloadHeaders(object, options);
  const pinned = new URL(request.url).searchParams.get("version");
  if (!options.isPrivate && pinned !== null && pinned === object.version)
    headers.set("cache-control", pinnedCache);
  const etag = headers.get("etag") ?? "";
  if (isUnchanged(request, etag, object.updated_at)) {
    return new Response(null, { status: 304, headers });
  }
  const link = await linkOf(services, request, object, { headers, options });
  if (link !== undefined) {
    return new Response(null, {
      status: 302,
      headers: {
        location: link,
        "cache-control": "private, no-store",
        "referrer-policy": "no-referrer",
      },
    });
  }
  const range = rangeOf(request, etag, size);
  if (range === null) {
    const error = new StorageError(416, "InvalidRange", "invalid range provided", "invalid_range");
    return Response.json(error.body, {
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
      : await services.blobs.open(object.version, range ?? undefined);
  if (bytes === undefined) throw storageErrors.noSuchKey();
  return new Response(Readable.toWeb(bytes) as ReadableStream, { status, headers });
}

/** Response of `info()`. */
export function objectInfo(object: ObjectRow): Record<string, unknown> {
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
