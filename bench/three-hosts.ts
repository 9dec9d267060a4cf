import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startEmbeddedPostgres } from "basehost/database";
import { benchMessagesSql, FrameCounter } from "./frame-counter.ts";
import { joinsOf, socketUrl, startHosts, type Hosts } from "./hosts.ts";
import { benchRoomsSql, median, restReads, type Finding } from "./rest-read.ts";

const members = 300;
const messagesPerRound = 1500;
const messagesAtOnce = 20;
const roundCount = 3;
/** The hosts of rooms are started anew for each pass, in turn: a machine's speed changes from minute to minute. */
const passCount = 3;
/** Three hosts on one machine share its processors, so they need not be faster than one, only not slower. */
const minRatio = 1;
/** Each of them reads the whole log and asks who may see a change, which takes from the same processors; the aim is 1. */
const minRoomRatio = 0.7;

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
  const rounds: { one: number; three: number }[] = [];
  for (let round = 0; round <= roundCount; round += 1) {
    const one = await restReads(urls.slice(0, 1), anonKey);
    const three = await restReads(urls, anonKey);
    // The first round fills caches.
    if (round > 0) rounds.push({ one, three });
  }
  return comparisonOf(rounds);
}

async function deliveries(owner: pg.Client, hosts: Hosts): Promise<number[]> {
  const counters = hosts.urls.map(() => new FrameCounter());
  const each = members / hosts.urls.length;
  try {
    for (const [at, counter] of counters.entries()) {
      const url = socketUrl(hosts.urls[at] ?? "", hosts.anonKey);
      await counter.open(url, each, await joinsOf(owner, each), 2);
    }
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
    return perSecond;
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
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const withHosts = async <Figures>(
    count: number,
    measure: (hosts: Hosts) => Promise<Figures>,
  ): Promise<Figures> => {
    const hosts = await startHosts(count, postgres.url, folder);
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
    const passes: { one: number; three: number }[] = [];
    for (let pass = 0; pass < passCount; pass += 1) {
      const [one, three] = [
        await withHosts(1, async (hosts) => await deliveries(owner, hosts)),
        await withHosts(3, async (hosts) => await deliveries(owner, hosts)),
      ];
      passes.push({ one: median(one), three: median(three) });
    }
    const rooms = comparisonOf(passes);
    return {
      title: "three hosts against one, on one machine",
      figures: [
        `a list over REST ${rest.three.toFixed(0)} requests/s against ${rest.one.toFixed(0)}/s, ratio ${rest.ratio.toFixed(2)} (limit ${minRatio})`,
        `${rooms.three.toFixed(0)} messages/s to ${members} members of a room against ${rooms.one.toFixed(0)}/s, ratio ${rooms.ratio.toFixed(2)} (limit ${minRoomRatio}, aim 1)`,
      ].join("; "),
      holds: rest.ratio >= minRatio && rooms.ratio >= minRoomRatio,
    };
  } finally {
    await owner.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
