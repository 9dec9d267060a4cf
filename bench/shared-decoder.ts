import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres } from "basehost/database";
import { findRedisServer, startRedisServer } from "../tests/support/redis-server.ts";
import { benchMessagesSql, FrameCounter } from "./frame-counter.ts";
import { joinsOf, socketUrl, startHosts } from "./hosts.ts";
import { postmasterOf, secondsOf } from "./processor-time.ts";
import type { Finding } from "./rest-read.ts";

const hostCount = 4;
/** Members of the room on each host: the more there are, the more of the time goes into writing to their sockets. */
const membersPerHost = [10, 25] as const;
const changes = 1500;
/** Changes arrive one by one, as messages of a busy room do. */
const everyMs = 10;
/** How much less processor time a delivered change must take of all together, and of PostgreSQL, which every added host burdens. */
const minRatio = { all: 2, postgres: 3 };

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
  const postmaster = await postmasterOf(owner);
  /** The cost with each number of members. */
  const costsOf = async (redisUrl: string | undefined): Promise<Cost[]> => {
    const hosts = await startHosts(
      hostCount,
      postgres.url,
      folder,
      redisUrl === undefined ? {} : { REDIS_URL: redisUrl },
    );
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
          await counter.open(socketUrl(url, hosts.anonKey), count, await joinsOf(owner, count), 2);
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
      figures: `${figures.join("; ")} (limit ${minRatio.all} in all, ${minRatio.postgres} for PostgreSQL)`,
      holds:
        pairs.length > 0 &&
        pairs.every(
          ({ ratio, ofPostgres }) => ratio >= minRatio.all && ofPostgres >= minRatio.postgres,
        ),
    };
  } finally {
    await owner.end();
    await postgres.stop();
    await redis.remove();
    await rm(folder, { recursive: true, force: true });
  }
}
