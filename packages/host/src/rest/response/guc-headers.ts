// Lets SQL functions set response headers and status by `response.headers` and `response.status`, as in PostgREST.

import { RestError } from "../errors.ts";
import { resultColumns } from "../sql/statements.ts";

/** Headers with one value; of the others a function may set several, such as `Set-Cookie`. */
const singleHeaders = new Set(["content-type", "content-length", "location"]);

/**
 * Applies the headers that functions set with `response.headers`; they override the host's own.
 * @returns the status set with `response.status`, or undefined
 * @throws {RestError} PGRST111, PGRST112
 */
export function applyGucHeaders(
  row: readonly (string | null)[],
  headers: Headers,
): number | undefined {
  const gucHeaders = row[resultColumns.gucHeaders] ?? "";
  if (gucHeaders !== "") {
    try {
      const seen = new Set<string>();
      for (const entry of JSON.parse(gucHeaders) as Record<string, string>[]) {
        const pairs = Object.entries(entry);
        if (pairs.length !== 1) throw new TypeError("one header an object");
        for (const [name, value] of pairs) {
          const key = name.toLowerCase();
          if (seen.has(key) && !singleHeaders.has(key)) headers.append(name, value);
          else headers.set(name, value);
          seen.add(key);
        }
      }
    } catch {
      throw new RestError(
        500,
        "PGRST111",
        "response.headers guc must be a JSON array composed of objects with a single key and a string value",
      );
    }
  }
  const gucStatus = row[resultColumns.gucStatus] ?? "";
  if (gucStatus === "") return undefined;
  if (!/^[2-5]\d\d$/.test(gucStatus)) {
    throw new RestError(500, "PGRST112", "response.status guc must be a valid status code");
  }
  return Number(gucStatus);
}
