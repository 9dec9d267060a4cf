// Reads a request body (JSON, CSV, form or raw) and finds out which columns or arguments it holds.

import { readLimitedBody } from "../../http/limited-body.ts";
import { invalidBody, RestError } from "../errors.ts";
import { csvToRows } from "./csv.ts";
import { assertBodyLimit, assertJsonLimits } from "./body-limits.ts";

/** Most bytes in a request body. */
const maxBodyBytes = 1024 * 1024;

/** A parsed request body. */
export type RequestPayload =
  /** JSON text with the keys of its rows; `single` when it is one object. */
  | { kind: "json"; text: string; keys: readonly string[]; single: boolean }
  /** Form fields of a function call. */
  | { kind: "form"; fields: readonly (readonly [string, string])[] }
  /** A body that is one value: text, or bytes in hexadecimal. */
  | { kind: "raw"; type: "text" | "bytea" | "xml"; value: string };

function tooLarge(): RestError {
  return new RestError(413, "PGRST102", `The body is larger than ${maxBodyBytes} bytes`);
}

/**
 * Reads a body of at most `maxBodyBytes`.
 * @throws {RestError} 413, before the rest of the body is read
 */
export async function readBytes(request: Request): Promise<Uint8Array> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (bytes === undefined) throw tooLarge();
  return bytes;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw invalidBody("The body is not valid UTF-8");
  }
}

function isRow(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(text: string): unknown {
  assertJsonLimits(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw invalidBody("Empty or invalid json");
  }
}

function uniformKeys(rows: readonly unknown[]): string[] {
  const [first] = rows;
  if (first === undefined) return [];
  if (!isRow(first)) throw invalidBody("All object keys must match");
  const keys = Object.keys(first);
  const known = new Set(keys);
  for (const row of rows) {
    const names = isRow(row) ? Object.keys(row) : undefined;
    if (names?.length !== keys.length || !names.every((name) => known.has(name))) {
      throw invalidBody("All object keys must match");
    }
  }
  return keys;
}

function jsonPayload(text: string, columns: readonly string[] | undefined): RequestPayload {
  const value = parseJson(text);
  // With the `columns` parameter rows may have different keys; a missing key means the default or null.
  if (isRow(value)) {
    return { kind: "json", text, keys: columns ?? Object.keys(value), single: true };
  }
  if (!Array.isArray(value)) return { kind: "json", text: "[]", keys: [], single: false };
  assertBodyLimit(value.length, "rows");
  if (columns === undefined) {
    return { kind: "json", text, keys: uniformKeys(value), single: false };
  }
  if (!value.every(isRow)) throw invalidBody("All rows must be objects");
  return { kind: "json", text, keys: columns, single: false };
}

/**
 * Parses a body by its Content-Type.
 * @param forFunction true for a function call: the body may then be empty, a form or one raw value.
 * @throws {RestError} PGRST102
 */
export function parsePayload(
  bytes: Uint8Array,
  contentType: string | null,
  columns: readonly string[] | undefined,
  forFunction: boolean,
): RequestPayload {
  const type = (contentType ?? "application/json").split(";")[0]?.trim().toLowerCase();
  if (type === "application/octet-stream" && forFunction) {
    return { kind: "raw", type: "bytea", value: `\\x${Buffer.from(bytes).toString("hex")}` };
  }
  const text = decode(bytes);
  switch (type) {
    case "application/json":
    case "application/vnd.pgrst.object+json":
    case "application/vnd.pgrst.array+json":
      if (text === "" && forFunction) return { kind: "json", text: "{}", keys: [], single: true };
      return forFunction ? callPayload(text, columns) : jsonPayload(text, columns);
    case "text/csv": {
      const rows = csvToRows(text);
      return jsonPayload(JSON.stringify(rows), columns);
    }
    case "application/x-www-form-urlencoded": {
      const fields = [...new URLSearchParams(text)];
      assertBodyLimit(fields.length, "fields");
      return forFunction
        ? { kind: "form", fields }
        : jsonPayload(JSON.stringify(Object.fromEntries(fields)), columns);
    }
    case "text/plain":
      if (forFunction) return { kind: "raw", type: "text", value: text };
      break;
    case "text/xml":
      if (forFunction) return { kind: "raw", type: "xml", value: text };
      break;
    case undefined:
    default:
  }
  throw invalidBody(`Content-Type not acceptable: ${type ?? ""}`);
}

/** The body of a function call: an object of arguments, or any JSON for a function with one unnamed parameter. */
function callPayload(text: string, columns: readonly string[] | undefined): RequestPayload {
  const value = parseJson(text);
  if (isRow(value)) {
    return { kind: "json", text, keys: columns ?? Object.keys(value), single: true };
  }
  const rows = Array.isArray(value) && value.every(isRow);
  return { kind: "json", text, keys: columns ?? (rows ? uniformKeys(value) : []), single: false };
}
