import type { Readable } from "node:stream";
import type { ByteRange } from "../conditional-requests.ts";
import { isUuid } from "../uuid.ts";

/**
 * Keeps bytes by version. A version is a random UUID made by the host, so names chosen by users never reach a store.
 * Bytes never change once put and are always complete.
 */
export interface BlobStore {
  /** Moves the staged file at `path` into the store. Durable once this resolves. */
  put: (version: string, path: string) => Promise<void>;
  /** A stream of the bytes, or undefined when there are none. */
  open: (version: string, range?: ByteRange) => Promise<Readable | undefined>;
  /** An address of the bytes for a minute, answered with these headers; undefined for a store that gives none. */
  linkTo?: ((version: string, headers: Headers) => Promise<string>) | undefined;
  copy: (from: string, to: string) => Promise<void>;
  /** Missing versions are ignored. */
  remove: (versions: readonly string[]) => Promise<void>;
  /** Versions put before `before` (epoch milliseconds), in batches. */
  list: (before: number) => AsyncIterable<string[]>;
  /** The id that a database gave this store, see `file-store-owner.ts`; undefined for a new one. */
  readMarker: () => Promise<string | undefined>;
  writeMarker: (id: string) => Promise<void>;
  close: () => void;
}

/** True for a version as the host makes them. Rows written by hand may hold other values. */
export function isVersion(value: unknown): value is string {
  return isUuid(value) && value === value.toLowerCase();
}
