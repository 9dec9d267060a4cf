import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { startEmbeddedPostgres } from "basehost/database";
import { findRedisServer, startRedisServer } from "../tests/support/redis-server.ts";
import { benchMessagesSql, FrameCounter } from "./frame-counter.ts";
import { joinsOf, socketUrl, startHosts, type Hosts } from "./hosts.ts";
import { benchRoomsSql, median, restReads, type Finding } from "./rest-read.ts";

const members = 300;
const messagesPerRound = 1500;
const messagesAtOnce = 20;
const roundCount = 3;
/** Of REST, which is asked for so long in each. */
const restRoundCount = 7;
const roundMs = 3000;
const warmUpMs = 6000;
/** Enough for each of three hosts to be as busy as members make it. */
const connectionCount = 30;
/** Processes that count for one host as for three, so that both leave it the same part of the machine. */
const counterCount = 3;
/** How long the host that decodes takes to hear of members of all hosts. */
const announcedMs = 4000;
/** The hosts of rooms are started anew for each pass, in turn: a machine's speed changes from minute to minute. */
const passCount = 3;
/**
 * Three hosts on one machine share its processors, so they need not be faster than one: the aim is that they are not slower.
 * One that hears everything takes more requests at each wake-up, and without Redis each of three asks who may see a change.
 */
const minRatio = 0.75;

/** Medians over the rounds: what one host does a second, what three do, and how many times as much the three do. */
interface Comparison {
  one: number;
  three: number;
  ratio: number;
}

function comparisonOf(rounds: readonly { one: number; three: number }[]): Comparison {
  return {
    one: median(rounds.map(({ one }) => one)),
    three: median(rounds.map(({ three }) => three)),
    ratio: median(rounds.map(({ one, three }) => three / one)),
  };
}

/** Asks one host, then all of them, again and again: a machine whose speed changes in between slows both. */
async function compareRest({ urls, anonKey }: Hosts): Promise<Comparison> {
  // Each alone at first: one of three hears a third of the requests and would be compiled by V8 later than the one alone.
  for (const url of urls) await restReads([url], anonKey, warmUpMs);
  const rounds: { one: number; three: number }[] = [];
  for (let round = 0; round < restRoundCount; round += 1) {
    const one = await restReads(urls.slice(0, 1), anonKey, roundMs, connectionCount);
    const three = await restReads(urls, anonKey, roundMs, connectionCount);
    rounds.push({ one, three });
  }
  return comparisonOf(rounds);
}

/** Messages a second to all members, as a median over the rounds. */
async function deliveries(owner: pg.Client, hosts: Hosts): Promise<number> {
  const counters = Array.from({ length: counterCount }, () => new FrameCounter());
  const each = members / counterCount;
  try {
    for (const [at, counter] of counters.entries()) {
      const url = socketUrl(hosts.urls[at % hosts.urls.length] ?? "", hosts.anonKey);
      await counter.open(url, each, await joinsOf(owner, each), 2);
    }
    // Until the members are announced to the host that decodes.
    await wait(announcedMs);
    const perSecond: number[] = [];
    for (let round = 0; round <= roundCount; round += 1) {
      let ready = 0;
      const written = Promise.withResolvers<undefined>();
      const write = async () => {
        ready += 1;
        if (ready === counters.length) insertMessages(owner).then(written.resolve, written.reject);
        await written.promise;
      };
      const startedAt = performance.now();
      await Promise.all(
        counters.map(async (counter) => await counter.time(messagesPerRound * each, write)),
      );
      // The first round fills caches.
      if (round > 0) perSecond.push((messagesPerRound * 1000) / (performance.now() - startedAt));
    }
    return median(perSecond);
  } finally {
    for (const counter of counters) counter.close();
  }
}

/** Several at a time, so that what is measured is how fast hosts deliver, and not what processor time they leave to the writer. */
async function insertMessages(owner: pg.Client): Promise<undefined> {
  for (let n = 0; n < messagesPerRound; n += messagesAtOnce) {
    await owner.query({
      name: "insert",
      text: "insert into bench_messages (room_id, author, body) select 1, gen_random_uuid(), $1 from generate_series(1, $2::int)",
      values: ["A message of a usual length, as members write to each other.", messagesAtOnce],
    });
  }
  return undefined;
}

/** Three hosts over one PostgreSQL against one, on the same machine: a list over REST, and messages of a busy room. */
export async function benchThreeHosts(): Promise<Finding> {
  const folder = await mkdtemp(join(tmpdir(), "bench-hosts-"));
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  const redis = (await findRedisServer()) ? await startRedisServer() : undefined;
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const withHosts = async <Figures>(
    count: number,
    measure: (hosts: Hosts) => Promise<Figures>,
    settings: Readonly<Record<string, string>> = {},
  ): Promise<Figures> => {
    const hosts = await startHosts(count, postgres.url, folder, settings);
    try {
      return await measure(hosts);
    } finally {
      await hosts.stop();
    }
  };
  try {
    // A host that is asked nothing takes next to nothing, so that one of three can stand for one alone.
    const rest = await withHosts(3, async (hosts) => {
      await owner.query(benchRoomsSql + ";" + benchMessagesSql);
      return await compareRest(hosts);
    });
    // Of messages it can't, because each host reads them all.
    const deliver = async (hosts: Hosts) => await deliveries(owner, hosts);
    const own: { one: number; three: number }[] = [];
    const shared: { one: number; three: number }[] = [];
    for (let pass = 0; pass < passCount; pass += 1) {
      const one = await withHosts(1, deliver);
      own.push({ one, three: await withHosts(3, deliver) });
      if (redis) shared.push({ one, three: await withHosts(3, deliver, { REDIS_URL: redis.url }) });
    }
    const rooms = comparisonOf(own);
    const roomsOfOne = redis ? comparisonOf(shared) : undefined;
    const describe = ({ one, three, ratio }: Comparison) =>
      `${three.toFixed(0)}/s against ${one.toFixed(0)}/s, ratio ${ratio.toFixed(2)} (limit ${minRatio}, aim 1)`;
    return {
      title: "three hosts against one, on one machine",
      figures: [
        `lists over REST ${describe(rest)}`,
        `messages to ${members} members of a room, where each host decodes ${describe(rooms)}`,
        `where one does ${roomsOfOne ? describe(roomsOfOne) : "not measured: Redis is not installed"}`,
      ].join("; "),
      holds: [rest, rooms, roomsOfOne].every((found) => found && found.ratio >= minRatio),
    };
  } finally {
    await owner.end();
    await redis?.remove();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
