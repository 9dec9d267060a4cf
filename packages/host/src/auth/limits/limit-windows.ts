// Fixed-window counters in Postgres (`host.take_limits`), shared by all hosts of one database.

import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";

/** A fixed window: at most `allowed` uses within `seconds`. */
export interface LimitWindow {
  key: Buffer;
  allowed: number;
  seconds: number;
}

/** The first exhausted window, and the seconds until it ends. */
export interface ExhaustedWindow {
  /** Index of the window in the list. */
  index: number;
  waitSeconds: number;
}

/** Key of a limit in Postgres: 128 bits derived from the install secret. */
export function limitKey(keys: Keys, ...parts: readonly string[]): Buffer {
  return Buffer.from(keys.derive("limit", JSON.stringify(parts)), "base64url").subarray(0, 16);
}

/**
 * Counts one use in every window, or in none when one of them is exhausted: one statement, atomic across hosts.
 * @returns the exhausted window, or undefined when the use was counted.
 */
export async function takeLimits(
  db: Queryable,
  windows: readonly LimitWindow[],
): Promise<ExhaustedWindow | undefined> {
  const { rows } = await db.query<{ refused: number; wait_seconds: number }>(
    "select refused, wait_seconds from host.take_limits($1, $2, $3)",
    [
      windows.map(({ key }) => key),
      windows.map(({ allowed }) => allowed),
      windows.map(({ seconds }) => seconds),
    ],
  );
  const { refused = 0, wait_seconds: waitSeconds = 0 } = rows[0] ?? {};
  return refused === 0 ? undefined : { index: refused - 1, waitSeconds };
}
