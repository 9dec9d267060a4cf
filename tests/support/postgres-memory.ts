import { readFile } from "node:fs/promises";
import type pg from "pg";

const sampleEveryMs = 20;

/** Private memory in bytes of each Postgres backend that serves clients; 0 where the system does not report it. */
export async function callerMemory(owner: pg.Pool): Promise<number[]> {
  const { rows } = await owner.query<{ pid: number }>(
    "select pid from pg_stat_activity where usename = 'authenticator'",
  );
  return await Promise.all(
    rows.map(async ({ pid }) => {
      const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
      return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
    }),
  );
}

async function allCallerMemory(owner: pg.Pool): Promise<number> {
  return (await callerMemory(owner)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Peak private memory in bytes of all these backends together while `work` ran. */
export async function peakCallerMemory(
  owner: pg.Pool,
  work: () => Promise<unknown>,
): Promise<number> {
  let peak = 0;
  let sampling: Promise<void> | undefined;
  const timer = setInterval(() => {
    sampling ??= allCallerMemory(owner).then((bytes) => {
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
  return Math.max(peak, await allCallerMemory(owner));
}
