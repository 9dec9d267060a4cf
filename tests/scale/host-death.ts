import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  createClient,
  REALTIME_SUBSCRIBE_STATES,
  type SupabaseClient,
} from "@supabase/supabase-js";
import type { Cluster } from "./cluster.ts";
import { readRows } from "./read-rows.ts";
import { joinLimitMs, within } from "./within.ts";

const killEveryMs = 20_000;
const awayMs = 8000;
const workers = 8;
const listeners = 12;
/** A presence of a lost host is gone after this time. */
const presenceLimitMs = 30_000;
/** The client waits up to ten seconds before it joins again, and a join may take as long. */
const catchUpLimitMs = 30_000;
const maxFailedShare = 0.01;

/** What happened while hosts were lost. */
export interface HostDeathFigures {
  requests: number;
  failed: number;
  kills: number;
  inserted: number;
  /** Rows that a listener had neither as a change nor by reading after it had joined again. */
  missed: number;
  /** Changes that a listener was told twice. */
  doubled: number;
  /** How long the presence of a lost host was still shown; undefined where nobody looked. */
  presenceMs: number | undefined;
  /** How long after the last row the last listener had all of them. */
  caughtUpMs: number;
}

/** What is not as it should be; empty when all holds. A run in which nothing happened shows nothing. */
export function problemsOf(figures: HostDeathFigures): string[] {
  const { requests, failed, kills, inserted, missed, doubled, caughtUpMs } = figures;
  const { presenceMs = 0 } = figures;
  return [
    ...(requests === 0 ? ["no request was made"] : []),
    ...(kills === 0 ? ["no host was lost"] : []),
    ...(inserted === 0 ? ["no row was written"] : []),
    ...(failed > requests * maxFailedShare ? [`${failed} of ${requests} requests failed`] : []),
    ...(missed > 0 ? [`${missed} rows were missed`] : []),
    ...(doubled > 0 ? [`${doubled} changes were told twice`] : []),
    ...(presenceMs > presenceLimitMs ? [`a presence stayed for ${presenceMs} ms`] : []),
    ...(caughtUpMs > catchUpLimitMs ? [`a listener was behind for ${caughtUpMs} ms`] : []),
  ];
}

function clientOf(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    db: { retry: false },
  });
}

/** Requests of every kind until `isOver`, none of them repeated by the client. */
async function work(
  { url, serviceRoleKey }: Cluster,
  isOver: () => boolean,
  figures: HostDeathFigures,
): Promise<void> {
  const client = clientOf(url, serviceRoleKey);
  const files = client.storage.from("scale");
  const count = (error: unknown) => {
    figures.requests++;
    if (error !== null) figures.failed++;
  };
  while (!isOver()) {
    const name = randomUUID();
    const uploaded = await files.upload(name, name);
    count(uploaded.error);
    for (let reads = 0; reads < 3; reads++) {
      count((await client.from("posters").select("id").limit(10)).error);
      await sleep(20);
    }
    if (uploaded.error !== null) continue;
    const { data, error } = await files.download(name);
    count(error ?? ((await data.text()) === name ? null : "other bytes"));
  }
}

/** A member who listens, and reads what was missed whenever the channel has joined again. */
function listen({ url, serviceRoleKey }: Cluster) {
  const client = clientOf(url, serviceRoleKey);
  const told: number[] = [];
  const read = new Set<number>();
  const joined = Promise.withResolvers<undefined>();
  client
    .channel(`scale-${randomUUID()}`)
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "posters" }, (change) => {
      told.push((change.new as { id: number }).id);
    })
    .subscribe((status) => {
      if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return;
      joined.resolve(undefined);
      void readRows(client, firstId, read);
    });
  return {
    told,
    read,
    joined: joined.promise,
    close: async () => await client.realtime.disconnect(),
  };
}

const firstId = 1_000_000;

/** How long others see the presence of a member whose host is lost. */
async function lostPresence(cluster: Cluster): Promise<number> {
  const [lost = "", other = ""] = cluster.hosts;
  const [gone, stays] = [lost, other].map((url) => clientOf(url, cluster.serviceRoleKey));
  const topic = randomUUID();
  const seen = Promise.withResolvers<undefined>();
  const left = Promise.withResolvers<undefined>();
  const watching = stays
    ?.channel(topic)
    .on("presence", { event: "join" }, () => seen.resolve(undefined))
    .on("presence", { event: "leave" }, () => left.resolve(undefined));
  await new Promise<void>((resolve) => {
    watching?.subscribe((status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && resolve());
  });
  const channel = gone?.channel(topic);
  channel?.subscribe((status) => {
    if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) void channel.track({ name: "gone" });
  });
  await seen.promise;
  const startedAt = performance.now();
  await cluster.kill(0);
  await gone?.realtime.disconnect();
  await Promise.race([left.promise, sleep(2 * presenceLimitMs)]);
  const tookMs = Math.round(performance.now() - startedAt);
  await stays?.realtime.disconnect();
  await cluster.start(0);
  return tookMs;
}

/**
 * Loses a host every 20 s, in turn, while members read, store files and listen through the balancer.
 * @param looksAtPresence first loses one whose members' presence others look at, who ask the hosts themselves
 */
export async function loseHosts(
  cluster: Cluster,
  seconds: number,
  looksAtPresence: boolean,
): Promise<HostDeathFigures> {
  const figures: HostDeathFigures = {
    requests: 0,
    failed: 0,
    kills: 0,
    inserted: 0,
    missed: 0,
    doubled: 0,
    presenceMs: looksAtPresence ? await lostPresence(cluster) : undefined,
    caughtUpMs: 0,
  };
  const service = clientOf(cluster.url, cluster.serviceRoleKey);
  const { error } = await service.storage.createBucket("scale");
  if (error) throw error;
  const listening = Array.from({ length: listeners }, () => listen(cluster));
  const joined = Promise.all(listening.map(async (listener) => await listener.joined));
  await within(joinLimitMs, "the listeners' sockets join", joined);
  const endsAt = performance.now() + seconds * 1000;
  const isOver = () => performance.now() > endsAt;
  const inserted: number[] = [];
  const insert = async () => {
    for (let id = firstId; !isOver(); id++) {
      const { error: refused } = await service.from("posters").insert({ id, title: "scale" });
      // An insert whose answer was lost may have been made.
      if (refused === null) inserted.push(id);
      await sleep(100);
    }
  };
  const loseInTurn = async () => {
    for (let at = 0; ; at = (at + 1) % cluster.hosts.length) {
      await sleep(killEveryMs - awayMs);
      if (isOver()) return;
      await cluster.kill(at);
      figures.kills++;
      await sleep(awayMs);
      await cluster.start(at);
    }
  };
  await Promise.all([
    insert(),
    loseInTurn(),
    ...Array.from({ length: workers }, async () => await work(cluster, isOver, figures)),
  ]);
  figures.inserted = inserted.length;
  const missedBy = ({ told, read }: (typeof listening)[number]) => {
    const live = new Set(told);
    return inserted.filter((id) => !live.has(id) && !read.has(id)).length;
  };
  const missed = () => listening.reduce((sum, listener) => sum + missedBy(listener), 0);
  const lastAt = performance.now();
  const behindMs = () => Math.round(performance.now() - lastAt);
  while (missed() > 0 && behindMs() < 2 * catchUpLimitMs) await sleep(100);
  figures.caughtUpMs = behindMs();
  figures.missed = missed();
  for (const { told, close } of listening) {
    figures.doubled += told.length - new Set(told).size;
    await close();
  }
  return figures;
}
