import { spawn, type ChildProcess } from "node:child_process";
import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { startEmbeddedPostgres } from "basehost/database";
import { findRedisServer, startRedisServer } from "../tests/support/redis-server.ts";
import { shareFiles } from "../tests/support/shared-files.ts";
import { freePort, projectRoot } from "../tests/support/spawn-product.ts";
import { benchMessagesSql, FrameCounter } from "./frame-counter.ts";
import type { Finding } from "./rest-read.ts";

const hostCount = 4;
/** Members of the room on each host: the more there are, the more of the time goes into writing to their sockets. */
const membersPerHost = [10, 25] as const;
const changes = 1500;
/** Changes arrive one by one, as messages of a busy room do. */
const everyMs = 10;
/** How much less processor time PostgreSQL, which every added host burdens, must take for a delivered change. The aim is the same for all together. */
const minRatio = 2;
const ticksPerSecond = 100;
const jwtSecret = "bench-secret-of-at-least-thirty-two-characters";
const project = fileURLToPath(new URL("../tests/fixtures/other-project", import.meta.url));

function tokenOf(sub: string): string {
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const claims = { sub, exp, role: "authenticated", aud: "authenticated" };
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part(claims)}`;
  return `${text}.${createHmac("sha256", jwtSecret).update(text).digest("base64url")}`;
}

/** Seconds of processor time of each process that runs now, by its id, and of which process it is a child. */
function processorTimes(): Map<number, { seconds: number; parent: number }> {
  const times = new Map<number, { seconds: number; parent: number }>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      const seconds = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
      times.set(Number(name), { seconds, parent: Number(fields[1]) });
    } catch {
      // It has ended.
    }
  }
  return times;
}

/** Seconds that processes and their children have used. */
function secondsOf(roots: readonly number[]): number {
  const times = processorTimes();
  const isOf = (pid: number): boolean =>
    roots.includes(pid) || (times.has(pid) && isOf(times.get(pid)?.parent ?? 0));
  return [...times].reduce((sum, [pid, { seconds }]) => (isOf(pid) ? sum + seconds : sum), 0);
}

interface Hosts {
  urls: string[];
  pids: number[];
  stop: () => Promise<void>;
}

async function startHosts(databaseUrl: string, folder: string, redisUrl?: string): Promise<Hosts> {
  const children: ChildProcess[] = [];
  const urls: string[] = [];
  for (let at = 0; at < hostCount; at += 1) {
    const port = await freePort();
    const dataDir = join(folder, `host-${randomUUID()}`);
    await shareFiles(databaseUrl, dataDir);
    const child = spawn(
      process.execPath,
      [join(projectRoot, "node_modules", ".bin", "basehost"), "--project", project],
      {
        env: {
          ...process.env,
          PORT: String(port),
          DATA_DIR: dataDir,
          DATABASE_URL: databaseUrl,
          DATABASE_CONNECTIONS: "29",
          SUPABASE_JWT_SECRET: jwtSecret,
          LOG_LEVEL: "warn",
          ...(redisUrl !== undefined && { REDIS_URL: redisUrl }),
        },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    children.push(child);
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const ended = once(child, "close").then(() => {
      throw new Error("A host did not start.");
    });
    ended.catch(() => undefined);
    while (!text.includes("service role key"))
      await Promise.race([once(child.stdout, "data"), ended]);
    const [, key] = /^anon key\s+(\S+)$/m.exec(text) ?? [];
    urls.push(`http://127.0.0.1:${port}/realtime/v1/websocket?apikey=${key}&vsn=2.0.0`);
  }
  return {
    urls,
    pids: children.map(({ pid = 0 }) => pid),
    stop: async () => {
      for (const child of children) {
        child.kill("SIGTERM");
        await once(child, "close");
      }
    },
  };
}

async function joinsOf(owner: pg.Client, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID());
  await owner.query("insert into ranks (user_id, level) select unnest($1::uuid[]), 4", [ids]);
  const filter = {
    event: "INSERT",
    schema: "public",
    table: "bench_messages",
    filter: "room_id=eq.1",
  };
  return ids.map((sub) =>
    JSON.stringify([
      "1",
      "1",
      "realtime:room",
      "phx_join",
      { config: { postgres_changes: [filter] }, access_token: tokenOf(sub) },
    ]),
  );
}

async function insert(owner: pg.Client): Promise<void> {
  for (let n = 0; n < changes; n += 1) {
    await owner.query({
      name: "insert",
      text: "insert into bench_messages (room_id, author, body) values (1, $1, $2)",
      values: [randomUUID(), "A message of a usual length, as members write to each other."],
    });
    await wait(everyMs);
  }
}

/** Milliseconds of processor time for each delivered change, of hosts, PostgreSQL and Redis apart. */
interface Cost {
  hosts: number;
  postgres: number;
  redis: number;
}

const total = ({ hosts, postgres, redis }: Cost) => hosts + postgres + redis;

/**
 * Processor time of four hosts, PostgreSQL and Redis for each change that is delivered under row-level security, with one
 * decoder and with four. What writing the same rows costs without any listener is taken off.
 */
export async function benchSharedDecoder(): Promise<Finding> {
  const title = `processor time of ${hostCount} hosts for a delivered change`;
  if ((await findRedisServer()) === undefined) {
    return { title, figures: "not measured: Redis is not installed", holds: false };
  }
  const folder = await mkdtemp(join(tmpdir(), "bench-decoder-"));
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  const redis = await startRedisServer();
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const { rows } = await owner.query<{ pid: number }>(
    "select regexp_replace(pg_read_file('postmaster.pid'), E'\\n.*', '')::int as pid",
  );
  const postmaster = rows[0]?.pid ?? 0;
  /** The cost with each number of members. */
  const costsOf = async (redisUrl: string | undefined): Promise<Cost[]> => {
    const hosts = await startHosts(postgres.url, folder, redisUrl);
    const counters: { counter: FrameCounter; count: number }[] = [];
    try {
      const { rowCount } = await owner.query(
        "select from pg_class where relname = 'bench_messages'",
      );
      if (rowCount === 0) await owner.query(benchMessagesSql);
      const measure = async (work: () => Promise<void>): Promise<Cost> => {
        const read = () => ({
          hosts: secondsOf(hosts.pids),
          postgres: secondsOf([postmaster]),
          redis: secondsOf([redis.pid()]),
        });
        const before = read();
        await work();
        const after = read();
        const each = (name: keyof Cost) => ((after[name] - before[name]) * 1000) / changes;
        return { hosts: each("hosts"), postgres: each("postgres"), redis: each("redis") };
      };
      const deliver = async () => {
        let ready = 0;
        const written = Promise.withResolvers<undefined>();
        const write = async () => {
          ready += 1;
          if (ready === counters.length)
            insert(owner).then(() => written.resolve(undefined), written.reject);
          await written.promise;
        };
        await Promise.all(
          counters.map(async ({ counter, count }) => await counter.time(changes * count, write)),
        );
      };
      const alone = await measure(async () => await insert(owner));
      const costs: Cost[] = [];
      let members = 0;
      for (const wanted of membersPerHost) {
        const count = wanted - members;
        members = wanted;
        for (const url of hosts.urls) {
          const counter = new FrameCounter();
          counters.push({ counter, count });
          await counter.open(url, count, await joinsOf(owner, count), 2);
        }
        // Until the members are announced.
        await wait(4000);
        const delivered = await measure(deliver);
        const each = (name: keyof Cost) => (delivered[name] - alone[name]) / (hostCount * members);
        costs.push({ hosts: each("hosts"), postgres: each("postgres"), redis: each("redis") });
      }
      return costs;
    } finally {
      for (const { counter } of counters) counter.close();
      await hosts.stop();
    }
  };
  try {
    const four = await costsOf(undefined);
    const one = await costsOf(redis.url);
    const describe = (cost: Cost) =>
      `${(total(cost) * 1000).toFixed(0)} µs (hosts ${(cost.hosts * 1000).toFixed(0)}, PostgreSQL ${(cost.postgres * 1000).toFixed(0)}, Redis ${(cost.redis * 1000).toFixed(0)})`;
    const pairs = membersPerHost.flatMap((members, at) => {
      const [each, shared] = [four[at], one[at]];
      return each && shared
        ? [
            {
              members,
              each,
              shared,
              ratio: total(each) / total(shared),
              ofPostgres: each.postgres / shared.postgres,
            },
          ]
        : [];
    });
    const figures = pairs.map(
      ({ members, each, shared, ratio, ofPostgres }) =>
        `with ${members} members on each host ${describe(each)} where each decodes, ${describe(shared)} where one does: ${ratio.toFixed(2)} × less in all, ${ofPostgres.toFixed(2)} × for PostgreSQL`,
    );
    return {
      title,
      figures: `${figures.join("; ")} (limit ${minRatio} for PostgreSQL, aim ${minRatio} in all)`,
      holds: pairs.length > 0 && pairs.every(({ ofPostgres }) => ofPostgres >= minRatio),
    };
  } finally {
    await owner.end();
    await postgres.stop();
    await redis.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
