// Ends readers of the log that keep too much of it, and says how much they keep.

import type { HostContext } from "../../context.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import { slotPrefix } from "./replication-slot.ts";

const readersSql = `select slot_name as name, active_pid as pid,
    pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn)::float8 as bytes
    from pg_replication_slots
   where database = current_database() and temporary and starts_with(slot_name, $1)
     and active_pid is not null and confirmed_flush_lsn is not null`;
/** Asked again, because a process of the same number may be another one by now. */
const endSql = `select pg_terminate_backend(active_pid) from pg_replication_slots
   where database = current_database() and slot_name = $1 and active_pid = $2`;

/** A watch over the readers of the log. */
export interface SlotGuard {
  /** Most of the log that a reader of any host had not confirmed at the last look, in bytes. */
  readonly unconfirmedBytes: () => number;
  readonly stop: () => void;
}

/**
 * Ends readers of the log, of this host or another, that have left too much of it unconfirmed: one that is paused, slow or
 * frozen must not fill the disk of Postgres. Its slot goes with its connection, and its subscribers join again.
 */
export function guardSlots(
  { db, log }: Pick<HostContext, "db" | "log">,
  { slotGuardEveryMs, unconfirmedLogBytes }: RealtimeLimits,
): SlotGuard {
  let most = 0;
  const told = new Set<string>();
  const guard = async () => {
    const { rows } = await db.background.query<{ name: string; pid: number; bytes: number }>(
      readersSql,
      [slotPrefix],
    );
    most = Math.max(0, ...rows.map(({ bytes }) => bytes));
    for (const { name, pid, bytes } of rows) {
      if (bytes <= unconfirmedLogBytes) continue;
      await db.background.query(endSql, [name, pid]);
      // A reader whose process is stopped ends only when it goes on.
      if (told.has(name)) continue;
      told.add(name);
      log.warn({ slot: name }, "a reader of the log kept too much of it and was ended");
    }
    for (const name of told) if (!rows.some((row) => row.name === name)) told.delete(name);
  };
  const timer = setInterval(() => {
    guard().catch((error: unknown) =>
      log.debug({ err: error }, "the readers of the log could not be checked"),
    );
  }, slotGuardEveryMs);
  timer.unref();
  return { unconfirmedBytes: () => most, stop: () => clearInterval(timer) };
}
