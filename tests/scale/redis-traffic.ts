import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type RealtimeChannel,
} from "@supabase/supabase-js";
import pg from "pg";
import { watchLoggedEnvelopes } from "../support/logged-envelopes.ts";
import type { Cluster } from "./cluster.ts";

const sayEveryMs = 50;
const phaseMs = 12_500;
/** Hosts notice within seconds that Redis is gone or back, and read the log for themselves or no longer. */
const switchLimitMs = 12_000;
/** Half of the broadcasts arrive within this time while Redis is there. */
const medianLimitMs = 50;

const phases = ["with Redis", "without Redis", "Redis is back"] as const;
type Phase = (typeof phases)[number];

/** Broadcasts between hosts in one phase. */
interface PhaseFigures {
  said: number;
  /** Copies that were to arrive on other hosts, and did not. */
  lost: number;
  /** How long after the beginning of the phase the last of the lost was said. */
  lostForMs: number;
  medianMs: number;
  slowestTwentiethMs: number;
}

/** What members noticed of each other over three hosts, with Redis and while it was stopped. */
export interface TrafficFigures {
  broadcasts: Record<Phase, PhaseFigures>;
  doubled: number;
  /** Envelopes in the write-ahead log while Redis was there. */
  loggedWithRedis: number;
  /** Times that a member who was there all along was shown as gone. */
  falseLeaves: number;
  /** How long it took until all saw one who came without Redis, and until all saw that they had left, with Redis. */
  shownMs: number;
  goneMs: number;
}

/** What is not as it should be; empty when all holds. */
export function trafficProblems(figures: TrafficFigures): string[] {
  const { broadcasts, doubled, loggedWithRedis, falseLeaves, shownMs, goneMs } = figures;
  const steady = broadcasts["with Redis"];
  const lostLong = phases.filter((phase) => broadcasts[phase].lostForMs > switchLimitMs);
  return [
    ...(steady.lost > 0 ? [`${steady.lost} broadcasts were lost with Redis`] : []),
    ...(steady.medianMs > medianLimitMs ? [`a broadcast took ${steady.medianMs} ms`] : []),
    ...lostLong.map((phase) => `${phase}: broadcasts were lost for too long`),
    ...(doubled > 0 ? [`${doubled} broadcasts came twice`] : []),
    ...(loggedWithRedis > 0 ? [`${loggedWithRedis} envelopes in the log`] : []),
    ...(falseLeaves > 0 ? [`${falseLeaves} members were shown as gone`] : []),
    ...(Math.max(shownMs, goneMs) > switchLimitMs ? ["a presence was late"] : []),
  ];
}

/** A member of the topic on one host. */
async function attend(url: string, key: string, topic: string, name: string) {
  const client = createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
  });
  const heard: { id: number; afterMs: number }[] = [];
  const leaves: string[] = [];
  const channel: RealtimeChannel = client.channel(topic, { config: { presence: { key: name } } });
  channel
    .on("broadcast", { event: "said" }, ({ payload }) => {
      const { id, at } = payload as { id: number; at: number };
      heard.push({ id, afterMs: performance.now() - at });
    })
    .on("presence", { event: "leave" }, ({ key: left }) => leaves.push(left));
  await new Promise<void>((resolve) => {
    channel.subscribe((status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && resolve());
  });
  await channel.track({});
  return {
    channel,
    heard,
    leaves,
    sees: (other: string) => other in channel.presenceState(),
    close: async () => await client.realtime.disconnect(),
  };
}

/** How long it takes until something is so; at most half a minute. */
async function timeUntil(isSo: () => boolean): Promise<number> {
  const startedAt = performance.now();
  while (!isSo() && performance.now() - startedAt < 30_000) await sleep(10);
  return Math.round(performance.now() - startedAt);
}

function figuresOf(
  said: readonly { id: number; at: number }[],
  startedAt: number,
  members: readonly { heard: { id: number; afterMs: number }[] }[],
): PhaseFigures {
  const times: number[] = [];
  let [lost, lostForMs] = [0, 0];
  for (const { id, at } of said) {
    const copies = members.flatMap(({ heard }) => heard.find((one) => one.id === id) ?? []);
    times.push(...copies.map(({ afterMs }) => afterMs));
    // Who said it is not told.
    const missing = members.length - 1 - copies.length;
    lost += missing;
    if (missing > 0) lostForMs = Math.round(at - startedAt);
  }
  times.sort((one, other) => one - other);
  const share = (part: number) =>
    Math.round((times[Math.floor(times.length * part)] ?? 0) * 10) / 10;
  return {
    said: said.length,
    lost,
    lostForMs,
    medianMs: share(0.5),
    slowestTwentiethMs: share(0.95),
  };
}

/** Lets members of three hosts talk and be seen while Redis is there, is stopped and comes back empty. */
export async function talkThroughRedis(cluster: Cluster): Promise<TrafficFigures> {
  const { hosts, serviceRoleKey, databaseUrl } = cluster;
  const topic = randomUUID();
  const join = async (at: number, name: string) =>
    await attend(hosts[at] ?? "", serviceRoleKey, topic, name);
  const members = await Promise.all(hosts.map(async (_, at) => await join(at, `member ${at}`)));
  await timeUntil(() =>
    members.every(({ sees }) => members.every((_, at) => sees(`member ${at}`))),
  );
  const owner = new pg.Client({ connectionString: databaseUrl });
  await owner.connect();
  const readLogged = await watchLoggedEnvelopes(owner);
  let nextId = 0;
  const spoken: { said: { id: number; at: number }[]; startedAt: number }[] = [];
  const talk = async (untilAt: number) => {
    const said: { id: number; at: number }[] = [];
    const startedAt = performance.now();
    while (performance.now() < untilAt) {
      const one = { id: nextId++, at: performance.now() };
      said.push(one);
      const speaker = members[one.id % members.length];
      await speaker?.channel.send({ type: "broadcast", event: "said", payload: one });
      await sleep(sayEveryMs);
    }
    spoken.push({ said, startedAt });
  };
  const talkFor = async (ms: number) => await talk(performance.now() + ms);
  await talkFor(phaseMs);
  await sleep(1000);
  const loggedWithRedis = (await readLogged()).length;
  await owner.end();
  await cluster.redis?.stop();
  const comeLater = async () => {
    // Once each host reads the log for itself.
    await sleep(switchLimitMs);
    const late = await join(0, "late");
    return { late, shownMs: await timeUntil(() => members.every(({ sees }) => sees("late"))) };
  };
  const [{ late, shownMs }] = await Promise.all([comeLater(), talkFor(2 * phaseMs)]);
  await cluster.redis?.start();
  await talkFor(2 * phaseMs);
  await late.channel.untrack();
  const goneMs = await timeUntil(() => members.every(({ sees }) => !sees("late")));
  await sleep(1000);
  const broadcasts = Object.fromEntries(
    spoken.map(({ said, startedAt }, at) => [phases[at], figuresOf(said, startedAt, members)]),
  ) as Record<Phase, PhaseFigures>;
  const doubled = members.reduce(
    (sum, { heard }) => sum + heard.length - new Set(heard.map(({ id }) => id)).size,
    0,
  );
  const falseLeaves = members
    .flatMap(({ leaves }) => leaves)
    .filter((name) => name !== "late").length;
  for (const { close } of [...members, late]) await close();
  return { broadcasts, doubled, loggedWithRedis, falseLeaves, shownMs, goneMs };
}
