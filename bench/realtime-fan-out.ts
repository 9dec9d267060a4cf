import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { WebSocketServer } from "ws";
import type { Host } from "../packages/host/src/host.ts";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import type { CounterOrder } from "./count-frames.ts";
import type { Finding } from "./rest-read.ts";

const SUBSCRIBERS = 1000;
/** Changes in one round, written one after the other by one connection. */
const CHANGES = 200;
const ROUNDS = 5;
/** Changes told alone, and the rest before each: none, as one follows the other, or so that nothing is under way. */
const HURRIED = { changes: 200, restMs: 0 };
const RESTED = { changes: 40, restMs: 100 };
/** Share of a raw broadcast's deliveries a second that changes under row-level security must keep. */
const LEAST_RATIO = 0.7;
const COUNTER = fileURLToPath(new URL("count-frames.ts", import.meta.url));

/** All sockets come from here. */
const FROM_ONE_ADDRESS = {
  httpLimits: { maxConnectionsPerAddress: 3 * SUBSCRIBERS },
  realtimeLimits: {
    socketsPerAddress: 2 * SUBSCRIBERS,
    anonSockets: 2 * SUBSCRIBERS,
    messagesPerSecondPerAddress: 10 * SUBSCRIBERS,
  },
};

/** Room messages, readable by rank as in the fixture project's notes. */
const SCHEMA = `
  create table public.bench_messages (
    id uuid primary key default gen_random_uuid(),
    room_id int not null,
    author uuid not null,
    body text not null,
    at timestamptz not null default now()
  );
  alter table public.bench_messages enable row level security;
  grant select on public.bench_messages to authenticated;
  create policy select_by_rank on public.bench_messages for select to authenticated using (
    exists (select from public.rooms r
             where r.id = room_id and r.level <= (select public.rank_of((select auth.uid())))));
  create function public.bench_authorized_users(message public.bench_messages, user_ids uuid[]) returns uuid[]
    language plpgsql stable security definer set search_path = '' as $$
  begin
    return array(select k.user_id from public.ranks k
      join public.rooms r on r.id = message.room_id and r.level <= k.level where k.user_id = any (user_ids));
  end
  $$;
  comment on policy select_by_rank on public.bench_messages is '@authorizer public.bench_authorized_users';
  alter publication supabase_realtime add table public.bench_messages;`;

/** The process whose sockets count what arrives. */
class Counter {
  readonly #process: ChildProcess = fork(COUNTER);

  async #ask(order: CounterOrder): Promise<void> {
    this.#process.send(order);
    await once(this.#process, "message");
  }

  async open(url: string, joins: readonly string[], framesToJoin: number): Promise<void> {
    await this.#ask({ open: { url, count: SUBSCRIBERS, joins, framesToJoin } });
  }

  /** Milliseconds from the start of `work` until so many frames have arrived, and one of them. */
  async time(frames: number, work: () => Promise<void>): Promise<{ ms: number; sample: string }> {
    await this.#ask({ expect: frames });
    const arrived = once(this.#process, "message") as Promise<[{ sample: string }]>;
    const startedAt = performance.now();
    await work();
    const [{ sample }] = await arrived;
    return { ms: performance.now() - startedAt, sample };
  }

  close(): void {
    this.#process.kill();
  }
}

async function joinsOf(host: Host, owner: pg.Client): Promise<string[]> {
  const ids = Array.from({ length: SUBSCRIBERS }, () => randomUUID());
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
const perSecond = (ms: number) => (SUBSCRIBERS * CHANGES * 1000) / ms;

/**
 * Inserts told to a thousand members of different tokens, each asked of row-level security, against a raw
 * `ws` broadcast of the same bytes to as many sockets in the same process. The time runs from the first
 * insert to the last delivery, so writing, reading the log and deciding are all in it.
 *
 * What a lone change costs is mostly a thousand writes. What these cost changes from moment to moment with the
 * machine, and with the process that receives them: so one process receives both, and each change is compared with
 * the broadcast that follows it.
 */
export async function benchRealtimeFanOut(): Promise<Finding> {
  const { host, running, stop } = await startFixtureHost({}, undefined, FROM_ONE_ADDRESS);
  const owner = new pg.Client({ connectionString: running.databaseUrl });
  const raw = new WebSocketServer({ port: 0, host: "127.0.0.1", perMessageDeflate: false });
  const counter = new Counter();
  try {
    await owner.connect();
    await owner.query(SCHEMA);
    const query = `apikey=${running.anonKey}&vsn=2.0.0`;
    const url = `${running.url}/realtime/v1/websocket?${query}`;
    // A reply and the word that changes are followed.
    await counter.open(url, await joinsOf(host, owner), 2);
    const { port } = raw.address() as { port: number };
    await counter.open(`http://127.0.0.1:${port}/`, [], 0);
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
    const { sample } = await counter.time(SUBSCRIBERS, async () => await insert(1));
    const bytes = Buffer.from(sample);
    await counter.time(SUBSCRIBERS, async () => await broadcast(1, bytes));
    const times = { told: [] as number[], raw: [] as number[] };
    const lone = async ({ changes, restMs }: typeof HURRIED) => {
      const alone = async (work: () => Promise<void>) => {
        await wait(restMs);
        return (await counter.time(SUBSCRIBERS, work)).ms;
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
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = SUBSCRIBERS * CHANGES;
      times.told.push((await counter.time(all, async () => await insert(CHANGES))).ms);
      times.raw.push((await counter.time(all, async () => await broadcast(CHANGES, bytes))).ms);
    }
    const hurried = await lone(HURRIED);
    const rested = await lone(RESTED);
    const [toldRate, rawRate] = [perSecond(median(times.told)), perSecond(median(times.raw))];
    const ratio = toldRate / rawRate;
    const words = ({ one, rawOne, ratio: kept }: typeof rested) =>
      `is with all after ${one.toFixed(1)} ms, a raw broadcast after ${rawOne.toFixed(1)} ms, ratio ${kept.toFixed(2)}`;
    return {
      title: `changes told to ${SUBSCRIBERS} members under row-level security`,
      figures: `${toldRate.toFixed(0)} deliveries/s, raw ws ${rawRate.toFixed(0)}/s, ratio ${ratio.toFixed(2)}; a lone insert right after another ${words(hurried)}; after a rest it ${words(rested)} (limit ${LEAST_RATIO} each)`,
      holds: Math.min(ratio, hurried.ratio, rested.ratio) >= LEAST_RATIO,
    };
  } finally {
    counter.close();
    await owner.end();
    raw.close();
    for (const client of raw.clients) client.terminate();
    await stop();
  }
}
