import type { HostContext } from "../context.ts";

const EVERY_MS = 3_600_000;
const PURGE = `delete from realtime.messages where inserted_at < (now() at time zone 'utc') - interval '3 days'`;

/** Deletes broadcasts nobody can ask to have replayed any more, now and once an hour. */
export function purgeMessages(context: HostContext): { stop: () => void } {
  const purge = () => {
    context.db.admin.query(PURGE).catch((error: unknown) => {
      context.log.warn({ err: error }, "old broadcasts could not be deleted");
    });
  };
  const timer = setInterval(purge, EVERY_MS);
  timer.unref();
  purge();
  return { stop: () => clearInterval(timer) };
}
