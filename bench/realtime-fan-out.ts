import { fork, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { WebSocketServer } from "ws";
import type { Host } from "basehost";
import { startFixtureHost } from "../tests/support/start-fixture-host.ts";
import type { CounterOrder } from "./count-frames.ts";
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
const counterScript = fileURLToPath(new URL("count-frames.ts", import.meta.url));

/** All sockets come from one address. */
const limitsForOneAddress = {
  httpLimits: { maxConnectionsPerAddress: 3 * subscriberCount },
  realtimeLimits: {
    socketsPerAddress: 2 * subscriberCount,
    anonSockets: 2 * subscriberCount,
    messagesPerSecondPerAddress: 10 * subscriberCount,
  },
};

/** Room messages, readable by rank as in the fixture project's notes. */
const schemaSql = `
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

/** The process whose sockets count received frames. */
class Counter {
  readonly #process: ChildProcess = fork(counterScript);

  async #ask(order: CounterOrder): Promise<void> {
    this.#process.send(order);
    await once(this.#process, "message");
  }

  async open(url: string, joins: readonly string[], framesToJoin: number): Promise<void> {
    await this.#ask({ open: { url, count: subscriberCount, joins, framesToJoin } });
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
  const counter = new Counter();
  try {
    await owner.connect();
    await owner.query(schemaSql);
    const query = `apikey=${running.anonKey}&vsn=2.0.0`;
    const url = `${running.url}/realtime/v1/websocket?${query}`;
    // The reply to the join and the system message.
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
