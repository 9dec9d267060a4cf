// Evaluates Range and conditional request headers, for stored files and the web app alike.

import fresh from "fresh";

/** A byte range from `start` to `end`, both inclusive and counted from 0. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * The range of `size` bytes a Range header asks for; undefined without a usable one, null for one that cannot be met.
 * Several ranges in one header get the whole content, which RFC 9110 allows.
 */
function parseRange(header: string | null, size: number): ByteRange | undefined | null {
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

/** The range to send; undefined for the whole content, also when If-Range names another entity tag. */
export function rangeOf(
  request: Request,
  etag: string,
  size: number,
): ByteRange | undefined | null {
  const condition = request.headers.get("if-range");
  if (condition !== null && condition !== etag) return undefined;
  return parseRange(request.headers.get("range"), size);
}

/**
 * True when the client's copy is current (If-None-Match, else If-Modified-Since). `Cache-Control: no-cache` in the
 * request asks caches to validate, which a 304 does, so it is not looked at.
 */
export function isUnchanged(request: Request, etag: string, modified: Date): boolean {
  const { headers } = request;
  const conditions = {
    "if-none-match": headers.get("if-none-match") ?? undefined,
    "if-modified-since": headers.get("if-modified-since") ?? undefined,
  };
  return fresh(conditions, { etag, "last-modified": modified.toUTCString() });
}
