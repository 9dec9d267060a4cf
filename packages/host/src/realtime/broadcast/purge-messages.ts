import type { HostContext } from "../../context.ts";

const purgeSql = `delete from realtime.messages where inserted_at < (now() at time zone 'utc') - interval '3 days'`;

/** Deletes broadcasts too old for a replay, now and at every interval. */
export function purgeMessages(context: HostContext, everyMs: number): { stop: () => void } {
  const purge = () => {
    context.db.background.query(purgeSql).catch((error: unknown) => {
      context.log.warn({ err: error }, "old broadcasts could not be deleted");
    });
  };
  const timer = setInterval(purge, everyMs);
  timer.unref();
  purge();
  return { stop: () => clearInterval(timer) };
}
