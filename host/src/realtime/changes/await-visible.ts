import { setTimeout as wait } from "node:timers/promises";
import type { Queryable } from "../../postgres/database.ts";

const GIVE_UP_MS = 5_000;

/** Ids in the log have 32 bits; each stands for the 64-bit one nearest to the present. */
const VISIBLE = `select coalesce(bool_and(pg_visible_in_snapshot(
    (newest - (((newest - id + 2147483648) & 4294967295) - 2147483648))::text::xid8, snapshot)), true) as visible
  from (select s as snapshot, pg_snapshot_xmax(s)::text::bigint as newest from pg_current_snapshot() as s) as now,
       unnest($1::bigint[]) as id`;

/**
 * Waits until these transactions are visible to others. The log tells of a commit as soon as it is written,
 * a moment before the row it left can be read; asking about the row too soon would find the one before.
 * @throws when that takes seconds
 */
export async function awaitVisible(db: Queryable, transactions: Iterable<number>): Promise<void> {
  const ids = [...new Set(transactions)];
  const deadline = Date.now() + GIVE_UP_MS;
  for (;;) {
    const { rows } = await db.query<{ visible: boolean }>({
      name: "realtime-visible",
      text: VISIBLE,
      values: [ids],
    });
    if (rows[0]?.visible === true) return;
    if (Date.now() > deadline) throw new Error("A committed transaction does not become visible.");
    await wait(1);
  }
}
