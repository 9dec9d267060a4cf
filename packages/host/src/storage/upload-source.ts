// Reads the options and content of an upload, from either a raw body or a multipart form.

import { storageErrors } from "./storage-errors.ts";
import { boundaryOf, readMultipart } from "./multipart.ts";
import type { RequestBody } from "./request-body.ts";

const maxMetadataLength = 1024 ** 2;
const visibleAscii = /^[\x20-\x7e]{1,255}$/;

/** An upload request's file: its options and its unread bytes. */
export interface UploadSource {
  /** Type the client claims. */
  contentType: string;
  /** Cache-Control the file will be served with. */
  cacheControl: string;
  userMetadata: Record<string, unknown>;
  /** Content-Length in bytes; undefined for a form, whose length is not the file's. */
  declaredLength: number | undefined;
  bytes: AsyncIterable<Uint8Array>;
}

export function headerValue(value: string, what: string): string {
  if (!visibleAscii.test(value)) throw storageErrors.invalidRequest(`Invalid ${what}`);
  return value;
}

export function parseMetadata(json: string | undefined): Record<string, unknown> {
  if (json === undefined) return {};
  if (json.length > maxMetadataLength) throw storageErrors.tooLarge();
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : {};
  } catch {
    return {};
  }
}

/** User metadata in the `x-metadata` header (base64 of JSON); empty when it is malformed. */
export function metadataHeader(request: Request): Record<string, unknown> {
  const header = request.headers.get("x-metadata");
  return parseMetadata(
    header === null ? undefined : Buffer.from(header, "base64").toString("utf8"),
  );
}

/** The request's Content-Length in bytes, or undefined. */
function declaredLength(request: Request): number | undefined {
  const header = request.headers.get("content-length");
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
}

/**
 * Opens the body of an upload: either the file's bytes or a form with one file.
 * @throws {StorageError} when it holds no file.
 */
export async function openUpload(request: Request, body: RequestBody): Promise<UploadSource> {
  const type = request.headers.get("content-type") ?? "application/octet-stream";
  const boundary = boundaryOf(type);
  if (boundary === undefined) {
    return {
      contentType: headerValue(type, "content type"),
      cacheControl: headerValue(
        request.headers.get("cache-control") ?? "no-cache",
        "cache control",
      ),
      userMetadata: metadataHeader(request),
      declaredLength: declaredLength(request),
      bytes: body.chunks(),
    };
  }
  const form = await readMultipart(body.chunks(), boundary);
  const seconds = form.fields.get("cacheControl");
  return {
    contentType: headerValue(form.fields.get("contentType") ?? form.contentType, "content type"),
    cacheControl: seconds ? headerValue(`max-age=${seconds}`, "cache control") : "no-cache",
    userMetadata: parseMetadata(form.fields.get("metadata") ?? form.fields.get("userMetadata")),
    declaredLength: undefined,
    bytes: form.bytes,
  };
}
