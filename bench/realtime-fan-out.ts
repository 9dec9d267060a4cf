import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { WebSocketServer } from "ws";
import type { Host } from "basehost";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import { benchMessagesSql, FrameCounter } from "./frame-counter.ts";
import type { Finding } from "./rest-read.ts";

const subscriberCount = 1000;
/** Changes in one round, written one after the other by one connection. */
const changesPerRound = 200;
const rounds = 5;
/** Changes delivered one at a time, with or without a pause before each. */
const withoutPause = { changes: 200, pauseMs: 0 };
const afterPause = { changes: 40, pauseMs: 100 };
/** Least share of a raw broadcast's deliveries a second that changes under row-level security must reach. */
const minRatio = 0.7;

/** All sockets come from one address. */
const limitsForOneAddress = {
  httpLimits: { maxConnectionsPerAddress: 3 * subscriberCount },
  realtimeLimits: {
    socketsPerAddress: 2 * subscriberCount,
    anonSockets: 2 * subscriberCount,
    messagesPerSecondPerAddress: 10 * subscriberCount,
  },
};

async function joinsOf(host: Host, owner: pg.Client): Promise<string[]> {
  const ids = Array.from({ length: subscriberCount }, () => randomUUID());
  await owner.query("insert into ranks (user_id, level) select unnest($1::uuid[]), 4", [ids]);
  const changes = [{ event: "INSERT", schema: "public", table: "bench_messages" }];
  const exp = Math.floor(Date.now() / 1000) + 3600;
  return await Promise.all(
    ids.map(async (sub) => {
      const claims = { sub, exp, role: "authenticated", aud: "authenticated" };
      const payload = {
        config: { postgres_changes: changes },
        access_token: await host.context.keys.sign({ ...claims, email: `${sub}@example.test` }),
      };
      return JSON.stringify(["1", "1", "realtime:room", "phx_join", payload]);
    }),
  );
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
const perSecond = (ms: number) => (subscriberCount * changesPerRound * 1000) / ms;

/**
 * Inserts delivered to a thousand members with different tokens under row-level security, against a raw `ws`
 * broadcast of the same bytes to as many sockets in the same process. The time runs from the first insert to the
 * last delivery, and includes writing, reading the log and resolving recipients.
 *
 * The cost of a lone change is mostly a thousand writes, which vary with the machine and with the receiving process.
 * So one process receives both, and each change is compared with the broadcast after it.
 */
export async function benchRealtimeFanOut(): Promise<Finding> {
  const { host, running, stop } = await startFixtureHost({}, undefined, limitsForOneAddress);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  const raw = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  const counter = new FrameCounter();
  try {
    await owner.connect();
    await owner.query(benchMessagesSql);
    const query = `apikey=${running.anonKey}&vsn=2.0.0`;
    const url = `${running.url}/realtime/v1/websocket?${query}`;
    // The reply to the join and the system message.
    await counter.open(url, subscriberCount, await joinsOf(host, owner), 2);
    const { port } = raw.address() as { port: number };
    await counter.open(`http://127.0.0.1:${port}/`, subscriberCount, [], 0);
    const insert = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        await owner.query({
          name: "insert",
          text: "insert into bench_messages (room_id, author, body) values (1, $1, $2)",
          values: [randomUUID(), "A message of a usual length, as members write to each other."],
        });
      }
    };
    const broadcast = async (count: number, bytes: Buffer) => {
      for (let n = 0; n < count; n += 1) {
        for (const client of raw.clients) client.send(bytes, { binary: false });
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const { sample } = await counter.time(subscriberCount, async () => await insert(1));
    const bytes = Buffer.from(sample);
    await counter.time(subscriberCount, async () => await broadcast(1, bytes));
    const times = { changes: [] as number[], raw: [] as number[] };
    const lone = async ({ changes, pauseMs }: typeof withoutPause) => {
      const alone = async (work: () => Promise<void>) => {
        await wait(pauseMs);
        return (await counter.time(subscriberCount, work)).ms;
      };
      const pairs: { one: number; rawOne: number }[] = [];
      for (let n = 0; n < changes; n += 1) {
        const one = await alone(async () => await insert(1));
        pairs.push({ one, rawOne: await alone(async () => await broadcast(1, bytes)) });
      }
      return {
        one: median(pairs.map(({ one }) => one)),
        rawOne: median(pairs.map(({ rawOne }) => rawOne)),
        ratio: median(pairs.map(({ one, rawOne }) => rawOne / one)),
      };
    };
    for (let round = 0; round < rounds; round += 1) {
      const all = subscriberCount * changesPerRound;
      times.changes.push((await counter.time(all, async () => await insert(changesPerRound))).ms);
      times.raw.push(
        (await counter.time(all, async () => await broadcast(changesPerRound, bytes))).ms,
      );
    }
    const noPause = await lone(withoutPause);
    const paused = await lone(afterPause);
    const [changeRate, rawRate] = [perSecond(median(times.changes)), perSecond(median(times.raw))];
    const ratio = changeRate / rawRate;
    const describe = ({ one, rawOne, ratio: kept }: typeof paused) =>
      `arrives after ${one.toFixed(1)} ms, a raw broadcast after ${rawOne.toFixed(1)} ms, ratio ${kept.toFixed(2)}`;
    return {
      title: `changes delivered to ${subscriberCount} members under row-level security`,
      figures: `${changeRate.toFixed(0)} deliveries/s, raw ws ${rawRate.toFixed(0)}/s, ratio ${ratio.toFixed(2)}; a lone insert right after another ${describe(noPause)}; after a pause it ${describe(paused)} (limit ${minRatio} each)`,
      holds: Math.min(ratio, noPause.ratio, paused.ratio) >= minRatio,
    };
  } finally {
    counter.close();
    await owner.end();
    raw.close();
    for (const client of raw.clients) client.terminate();
    await stop();
  }
}
