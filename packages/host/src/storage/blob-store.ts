import type { Readable } from "node:stream";
import type { ByteRange } from "../conditional-requests.ts";

/**
 * Keeps bytes by version. A version is a random UUID the host made: no name a user chose ever reaches a store.
 * Bytes never change once put; whatever is there is whole.
 */
export interface BlobStore {
  /** Takes over the staged file at `path`; afterwards the version can be opened, also after a power cut. */
  put: (version: string, path: string) => Promise<void>;
  /** A stream of the bytes, or undefined when there are none. */
  open: (version: string, range?: ByteRange) => Promise<Readable | undefined>;
  copy: (from: string, to: string) => Promise<void>;
  /** Versions that are not there are passed over. */
  remove: (versions: readonly string[]) => Promise<void>;
  /** Versions put before `before` (epoch milliseconds), some at a time. */
  list: (before: number) => AsyncIterable<string[]>;
}

const VERSION = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** True for what the host makes as a version; a row written by hand may hold anything. */
export function isVersion(value: unknown): value is string {
  return typeof value === "string" && VERSION.test(value);
}
