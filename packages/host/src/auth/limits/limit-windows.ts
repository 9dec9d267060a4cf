import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";

/** One fixed window: at most `allowed` within `seconds`. */
export interface LimitWindow {
  key: Buffer;
  allowed: number;
  seconds: number;
}

/** The first window without room, and the seconds until it ends. */
export interface Full {
  place: number;
  waitSeconds: number;
}

/** What a limit counts, as Postgres keeps it: 128 bits only this install can compute. */
export function limitKey(keys: Keys, ...parts: readonly string[]): Buffer {
  return Buffer.from(keys.derive("limit", JSON.stringify(parts)), "base64url").subarray(0, 16);
}

/**
 * Counts one more in every window, or nothing when one of them is full: one statement, atomic across hosts.
 * @returns the full window, undefined when there was room in all.
 */
export async function takeLimits(
  db: Queryable,
  windows: readonly LimitWindow[],
): Promise<Full | undefined> {
  const { rows } = await db.query<{ refused: number; wait_seconds: number }>(
    "select refused, wait_seconds from host.take_limits($1, $2, $3)",
    [
      windows.map(({ key }) => key),
      windows.map(({ allowed }) => allowed),
      windows.map(({ seconds }) => seconds),
    ],
  );
  const { refused = 0, wait_seconds: waitSeconds = 0 } = rows[0] ?? {};
  return refused === 0 ? undefined : { place: refused - 1, waitSeconds };
}
