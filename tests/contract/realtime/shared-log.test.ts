import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { MemoryLog } from "basehost/testing";
import { checkSharedLog } from "../../support/check-shared-log.ts";
import { closeListeners, follow, listener, type Payload } from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

// Each service holds connections of its own.
startOwnHost({ database: { connections: { background: 16, authenticator: 16 } } });
const quick = { reconnectAfterMs: () => 50 };
let log: MemoryLog;
let services: OwnRealtime[] = [];
beforeEach(async () => {
  log = new MemoryLog();
  services = await Promise.all([0, 1, 2].map(async () => await startRealtime({}, {}, { log })));
});
afterEach(async () => {
  await closeListeners();
  for (const service of services) await service.stop();
  await ownerConnections().query("delete from posters");
});
afterAll(closeOwnerConnections);

/** A listener of each service. */
async function listenEverywhere() {
  const following = services.map(({ running }) => follow(listener({}, running, quick), "posters"));
  await Promise.all(following.map(async ({ subscribed }) => await subscribed(1)));
  return following;
}

let id = 0;
async function insert(count: number): Promise<number[]> {
  const ids = Array.from({ length: count }, () => ++id);
  for (const one of ids)
    await ownerConnections().query("insert into posters values ($1, 'x')", [one]);
  return ids;
}

const idsOf = (changes: readonly Payload[]) =>
  changes
    .filter(({ eventType }) => eventType === "INSERT")
    .map((one) => Reflect.get(one.new, "id"));

/** Pids of walsenders: of the decoder those that stream. */
async function walSenders(isStreaming: boolean): Promise<number[]> {
  const { rows } = await ownerConnections().query<{ pid: number }>(
    `select pid from pg_stat_replication
      where application_name = 'host-realtime' and (state = 'streaming') = $1`,
    [isStreaming],
  );
  return rows.map(({ pid }) => pid);
}

async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A second host stands by, and its slot is not ahead of what was shared. */
async function untilCovered(): Promise<void> {
  await until(async () => {
    const { rows } = await ownerConnections().query<{ at: string }>(
      `select (s.confirmed_flush_lsn - '0/0')::text as at from pg_replication_slots s
         join pg_stat_replication r on r.pid = s.active_pid and r.state <> 'streaming'`,
    );
    const position = (await log.state())?.position ?? 0n;
    return rows.length === 1 && BigInt(rows[0]?.at ?? 0) <= position;
  });
}

test("a shared log in memory keeps seats, entries and runs", async () => {
  const own = new MemoryLog();
  await checkSharedLog(own, async () => await Promise.resolve(own.expire("decoder")));
});

test("three hosts have one decoder, and each change arrives once and in order everywhere", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  expect(await walSenders(true)).toHaveLength(1);
  const ids = await insert(300);
  for (const { arrivals } of following) expect(idsOf(await arrivals.until(300))).toEqual(ids);
});

test("in a busy time an entry carries what 25 ms bring, so that hosts read and write less often", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  const before = (await log.state())?.head ?? 0;
  const startedAt = performance.now();
  const ids = await insert(300);
  for (const { arrivals } of following) expect(idsOf(await arrivals.until(300))).toEqual(ids);
  const entries = ((await log.state())?.head ?? 0) - before;
  expect(entries).toBeLessThanOrEqual((performance.now() - startedAt) / 24 + 2);
});

test("the host that stands by goes on where a lost decoder stopped", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  const ids = await insert(20);
  const inserting = insert(300);
  const [decoder] = await walSenders(true);
  await ownerConnections().query("select pg_terminate_backend($1)", [decoder]);
  ids.push(...(await inserting));
  for (const { arrivals, statuses } of following) {
    expect(idsOf(await arrivals.until(320))).toEqual(ids);
    expect(statuses.items).toEqual(["SUBSCRIBED"]);
  }
  expect((await walSenders(true))[0]).not.toBe(decoder);
});

test("the decoding host asks once who may see a row, for the members of all hosts", async () => {
  const members = services.map(({ running }) => listener({}, running, quick));
  for (const { client } of members) await client.realtime.setAuth();
  const following = members.map((member) => follow(member, "bulletins"));
  await Promise.all(following.map(async ({ subscribed }) => await subscribed(1)));
  await ownerConnections().query(
    `create sequence asked;
     alter function bulletin_authorized_users(bulletins, uuid[]) rename to bulletin_readers;
     create function bulletin_authorized_users(bulletin bulletins, user_ids uuid[]) returns uuid[]
       language plpgsql as 'begin perform nextval(''asked''); return bulletin_readers(bulletin, user_ids); end'`,
  );
  const asked = async () => {
    const { rows } = await ownerConnections().query<{ n: string }>("select nextval('asked') as n");
    return Number(rows[0]?.n);
  };
  const told = members.map(() => 0);
  /** A row for one member. Returns how often the authorizer was asked. */
  const add = async (at: number) => {
    const before = await asked();
    await ownerConnections().query("insert into bulletins (reader) values ($1)", [members[at]?.id]);
    told[at] = (told[at] ?? 0) + 1;
    await following[at]?.arrivals.until(told[at]);
    return (await asked()) - before - 1;
  };
  // Members that were announced lately are asked for by their own hosts.
  await until(async () => (await add(0)) === 1 && (await add(1)) === 1 && (await add(2)) === 1);
  expect(following.map(({ arrivals }) => arrivals.items.length)).toEqual(told);

  // One who comes now is asked for at once, and one whose reading right is gone is told nothing.
  const newcomer = listener({}, services[1]?.running, quick);
  await newcomer.client.realtime.setAuth();
  const late = follow(newcomer, "bulletins");
  await late.subscribed(1);
  members.push(newcomer);
  following.push(late);
  told.push(0);
  expect(await add(3)).toBeGreaterThan(0);
  await until(async () => (await add(3)) === 1);
  await ownerConnections().query(
    `drop function bulletin_authorized_users(bulletins, uuid[]);
     alter function bulletin_readers(bulletins, uuid[]) rename to bulletin_authorized_users;
     drop sequence asked`,
  );
  expect(following.map(({ arrivals }) => arrivals.items.length)).toEqual(told);
});

test("without a host that stands by, a lost decoder is a gap that clients are told of", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  await ownerConnections().query(
    "select pg_terminate_backend(pid) from pg_stat_replication where application_name = 'host-realtime'",
  );
  for (const { subscribed } of following) await subscribed(2);
  const ids = await insert(5);
  for (const { arrivals, statuses } of following) {
    expect(idsOf(await arrivals.until(5))).toEqual(ids);
    expect(statuses.items).toContain("CHANNEL_ERROR");
  }
});

test("after all hosts have restarted, those who join before a host decodes are told of no gap", async () => {
  await listenEverywhere();
  await untilCovered();
  await insert(3);
  await closeListeners();
  for (const service of services) await service.stop();
  services = await Promise.all([0, 1, 2].map(async () => await startRealtime({}, {}, { log })));
  const following = await listenEverywhere();
  const ids = await insert(5);
  for (const { arrivals, statuses } of following) {
    expect(idsOf(await arrivals.until(5))).toEqual(ids);
    expect(statuses.items).toEqual(["SUBSCRIBED"]);
  }
});

test("entries that were removed before a host read them are a gap, at the next entry or without one", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  log.loseNext();
  await insert(1);
  for (const { subscribed } of following) await subscribed(2);
  log.loseNext();
  await insert(2);
  for (const { subscribed } of following) await subscribed(3);
});

test("a row that is too large for the store is a gap, and later ones arrive", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  await ownerConnections().query("insert into posters values (0, repeat('x', 17 * 1024 * 1024))");
  for (const { subscribed } of following) await subscribed(2);
  const ids = await insert(3);
  for (const { arrivals } of following) expect(idsOf(await arrivals.until(3))).toEqual(ids);
});

test("a lost store is a gap, each host then reads for itself, and returns when it is back", async () => {
  const following = await listenEverywhere();
  await untilCovered();
  log.goDown();
  for (const { subscribed } of following) await subscribed(2);
  const ids = await insert(10);
  for (const { arrivals } of following) expect(idsOf(await arrivals.until(10))).toEqual(ids);
  expect(await walSenders(true)).toHaveLength(3);
  log.comeBack();
  for (const { subscribed } of following) await subscribed(3);
  await until(async () => (await walSenders(true)).length === 1);
  ids.push(...(await insert(10)));
  for (const { arrivals } of following) expect(idsOf(await arrivals.until(20))).toEqual(ids);
});
