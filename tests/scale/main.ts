import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { prefixOf, RedisLog, RedisPubSub, seatMs } from "basehost/testing";
import { checkPubSub } from "../support/check-pub-sub.ts";
import { checkSharedLog } from "../support/check-shared-log.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { decoderProblems, loseDecoder, troubles } from "./decoder-loss.ts";
import { loseHosts, problemsOf } from "./host-death.ts";
import { pooledProblems, refusals, workPooled } from "./pooled-work.ts";
import { talkThroughRedis, trafficProblems } from "./redis-traffic.ts";
import { shareBudget } from "./shared-budgets.ts";
import { undergoTroubles } from "./troubles/main.ts";
import { startPooledCluster, type PooledCluster, type StartedHost } from "./pooled.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "80" },
    pooler: { type: "boolean", default: false },
    redis: { type: "boolean", default: false },
    nginx: { type: "boolean", default: false },
    troubles: { type: "boolean", default: false },
  },
});
const seconds = Number(values.seconds);
const kinds = [values.pooler, values.troubles, values.redis || values.nginx].filter(Boolean).length;
if (!(seconds >= 30 && seconds <= 600) || kinds > 1) {
  process.stderr.write(
    "Usage: npm run scale -- [--troubles | --pooler | [--redis] [--nginx]] [--seconds 30–600]\n",
  );
  process.exit(1);
}

/** Runs `work` over what was set up, and takes that down also when the process is told to end. */
async function over<T extends { close: () => Promise<void> }>(
  cluster: T,
  work: (cluster: T) => Promise<string[]>,
): Promise<string[]> {
  let closing: Promise<void> | undefined;
  const close = async () => await (closing ??= cluster.close());
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => void close().then(() => process.exit(1)));
  }
  try {
    return await work(cluster);
  } finally {
    await close();
  }
}

/** Members of hosts that share Redis talk, with it and without. */
async function talk(started: Cluster): Promise<string[]> {
  const figures = await talkThroughRedis(started);
  process.stdout.write(`broadcasts and presence: ${JSON.stringify(figures)}\n`);
  return trafficProblems(figures);
}

/** Hosts that share the log through Redis: the one that decodes is lost in each way, and Redis itself. */
async function loseDecoders(started: Cluster): Promise<string[]> {
  const problems: string[] = [];
  for (const trouble of troubles) {
    const figures = await loseDecoder(started, trouble);
    process.stdout.write(`the decoder: ${JSON.stringify(figures)}\n`);
    problems.push(...decoderProblems(figures));
  }
  return problems;
}

/** Redis does what the tests of the store in memory expect. */
async function checkRedis(redis: RedisServer): Promise<void> {
  const access = {
    url: redis.url,
    prefix: async () => await Promise.resolve(prefixOf("check")),
    onError: () => undefined,
  };
  const log = new RedisLog(access);
  // A seat is gone by itself.
  await checkSharedLog(log, async () => await sleep(seatMs + 500));
  await log.close();
  await checkPubSub(() => new RedisPubSub(access), redis);
  const sharedMs = await shareBudget(access);
  process.stdout.write(`a member's burst holds over two hosts after ${sharedMs} ms\n`);
}

const balancer = values.nginx ? "nginx" : "haproxy";

const lost = async (cluster: Cluster) => {
  if (cluster.redis) await checkRedis(cluster.redis);
  const problems = cluster.redis ? await talk(cluster) : [];
  if (cluster.redis) problems.push(...(await loseDecoders(cluster)));
  const figures = await loseHosts(cluster, seconds);
  process.stdout.write(
    `three hosts behind ${balancer}, of which ${figures.kills} were lost: ${JSON.stringify(figures)}\n`,
  );
  return [...problems, ...problemsOf(figures)];
};

const pooled = async (cluster: PooledCluster) => {
  const problems = await refusals(cluster);
  const env = {
    DATABASE_URL: cluster.pooled,
    DATABASE_DIRECT_URL: cluster.direct,
    DATABASE_REPLICA_URL: cluster.replicaUrl,
  };
  const hosts: [StartedHost, StartedHost] = [
    await cluster.startHost(env),
    await cluster.startHost(env),
  ];
  const refused = hosts.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length > 0) return [...problems, ...refused];
  const figures = await workPooled(cluster, hosts, seconds);
  process.stdout.write(`two hosts behind PgBouncer, with a replica: ${JSON.stringify(figures)}\n`);
  return [...problems, ...pooledProblems(figures, hosts.length)];
};

async function findProblems(): Promise<string[]> {
  if (values.troubles) return await undergoTroubles(over);
  if (values.pooler) return await over(await startPooledCluster(), pooled);
  return await over(await startCluster(3, { redis: values.redis, balancer }), lost);
}

const problems = await findProblems();
for (const problem of problems) process.stdout.write(`failed: ${problem}\n`);
process.exit(problems.length === 0 ? 0 : 1);
