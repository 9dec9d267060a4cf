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

/** What happens to the host that decodes, or to Redis. */
export const troubles = ["killed", "frozen", "cut off", "stopped Redis"] as const;
type Trouble = (typeof troubles)[number];

const insertEveryMs = 20;
const awayMs = 12_000;
/** How long a host that is back is watched. After Redis was stopped it is `awayMs`, because each host has to connect to it again. */
const backMs = 8_000;
/** Another host decodes after this time. */
const moveLimitMs = 10_000;

/** What listeners noticed of one trouble. */
export interface DecoderLossFigures {
  trouble: Trouble;
  inserted: number;
  /** Listeners on hosts that live, over all of them: changes told twice, and told neither live nor by reading after a gap. */
  doubled: number;
  missed: number;
  /** Gaps that listeners on hosts that live were told of. */
  gaps: number;
  /** The longest time a listener on a host that lives waited for the next change. */
  longestMs: number;
}

/** What is not as it should be; empty when all holds. A run in which nothing was written shows nothing. */
export function decoderProblems(figures: DecoderLossFigures): string[] {
  const { trouble, inserted, doubled, missed, gaps, longestMs } = figures;
  const mayHaveGaps = trouble === "stopped Redis";
  return [
    ...(inserted === 0 ? ["no row was written"] : []),
    ...(doubled > 0 ? [`${doubled} changes were told twice`] : []),
    ...(missed > 0 ? [`${missed} changes were missed`] : []),
    ...(gaps > 0 && !mayHaveGaps ? [`${gaps} gaps`] : []),
    ...(longestMs > moveLimitMs && !mayHaveGaps ? [`no change for ${longestMs} ms`] : []),
  ].map((problem) => `${trouble}: ${problem}`);
}

function clientOf(url: string, key: string): SupabaseClient {
  return createClient(url, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { reconnectAfterMs: () => 200 },
  });
}

/** A member of one host, who reads what was missed whenever the channel has joined again. */
async function listen(url: string, key: string, firstId: number) {
  const client = clientOf(url, key);
  const told: { id: number; at: number }[] = [];
  const read = new Set<number>();
  let joins = 0;
  const joined = Promise.withResolvers<undefined>();
  client
    .channel(randomUUID())
    .on("postgres_changes", { event: "INSERT", schema: "public", table: "posters" }, (change) => {
      told.push({ id: (change.new as { id: number }).id, at: performance.now() });
    })
    .subscribe((status) => {
      if (status !== REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) return;
      joins += 1;
      joined.resolve(undefined);
      void readRows(client, firstId, read);
    });
  await within(joinLimitMs, "a listener's socket joins", joined.promise);
  return {
    told,
    read,
    gaps: () => joins - 1,
    close: async () => await client.realtime.disconnect(),
  };
}

async function findRole(cluster: Cluster, role: string): Promise<number> {
  for (let tries = 0; tries < 600; tries++) {
    const roles = await Promise.all(cluster.hosts.map(async (_, at) => await cluster.roleOf(at)));
    const found = roles.indexOf(role);
    if (found >= 0) return found;
    await sleep(100);
  }
  throw new Error(`No host is the ${role}.`);
}

let nextId = 2_000_000;

/** Brings one trouble over the decoder while rows are inserted and each host has listeners. */
export async function loseDecoder(cluster: Cluster, trouble: Trouble): Promise<DecoderLossFigures> {
  const firstId = nextId;
  const { serviceRoleKey } = cluster;
  const listening = await Promise.all(
    cluster.hosts.map(async (url) => await listen(url, serviceRoleKey, firstId)),
  );
  const decoder = await findRole(cluster, "decoder");
  await findRole(cluster, "standby");
  // The slot of the one that stands by has to be covered by what was shared.
  await sleep(3000);
  const lives = (at: number) => trouble === "stopped Redis" || at !== decoder;
  const writer = clientOf(
    cluster.hosts[(decoder + 1) % cluster.hosts.length] ?? "",
    serviceRoleKey,
  );
  const inserted: number[] = [];
  const over = new AbortController();
  const insert = async () => {
    while (!over.signal.aborted) {
      const id = nextId++;
      const { error } = await writer.from("posters").insert({ id, title: "scale" });
      if (error === null) inserted.push(id);
      await sleep(insertEveryMs);
    }
  };
  const bring = async () => {
    await sleep(2000);
    const startedAt = performance.now();
    if (trouble === "killed") await cluster.kill(decoder);
    else if (trouble === "frozen") cluster.freeze(decoder);
    else if (trouble === "cut off") cluster.cut(decoder);
    else await cluster.redis?.stop();
    await sleep(awayMs);
    if (trouble === "killed") await cluster.start(decoder);
    else if (trouble === "frozen") cluster.thaw(decoder);
    else if (trouble === "cut off") cluster.join(decoder);
    else await cluster.redis?.start();
    await sleep(trouble === "stopped Redis" ? awayMs : backMs);
    over.abort();
    return startedAt;
  };
  const [startedAt] = await Promise.all([bring(), insert()]);
  await sleep(3000);
  const figures = {
    trouble,
    inserted: inserted.length,
    doubled: 0,
    missed: 0,
    gaps: 0,
    longestMs: 0,
  };
  for (const [at, { told, read, gaps, close }] of listening.entries()) {
    const ids = new Set(told.map(({ id }) => id));
    figures.doubled += told.length - ids.size;
    if (lives(at)) {
      figures.missed += inserted.filter((id) => !ids.has(id) && !read.has(id)).length;
      figures.gaps += gaps();
      const times = [startedAt, ...told.map((one) => one.at).filter((time) => time > startedAt)];
      const waits = times.slice(1).map((time, n) => time - (times[n] ?? 0));
      figures.longestMs = Math.max(figures.longestMs, ...waits.map(Math.round));
    } else {
      // The host that was lost tells its members of the gap, and they read.
      figures.missed += inserted.filter((id) => !ids.has(id) && !read.has(id)).length;
    }
    await close();
  }
  await writer.realtime.disconnect();
  return figures;
}
