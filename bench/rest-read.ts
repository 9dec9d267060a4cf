import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import pg from "pg";
import { startEmbeddedPostgres } from "basehost/database";
import { startHosts } from "./hosts.ts";
import { postmasterOf, secondsOf } from "./processor-time.ts";

const run = promisify(execFile);
const connectionCount = 10;
const roundMs = 3000;
const roundCount = 3;
const loadScript = fileURLToPath(new URL("load.ts", import.meta.url));
/** Share of the bare driver's throughput with the same transaction that a read through the whole host must keep. */
const minRatio = 0.5;
/** What it should keep on a quiet machine: two fifths of the host's time go into writing to sockets, the rest into many small parts. */
const aim = 0.7;

/** The result of one benchmark. */
export interface Finding {
  title: string;
  figures: string;
  /** False when the figure misses its limit. */
  holds: boolean;
}

/** Nineteen rows that visitors may read under row-level security. */
export const benchRoomsSql = `
  create table public.bench_rooms as
    select g as id, gen_random_uuid() as uid, 'Room ' || g as name, now() as created_at, true as is_active
      from generate_series(1, 19) g;
  grant select on public.bench_rooms to anon;
  alter table public.bench_rooms enable row level security;
  create policy select_active on public.bench_rooms for select to anon using (is_active)`;

const listSql =
  "select coalesce(json_agg(r), '[]')::text from (select * from public.bench_rooms order by id) r";
const claims = JSON.stringify({ role: "anon", iss: "supabase" });

/** What each request of a bare driver runs: a transaction as the visitor's role with its claims, or the list alone. */
const drivers = {
  asVisitor: async (client: pg.PoolClient) => {
    await client.query("begin");
    await client.query({
      name: "settings",
      text: "select set_config('role', 'anon', true), set_config('request.jwt.claims', $1, true)",
      values: [claims],
    });
    await client.query({ name: "list", text: listSql });
    await client.query("commit");
  },
  alone: async (client: pg.PoolClient) => {
    await client.query({ name: "list", text: listSql });
  },
};

/** Requests a second of the bare driver, on as many connections as the host is asked on. */
async function driverReads(url: string, read: (client: pg.PoolClient) => Promise<void>) {
  const pool = new pg.Pool({ connectionString: url, max: connectionCount });
  const startedAt = performance.now();
  let answered = 0;
  await Promise.all(
    Array.from({ length: connectionCount }, async () => {
      const client = await pool.connect();
      while (performance.now() < startedAt + roundMs) {
        await read(client);
        answered += 1;
      }
      client.release();
    }),
  );
  const perSecond = (answered / (performance.now() - startedAt)) * 1000;
  await pool.end();
  return perSecond;
}

/** Requests a second that hosts answer together. */
export async function restReads(
  urls: readonly string[],
  key: string,
  ms = roundMs,
  connections = connectionCount,
) {
  const lists = urls.map((url) => `${url}/rest/v1/bench_rooms?select=*&order=id`).join(",");
  const args = [loadScript, lists, key, String(connections), String(ms)];
  return Number((await run(process.execPath, args)).stdout);
}

export const median = (values: number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/**
 * A list of 19 rows under row-level security: over HTTP, and by the bare driver in a transaction with the same role and
 * claims, in the same run; with the processor time of host and PostgreSQL apart.
 */
export async function benchRestRead(): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "bench-rest-"));
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const postmaster = await postmasterOf(owner);
  const hosts = await startHosts(1, postgres.url, folder);
  try {
    await owner.query(benchRoomsSql);
    await restReads(hosts.urls, hosts.anonKey, 1000);
    const found = { rest: [] as number[], asVisitor: [] as number[], alone: [] as number[] };
    const used = { requests: 0, host: 0, postgres: 0 };
    for (let round = 0; round < roundCount; round += 1) {
      found.asVisitor.push(await driverReads(postgres.url, drivers.asVisitor));
      found.alone.push(await driverReads(postgres.url, drivers.alone));
      const before = [secondsOf(hosts.pids), secondsOf([postmaster])] as const;
      const perSecond = await restReads(hosts.urls, hosts.anonKey);
      found.rest.push(perSecond);
      used.requests += (perSecond * roundMs) / 1000;
      used.host += secondsOf(hosts.pids) - before[0];
      used.postgres += secondsOf([postmaster]) - before[1];
    }
    const [rest, asVisitor, alone] = [
      median(found.rest),
      median(found.asVisitor),
      median(found.alone),
    ];
    const ratio = rest / asVisitor;
    const each = (seconds: number) => `${((seconds * 1000) / used.requests).toFixed(2)} ms`;
    return {
      title: "list of 19 rows over REST",
      figures: [
        `${rest.toFixed(0)} requests/s, bare driver with role and claims ${asVisitor.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (limit ${minRatio}, aim ${aim})`,
        `without them ${alone.toFixed(0)}/s, ratio ${(rest / alone).toFixed(2)}`,
        `processor time of a request: host ${each(used.host)}, PostgreSQL ${each(used.postgres)}`,
      ].join("; "),
      holds: ratio >= minRatio,
    };
  } finally {
    await owner.end();
    await hosts.stop();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
