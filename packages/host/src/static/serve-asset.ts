// HTTP semantics of static files: encodings, ranges and conditional requests.

import { isUnchanged, rangeOf } from "../conditional-requests.ts";
import { chooseEncoding, type Asset } from "./asset.ts";

/** Answers a GET or HEAD with the file (200, compressed where accepted), a range of it (206) or 304. */
export async function serveAsset(
  request: Request,
  asset: Asset,
  given: Readonly<Record<string, string>>,
): Promise<Response> {
  const isPart = request.headers.has("range");
  const encoding =
    asset.isCompressible && !isPart ? chooseEncoding(request.headers.get("accept-encoding")) : "";
  const etag = await asset.etag(encoding);
  const headers = new Headers({
    ...given,
    "content-type": asset.type,
    etag,
    "last-modified": asset.modified.toUTCString(),
    "accept-ranges": "bytes",
  });
  if (asset.isCompressible) headers.set("vary", "Accept-Encoding");
  if (isUnchanged(request, etag, asset.modified)) {
    return new Response(null, { status: 304, headers });
  }
  if (encoding !== "") headers.set("content-encoding", encoding);
  const range = rangeOf(request, etag, asset.size);
  if (range === null) {
    headers.set("content-range", `bytes */${asset.size}`);
    return new Response(null, { status: 416, headers });
  }
  if (range !== undefined) {
    headers.set("content-range", `bytes ${range.start}-${range.end}/${asset.size}`);
    headers.set("content-length", String(range.end - range.start + 1));
    const body = request.method === "HEAD" ? null : asset.stream(range);
    return new Response(body, { status: 206, headers });
  }
  const bytes = await asset.whole(encoding);
  headers.set("content-length", String(bytes?.length ?? asset.size));
  if (request.method === "HEAD") return new Response(null, { headers });
  return new Response((bytes as BodyInit | undefined) ?? asset.stream(), { headers });
}
