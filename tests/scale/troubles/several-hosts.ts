// Troubles of two hosts over one PostgreSQL with a replica and Redis.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { findBinaries, startEmbeddedPostgres } from "basehost/database";
import { BillingFixture, studentPlan, type Payer } from "../../support/billing.ts";
import { startRedisServer } from "../../support/redis-server.ts";
import { shareFiles } from "../../support/shared-files.ts";
import { startStreamingReplica } from "../../support/streaming-replica.ts";
import { finishOnboarding } from "../../../tools/demo/join.ts";
import { postTo, followRoom, roomOf } from "./messages.ts";
import type { Trouble } from "./trouble.ts";
import { projectWith } from "./project-with.ts";
import { startTroubledHost, type TroubledHost } from "./troubled-host.ts";

/** No comparison with the provider: each host has a sandbox of its own, and one would not know the other's customers. */
const schedules = { "expire-room-leases": 2 };
const writeEveryMs = 100;
/** More than ReplicationSlotLags wants, and less than a reader is ended for. */
const fillerParts = 40;
const fillerBytes = 8_000_000;
/** Longer than a stopped sender of PostgreSQL is waited for. */
const senderGivenUpMs = 100_000;

/** Two hosts, each with a member who writes and reads there. */
export interface SeveralHosts {
  troubles: Trouble[];
  close: () => Promise<void>;
}

const roleOf = async (host: TroubledHost) =>
  /^realtime_log_role\{role="(\w+)"\} 1$/m.exec((await host.scrape()) ?? "")?.[1];

async function until(is: () => Promise<boolean>, longestMs: number, what: string): Promise<void> {
  const end = performance.now() + longestMs;
  while (!(await is())) {
    if (performance.now() > end) throw new Error(`${what} took longer than ${longestMs} ms`);
    await sleep(250);
  }
}

/** Starts everything and gives what may happen to it. */
export async function startSeveralHosts(): Promise<SeveralHosts> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const undo of closing.toReversed()) await undo();
  };
  try {
    return { troubles: await start(closing), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(closing: (() => Promise<unknown>)[]): Promise<Trouble[]> {
  const folder = await mkdtemp(join(tmpdir(), "troubles-"));
  closing.push(async () => await rm(folder, { recursive: true, force: true }));
  const project = await projectWith(schedules);
  closing.push(project.remove);
  await mkdir(join(folder, "database"), { mode: 0o711 });
  const postgres = await startEmbeddedPostgres(join(folder, "database", "postgres"), "password");
  closing.push(postgres.stop);
  const redis = await startRedisServer();
  closing.push(redis.remove);
  const common = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const first = await startTroubledHost("first", project.root, {
    ...common,
    DATA_DIR: join(folder, "first"),
  });
  closing.push(first.kill);
  const replica = await startStreamingReplica(postgres.url, await findBinaries());
  closing.push(replica.remove);
  const replicaUrl = new URL(first.running.databaseUrl);
  replicaUrl.port = String(replica.port);
  await shareFiles(first.running.databaseUrl, join(folder, "second"));
  const second = await startTroubledHost("second", project.root, {
    ...common,
    DATA_DIR: join(folder, "second"),
    DATABASE_REPLICA_URL: replicaUrl.href,
  });
  closing.push(second.kill);
  const hosts = [first, second] as const;

  const billing = new BillingFixture(first.running, first.sandbox);
  closing.push(async () => await billing.close());
  const member = async () => {
    const payer = await billing.payer();
    const { status } = await billing.pay(payer, studentPlan);
    if (status !== 200) throw new Error(`a payment was answered with ${status}`);
    await billing.deliverWebhooks();
    const person = { firstName: "Ada", lastName: "Byron", occupation: "Engineer", bio: "" };
    await finishOnboarding(payer.client, payer.id, person);
    return payer;
  };
  /** The same account at the other host. */
  const atSecond = async ({ id, email, client }: Payer): Promise<Payer> => {
    const { data } = await client.auth.getSession();
    const other = new BillingFixture(second.running, second.sandbox);
    closing.push(async () => await other.close());
    const own = other.client(second.running.anonKey);
    const { access_token = "", refresh_token = "" } = data.session ?? {};
    const { error } = await own.auth.setSession({ access_token, refresh_token });
    if (error) throw error;
    return { id, email, client: own };
  };
  const ada = await member();
  const grace = await atSecond(await member());
  const authors = [ada, grace] as const;
  const readers = await Promise.all(authors.map(async (author) => await followRoom(author)));
  closing.push(async () => await Promise.all(readers.map(async (reader) => await reader.close())));
  const settled = async () => {
    await until(
      async () => {
        const roles = await Promise.all(hosts.map(roleOf));
        return roles.includes("decoder") && roles.includes("standby");
      },
      60_000,
      "a decoder and one that stands by",
    );
    // The slot of the one that stands by has to be covered by what was shared.
    await sleep(3000);
  };
  await settled();
  const decoder = (await roleOf(second)) === "decoder" ? second : first;
  const other = decoder === first ? second : first;
  const ofOther = other === first ? ada : grace;

  const written: string[] = [];
  /** Lets a member write for a while; one whose host stands still gets no answer, which is no message. */
  const write = async (author: Payer, ms: number) => {
    for (const end = performance.now() + ms; performance.now() < end; await sleep(writeEveryMs)) {
      const { id, error } = await postTo(author);
      if (error === undefined) written.push(id);
    }
  };
  const lost = async () => {
    if (written.length === 0) return ["nobody could write"];
    await until(
      async () =>
        await Promise.resolve(readers.every((reader) => reader.lost(written).length === 0)),
      30_000,
      "the last message",
    ).catch(() => undefined);
    const rows = await billing.sql("select from public.chat_messages where id = any ($1::uuid[])", [
      written,
    ]);
    return [
      ...(rows.length === written.length ? [] : ["messages that were taken are gone"]),
      ...readers.flatMap((reader) => reader.lost(written)),
    ];
  };
  const emit = async () => {
    for (let part = 0; part < fillerParts; part++)
      await billing.sql("select pg_logical_emit_message(false, 'fill', repeat('x', $1))", [
        fillerBytes,
      ]);
  };

  const onReplica = async (sql: string) => {
    const fixture = new BillingFixture(
      { ...second.running, databaseUrl: replicaUrl.href },
      second.sandbox,
    );
    await fixture.sql(sql);
    await fixture.close();
  };
  const unanswered: string[] = [];
  const lagging: Trouble = {
    name: "replica lagging",
    hosts,
    at: second,
    part: "replica",
    alerts: ["ReplicaIsNotUsed"],
    shows: /^postgres_replica_used 0$/m,
    inject: async () => await onReplica("select pg_wal_replay_pause()"),
    meanwhile: async () => {
      await write(grace, 6000);
      // Read from the replica otherwise.
      const { error } = await grace.client.rpc("search_library", { query: "price" });
      if (error) unanswered.push(error.message);
    },
    mend: async () => await onReplica("select pg_wal_replay_resume()"),
    lost: async () => [...unanswered, ...(await lost())],
  };
  const withoutRedis: Trouble = {
    name: "Redis gone",
    hosts,
    at: second,
    part: "redis",
    alerts: ["RedisDown"],
    shows: /^redis_up 0$/m,
    inject: redis.stop,
    meanwhile: async () => {
      await Promise.all(authors.map(async (author) => await write(author, 12_000)));
    },
    mend: async () => {
      await redis.start();
      await settled();
    },
    lost,
  };
  let sender = 0;
  const pausedDecoder: Trouble = {
    name: "decoder paused",
    hosts,
    at: other,
    part: "changes",
    alerts: ["ReplicationSlotLags"],
    shows: /^postgres_replication_slot_lag_bytes\{slot="\w+"\} (?:2[7-9]\d{7}|[3-9]\d{8})$/m,
    longestMs: senderGivenUpMs,
    inject: async () => {
      const [row] = await billing.sql<{ pid: number }>(
        "select pid from pg_stat_replication where application_name = 'host-realtime' and state = 'streaming'",
      );
      sender = row?.pid ?? 0;
      process.kill(sender, "SIGSTOP");
    },
    meanwhile: async () => {
      await Promise.all([write(ofOther, 3000), emit()]);
    },
    mend: async () => {
      // Another host decodes by itself, and nobody mends anything until then.
      await until(
        async () =>
          await Promise.resolve(readers.every((reader) => written.every((id) => reader.has(id)))),
        senderGivenUpMs,
        "another decoder",
      ).finally(() => process.kill(sender, "SIGCONT"));
      await settled();
      await write(ofOther, 1000);
    },
    lost,
  };
  let isCaughtUp = false;
  const frozen: Trouble = {
    name: "frozen host",
    hosts,
    at: decoder,
    part: "host",
    alerts: ["HostDown"],
    shows: undefined,
    inject: async () => {
      process.kill(decoder.pid, "SIGSTOP");
      await Promise.resolve();
    },
    meanwhile: async () => {
      await ofOther.client.rpc("increment_participant_count", { room_id: roomOf });
      await billing.sql("update private.room_leases set expires_at = now()");
      await write(ofOther, 20_000);
      // The other host does what is due.
      isCaughtUp = (await billing.sql("select from private.room_leases")).length === 0;
    },
    mend: async () => {
      process.kill(decoder.pid, "SIGCONT");
      await settled();
    },
    lost: async () => [
      ...(isCaughtUp ? [] : ["what was due was not done by the other host"]),
      ...(await lost()),
    ],
  };
  return [lagging, withoutRedis, frozen, pausedDecoder];
}
