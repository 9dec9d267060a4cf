import { readdirSync, readFileSync } from "node:fs";
import type pg from "pg";

const ticksPerSecond = 100;

/**
 * Seconds of processor time of each process that runs now and of its children that have ended, by its id, and of which
 * process it is a child.
 */
function processorTimes(): Map<number, { seconds: number; parent: number }> {
  const times = new Map<number, { seconds: number; parent: number }>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
      times.set(Number(name), { seconds: ticks / ticksPerSecond, parent: Number(fields[1]) });
    } catch {
      // It has ended.
    }
  }
  return times;
}

/** Seconds that processes and their children have used. */
export function secondsOf(roots: readonly number[]): number {
  const times = processorTimes();
  const isOf = (pid: number): boolean =>
    roots.includes(pid) || (times.has(pid) && isOf(times.get(pid)?.parent ?? 0));
  return [...times].reduce((sum, [pid, { seconds }]) => (isOf(pid) ? sum + seconds : sum), 0);
}

/** The process id of PostgreSQL's main process. */
export async function postmasterOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(
    "select regexp_replace(pg_read_file('postmaster.pid'), E'\\n.*', '')::int as pid",
  );
  return rows[0]?.pid ?? 0;
}
