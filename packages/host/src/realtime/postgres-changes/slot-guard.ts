import type { HostContext } from "../../context.ts";
import type { RealtimeLimits } from "../limits/realtime-limits.ts";
import { slotPrefix } from "./replication-slot.ts";

const endSql = `select slot_name as name, pg_terminate_backend(active_pid)
    from pg_replication_slots
   where database = current_database() and temporary and starts_with(slot_name, $1) and active_pid is not null
     and pg_wal_lsn_diff(pg_current_wal_lsn(), confirmed_flush_lsn) > $2`;

/**
 * Ends readers of the log, of this host or another, that have left too much of it unconfirmed: one that is paused, slow or
 * frozen must not fill the disk of Postgres. Its slot goes with its connection, and its subscribers join again.
 */
export function guardSlots(
  { db, log }: Pick<HostContext, "db" | "log">,
  { slotGuardEveryMs, unconfirmedLogBytes }: RealtimeLimits,
): { stop: () => void } {
  const guard = async () => {
    const { rows } = await db.background.query<{ name: string }>(endSql, [
      slotPrefix,
      unconfirmedLogBytes,
    ]);
    for (const { name } of rows) {
      log.warn({ slot: name }, "a reader of the log kept too much of it and was ended");
    }
  };
  const timer = setInterval(() => {
    guard().catch((error: unknown) =>
      log.debug({ err: error }, "the readers of the log could not be checked"),
    );
  }, slotGuardEveryMs);
  timer.unref();
  return { stop: () => clearInterval(timer) };
}
