import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";

const run = promisify(execFile);
const connectionCount = 10;
const roundMs = 3000;
const roundCount = 3;
const loadScript = fileURLToPath(new URL("load.ts", import.meta.url));
/** Share of the bare driver's throughput that a read through the whole host must keep. */
export const minRatio = 0.2;

/** The result of one benchmark. */
export interface Finding {
  title: string;
  figures: string;
  /** False when the figure misses its limit. */
  holds: boolean;
}

/** Requests a second of the bare driver with the same SQL, on as many connections. */
async function rawReads(url: string): Promise<number> {
  const pool = new pg.Pool({ connectionString: url, max: connectionCount });
  const startedAt = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      while (performance.now() < startedAt + roundMs) {
        await pool.query({ name: "read", text: "select * from public.bench_rooms order by id" });
        answered += 1;
      }
    }),
  );
  const perSecond = (answered / (performance.now() - startedAt)) * 1000;
  await pool.end();
  return perSecond;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** A list of 19 rows under row-level security, over HTTP against the bare driver in the same run. */
export async function benchRestRead(): Promise<Finding> {
  const { running, stop } = await startFixtureHost();
  try {
    const owner = new pg.Client({ connectionString: running.databaseUrl });
    await owner.connect();
    await owner.query(`create table public.bench_rooms as
        select g as id, gen_random_uuid() as uid, 'Room ' || g as name, now() as created_at, true as is_active
          from generate_series(1, 19) g;
      grant select on public.bench_rooms to anon;
      alter table public.bench_rooms enable row level security;
      create policy select_active on public.bench_rooms for select to anon using (is_active)`);
    await owner.end();
    const url = `${running.url}/rest/v1/bench_rooms?select=*&order=id`;
    const args = [loadScript, url, running.anonKey, String(connectionCount)];
    await run(process.execPath, [...args, "1000"]);
    const raw: number[] = [];
    const rest: number[] = [];
    for (let round = 0; round < roundCount; round += 1) {
      raw.push(await rawReads(running.databaseUrl));
      rest.push(Number((await run(process.execPath, [...args, String(roundMs)])).stdout));
    }
    const ratio = median(rest) / median(raw);
    return {
      title: "list of 19 rows over REST",
      figures: `${median(rest).toFixed(0)} requests/s, bare driver ${median(raw).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (limit ${minRatio})`,
      holds: ratio >= minRatio,
    };
  } finally {
    await stop();
  }
}
