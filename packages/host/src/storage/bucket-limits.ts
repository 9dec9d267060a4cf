// Parses and applies what a bucket accepts: file size and MIME types.

import { storageErrors } from "./storage-errors.ts";

const defaultFileSizeBytes = 50 * 1024 ** 2;
const binaryUnits = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 } as const;
const decimalUnits = { b: 1, kb: 1e3, mb: 1e6, gb: 1e9 } as const;
const mimePattern = /^[a-zA-Z0-9\-+.]+\/(?:[a-zA-Z0-9\-+.]+(?:;\s*charset=[a-zA-Z0-9-]+)?|\*)$/;

/** Bytes of a size as config.toml writes it (`50MiB`, `50MB`: both binary, as the CLI reads them). */
export function parseConfigSize(value: unknown): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  const match = /^(\d+(?:\.\d+)?)\s*([bkmg])?i?b?$/i.exec(typeof value === "string" ? value : "");
  if (!match?.[1]) return defaultFileSizeBytes;
  const unit = (match[2] ?? "b").toLowerCase() as keyof typeof binaryUnits;
  return Math.floor(Number(match[1]) * binaryUnits[unit]);
}

/**
 * Bytes of a size as the bucket API takes it: a number, or `20MB` with decimal units.
 * @throws {StorageError} for anything else.
 */
export function parseBucketSize(value: number | string): number {
  if (typeof value === "number") return Math.floor(value);
  const match = /^(\d+(?:\.\d+)?)(gb|mb|kb|b)$/i.exec(value);
  if (!match?.[1] || !match[2]) {
    throw storageErrors.invalidRequest(
      "Invalid file size format, hint: use 20GB / 20MB / 30KB / 3B",
    );
  }
  return Math.floor(
    Number(match[1]) * decimalUnits[match[2].toLowerCase() as keyof typeof decimalUnits],
  );
}

/** @throws {StorageError} when an entry is neither a type nor a pattern such as `image/*`. */
export function assertMimePatterns(patterns: readonly string[]): void {
  for (const pattern of patterns) {
    if (pattern.length > 200 || !(pattern === "*" || mimePattern.test(pattern))) {
      throw storageErrors.invalidMimeType(pattern);
    }
  }
}

/** The type without its parameters, in lower case; `image/jpg` becomes `image/jpeg`. */
export function normaliseType(type: string): string {
  const bare = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  return bare === "image/jpg" || bare === "image/pjpeg" ? "image/jpeg" : bare;
}

/** True when a bucket with these patterns accepts files of this type. Without patterns every type is accepted. */
export function allowsType(patterns: readonly string[] | null, type: string): boolean {
  if (patterns === null || patterns.length === 0) return true;
  const wanted = normaliseType(type);
  return patterns.some((pattern) => {
    const allowed = normaliseType(pattern);
    if (allowed === "*" || allowed === "*/*") return true;
    if (allowed.endsWith("/*")) return wanted.startsWith(allowed.slice(0, -1));
    return allowed === wanted;
  });
}
