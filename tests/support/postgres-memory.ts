import { readFile } from "node:fs/promises";
import type pg from "pg";

const sampleEveryMs = 20;

/** Bytes that the given processes hold for themselves; 0 where the system does not say. */
async function privateBytes(pids: readonly number[]): Promise<number> {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Bytes that the connections of callers hold in Postgres, beside what all share. */
export async function callerMemory(owner: pg.Pool): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where usename = 'authenticator'",
  );
  return await privateBytes(rows.map(({ pid }) => pid));
}

/** The most bytes that the connections of callers held while `work` ran. */
export async function peakCallerMemory(
  owner: pg.Pool,
  work: () => Promise<unknown>,
): Promise<number> {
  let peak = 0;
  let sampling: Promise<void> | undefined;
  const timer = setInterval(() => {
    sampling ??= callerMemory(owner).then((bytes) => {
      peak = Math.max(peak, bytes);
      sampling = undefined;
    });
  }, sampleEveryMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
    await sampling;
  }
  return Math.max(peak, await callerMemory(owner));
}
