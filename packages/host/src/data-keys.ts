// The data key: what an install encrypts, derives and signs for itself, apart from the tokens of its API.

import { createHmac } from "node:crypto";

/** The data key of an install, and the one before it while it is being rotated. */
export interface DataKeys {
  /** Everything new is made with it. */
  current: string;
  /** What was made with it is still read. */
  previous?: string | undefined;
}

/** A keyed hash of `text` for one purpose; 43 characters. */
export function deriveWith(dataKey: string, purpose: string, text: string): string {
  const label = JSON.stringify([purpose, text]);
  return createHmac("sha256", dataKey).update(label).digest("base64url");
}

/** What was derived from the data key: the value of the current one first, then that of the previous one. */
export interface DerivedKeys {
  /** A keyed hash of `text`, the same on every host with the same data key; 43 characters. */
  derive: (purpose: string, text: string) => string;
  /** {@link derive} with every key that is accepted, the current one first. */
  deriveAll: (purpose: string, text: string) => string[];
}

/** Derives from the keys of an install. */
export function derivedKeys({ current, previous }: DataKeys): DerivedKeys {
  const accepted = previous === undefined ? [current] : [current, previous];
  return {
    derive: (purpose, text) => deriveWith(current, purpose, text),
    deriveAll: (purpose, text) => accepted.map((key) => deriveWith(key, purpose, text)),
  };
}
