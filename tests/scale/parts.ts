import { setTimeout as sleep } from "node:timers/promises";
import { prefixOf, RedisLog, RedisPubSub, seatMs } from "basehost/testing";
import { checkPubSub } from "../support/check-pub-sub.ts";
import { checkSharedLog } from "../support/check-shared-log.ts";
import type { RedisServer } from "../support/redis-server.ts";
import { startSignInStandIns } from "../support/sign-in-stand-ins.ts";
import type { BalancerName } from "./balancers.ts";
import { startCluster, type Cluster } from "./cluster.ts";
import { decoderProblems, loseDecoder, troubles } from "./decoder-loss.ts";
import { loseHosts, problemsOf } from "./host-death.ts";
import { beginKeyFiles } from "./key-files.ts";
import { keyTurnProblems, turnKeys } from "./key-turn.ts";
import { over } from "./over.ts";
import { startPooledCluster, type PooledCluster, type StartedHost } from "./pooled.ts";
import { pooledProblems, refusals, workPooled } from "./pooled-work.ts";
import { talkThroughRedis, trafficProblems } from "./redis-traffic.ts";
import { shareBudget } from "./shared-budgets.ts";
import { signInAnywhere, signInProblems } from "./sign-in-anywhere.ts";
import { undergoTroubles } from "./troubles/main.ts";
import { troublesOutcome } from "./troubles/outcome.ts";

/** What a run of one kind saw. */
export interface KindOutcome {
  /** Its figures in one line. */
  figures: string;
  /** What is not as it should be; empty when all holds. */
  problems: string[];
}

const tell = (what: string, figures: object) =>
  process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`);
const inSeconds = (ms: number) => `${Math.round(ms / 100) / 10} s`;

/** Members of hosts that share Redis talk, with it and without. */
async function talk(cluster: Cluster): Promise<KindOutcome> {
  const figures = await talkThroughRedis(cluster);
  tell("broadcasts and presence", figures);
  const { lost, said, medianMs } = figures.broadcasts["with Redis"];
  return {
    figures: `${lost} of ${said} broadcasts lost with Redis, half within ${medianMs} ms`,
    problems: trafficProblems(figures),
  };
}

/** Hosts that share the log through Redis: the one that decodes is lost in each way, and Redis itself. */
async function loseDecoders(cluster: Cluster): Promise<KindOutcome> {
  const problems: string[] = [];
  let [missed, doubled, movedMs] = [0, 0, 0];
  for (const trouble of troubles) {
    const figures = await loseDecoder(cluster, trouble);
    tell("the decoder", figures);
    problems.push(...decoderProblems(figures));
    missed += figures.missed;
    doubled += figures.doubled;
    if (trouble !== "stopped Redis") movedMs = Math.max(movedMs, figures.longestMs);
  }
  const moved = `another host decoded within ${inSeconds(movedMs)}`;
  return { figures: `${moved}, ${missed} changes missed and ${doubled} told twice`, problems };
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

/** Three hosts behind a balancer, of which one is lost every 20 s; with Redis its decoder before that, too. */
export async function lostHosts(
  balancer: BalancerName,
  redis: boolean,
  seconds: number,
): Promise<KindOutcome> {
  return await over(await startCluster(3, { redis, balancer }), async (cluster) => {
    if (cluster.redis) await checkRedis(cluster.redis);
    const before = cluster.redis ? [await talk(cluster), await loseDecoders(cluster)] : [];
    // What hosts tell each other does not depend on the balancer.
    const figures = await loseHosts(cluster, seconds, balancer === "haproxy");
    tell(`three hosts behind ${balancer}, of which ${figures.kills} were lost`, figures);
    const { failed, requests, kills, missed, doubled, inserted, presenceMs } = figures;
    const lines = [
      ...before.map((outcome) => outcome.figures),
      `${kills} hosts lost behind ${balancer}: ${failed} of ${requests} requests failed`,
      `${missed} of ${inserted} rows missed and ${doubled} told twice`,
      ...(presenceMs === undefined ? [] : [`a presence gone after ${inSeconds(presenceMs)}`]),
    ];
    return {
      figures: lines.join(", "),
      problems: [...before.flatMap(({ problems }) => problems), ...problemsOf(figures)],
    };
  });
}

async function workBehindPooler(cluster: PooledCluster, seconds: number): Promise<KindOutcome> {
  const problems = await refusals(cluster);
  const env = {
    DATABASE_URL: cluster.pooled,
    DATABASE_DIRECT_URL: cluster.direct,
    DATABASE_REPLICA_URL: cluster.replicaUrl,
    ...(cluster.keepsStatements && { DATABASE_POOL_STATEMENTS: "1" }),
  };
  const hosts: [StartedHost, StartedHost] = [
    await cluster.startHost(env),
    await cluster.startHost(env),
  ];
  const refused = hosts.flatMap(({ refusal }) => refusal ?? []);
  if (refused.length > 0)
    return { figures: "no host started", problems: [...problems, ...refused] };
  const figures = await workPooled(cluster, hosts, seconds);
  tell("two hosts behind PgBouncer, with a replica", figures);
  const { failed, requests, mixedUp, missed, replicaReads } = figures;
  const lines = [
    `${failed} of ${requests} requests failed and ${mixedUp} mixed up behind PgBouncer`,
    `${missed} changes missed`,
    `${replicaReads} reads from a replica that was paused and ended`,
  ];
  return {
    figures: lines.join(", "),
    problems: [...problems, ...pooledProblems(figures, hosts.length)],
  };
}

/** Two hosts behind PgBouncer, with a replica that lags and ends. */
export async function pooled(seconds: number): Promise<KindOutcome> {
  return await over(
    await startPooledCluster(),
    async (cluster) => await workBehindPooler(cluster, seconds),
  );
}

/** Mail server, card provider, a job, the disk, the replica, Redis, a host and the decoder fail in turn. */
export async function troubled(): Promise<KindOutcome> {
  return troublesOutcome(await undergoTroubles());
}

/** Three hosts whose keys are replaced one after the other, and sign-ins of which each step is at another host. */
export async function turnedKeys(): Promise<KindOutcome> {
  const keys = await beginKeyFiles();
  const standIns = await startSignInStandIns();
  const closeFiles = async () => {
    await standIns.stop();
    await keys.remove();
  };
  let siteUrl = "";
  const cluster = await startCluster(3, {
    env: async (url) => {
      siteUrl = url;
      const passkeys = { SUPABASE_AUTH_PASSKEY_ENABLED: "true" };
      return { ...standIns.env, ...passkeys, ...(await keys.settings()), PUBLIC_URL: url };
    },
  }).catch(async (error: unknown) => {
    await closeFiles();
    throw error;
  });
  const close = async () => {
    await cluster.close();
    await closeFiles();
  };
  return await over({ ...cluster, close }, async () => {
    const signIns = signInAnywhere(cluster, keys.publishableKey, siteUrl);
    await signIns.round();
    const figures = await turnKeys(cluster, keys);
    await signIns.round();
    tell("three hosts behind haproxy, whose keys were replaced", figures);
    tell("sign-ins, each over three hosts", signIns.figures);
    const { restarts, failed, requests, refused, lostSessions, rejoins, backMs } = figures;
    const refusals = Object.values(refused).reduce((sum, count) => sum + count, 0);
    const { byProvider, byPasskey, byKnownPasskey } = signIns.figures;
    const lines = [
      `${restarts} restarts with other keys: ${refusals} of ${requests} requests refused and ${failed} failed`,
      `${lostSessions} sessions lost`,
      `${rejoins} sockets closed and back within ${inSeconds(backMs)}`,
      `${byProvider} sign-ins by providers and ${byPasskey + byKnownPasskey} with passkeys over three hosts`,
    ];
    return {
      figures: lines.join(", "),
      problems: [...keyTurnProblems(figures), ...signInProblems(signIns.figures)],
    };
  });
}
