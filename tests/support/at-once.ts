import { expect } from "vitest";
import { ownerPool } from "./clients.ts";

/** Calls that wait for the lock the session has taken. */
const waiting = `select count(*)::integer as count from pg_locks w join pg_locks h
  on (h.classid, h.objid) = (w.classid, w.objid)
  where w.locktype = 'advisory' and h.locktype = 'advisory' and not w.granted and h.granted and h.pid = pg_backend_pid()`;

/**
 * Makes billing calls of a member at once: none of them gets on before all wait for their turn, however the machine schedules them.
 * @returns their answers in the order of the calls
 */
export async function atOnce<T>(
  member: string,
  calls: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const pool = ownerPool();
  const owner = await pool.connect();
  try {
    await owner.query("begin");
    await owner.query("select private.lock_billing($1)", [member]);
    const answers = Promise.all(calls.map(async (call) => await call()));
    const count = async () => (await owner.query<{ count: number }>(waiting)).rows[0]?.count;
    await expect.poll(count).toBe(calls.length);
    await owner.query("commit");
    return await answers;
  } finally {
    owner.release();
    await pool.end();
  }
}
