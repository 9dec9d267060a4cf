import { Readable } from "node:stream";
import { isUnchanged, rangeOf } from "../conditional-requests.ts";
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
  const range = rangeOf(request, etag, size);
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
