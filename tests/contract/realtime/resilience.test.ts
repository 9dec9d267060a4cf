import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import { afterAll, afterEach, expect, test } from "vitest";
import { startFixtureHost } from "../../support/start-fixture-host.ts";
import { Arrivals, closeListeners, follow, listener } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { startRealtime } from "./own-realtime.ts";
import { addNote, closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

startOwnHost();
afterEach(closeListeners);
afterAll(closeOwnerConnections);

const quick = { reconnectAfterMs: () => 50 };

test("a lost replication connection makes subscribers join again and leaves no slot behind", async () => {
  const member = listener({}, hostOfFile(), quick);
  await setRank(member.id, 4);
  await member.client.realtime.setAuth();
  const { arrivals, subscribed } = follow(member, "notes");
  await subscribed(1);
  await addNote(1, "before");
  await arrivals.until(1);
  const slots =
    "select slot_name, temporary from pg_replication_slots where database = current_database()";
  expect((await ownerConnections().query(slots)).rows).toMatchObject([{ temporary: true }]);
  await ownerConnections().query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'host-realtime'",
  );
  await subscribed(2);
  const id = await addNote(1, "after");
  await arrivals.until(2);
  expect(arrivals.items.at(-1)?.new).toMatchObject({ id });
  expect((await ownerConnections().query(slots)).rowCount).toBe(1);
});

test("a reader that leaves too much of the log unconfirmed is ended, and no other", async () => {
  const mib = 1024 * 1024;
  const service = await startRealtime({ unconfirmedLogBytes: 4 * mib, slotGuardEveryMs: 20 });
  const frozen = new pg.Client({ connectionString: hostOfFile().databaseUrl });
  frozen.on("error", () => undefined);
  try {
    await frozen.connect();
    const create = "select pg_create_logical_replication_slot($1, 'pgoutput', true)";
    await frozen.query(create, ["host_realtime_frozen"]);
    const other = await ownerConnections().connect();
    await other.query(create, ["of_another"]);
    const ended = new Promise((resolve) => frozen.once("end", resolve));
    const slots = async () =>
      (
        await ownerConnections().query<{ name: string }>(
          "select slot_name as name from pg_replication_slots where slot_name in ('host_realtime_frozen', 'of_another')",
        )
      ).rows.map(({ name }) => name);
    await ownerConnections().query(
      "select pg_logical_emit_message(false, 'fill', repeat('x', 1000000))",
    );
    expect((await slots()).toSorted()).toEqual(["host_realtime_frozen", "of_another"]);
    await ownerConnections().query(
      "select pg_logical_emit_message(false, 'fill', repeat('x', 5000000))",
    );
    await ended;
    await expect.poll(slots).toEqual(["of_another"]);
    other.release(true);
  } finally {
    await frozen.end().catch(() => undefined);
    await service.stop();
  }
});

test("a host can be stopped while it resolves recipients", async () => {
  const streams = async () => {
    const { rows } = await ownerConnections().query<{ pid: number }>(
      "select pid from pg_stat_activity where application_name = 'host-realtime'",
    );
    return rows.map(({ pid }) => pid);
  };
  // The file's host opens and closes streams of its own meanwhile, so that a number says nothing.
  const others = await streams();
  const host = await startFixtureHost({ DATABASE_URL: hostOfFile().databaseUrl });
  const member = listener({}, host.running, quick);
  await setRank(member.id, 4);
  await member.client.realtime.setAuth();
  const { arrivals, subscribed } = follow(member, "notes");
  await subscribed(1);
  const [blocker, writer] = [
    await ownerConnections().connect(),
    await ownerConnections().connect(),
  ];
  const write = async (body: string) =>
    await writer.query("insert into notes (room_id, author, body) values (1, $1, $2)", [
      member.id,
      body,
    ]);
  try {
    // This write fills the connection's caches of the system catalog.
    await write("told");
    await arrivals.until(1);
    const opened = (await streams()).filter((pid) => !others.includes(pid));
    expect(opened).not.toEqual([]);
    const areOpen = async () => {
      const now = await streams();
      return opened.every((pid) => now.includes(pid));
    };
    // The lock blocks the query for the table's metadata, which comes first.
    await blocker.query("begin; lock table pg_catalog.pg_policy in access exclusive mode");
    await write("never told");
    const waits = "select from pg_stat_activity where wait_event_type = 'Lock'";
    await expect.poll(async () => (await ownerConnections().query(waits)).rowCount).not.toBe(0);
    const stopped = host.stop();
    await expect.poll(areOpen).toBe(false);
    await blocker.query("rollback");
    await stopped;
  } finally {
    blocker.release();
    writer.release();
  }
});

test("clients reconnect after a restart of host and database and receive later changes", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "realtime-restart-"));
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
  const env = { PORT: String(port), DATA_DIR: join(dataDir, "data") };
  let running = await startFixtureHost(env);
  try {
    const insert = async (body: string) => {
      const pool = new pg.Client({ connectionString: running.running.databaseUrl });
      await pool.connect();
      await pool.query("insert into posters values ($1, $2)", [body.length, body]);
      await pool.end();
    };
    const member = listener({}, running.running, quick);
    const { arrivals, subscribed, statuses } = follow(member, "posters");
    await subscribed(1);
    await insert("a");
    await arrivals.until(1);
    await running.stop();
    while (!statuses.items.includes("CHANNEL_ERROR")) {
      await statuses.until(statuses.items.length + 1);
    }
    running = await startFixtureHost(env);
    await subscribed(2);
    await insert("bb");
    expect((await arrivals.until(2)).map((one) => Reflect.get(one.new, "title"))).toEqual([
      "a",
      "bb",
    ]);
  } finally {
    await closeListeners();
    await running.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("200 sockets, some of them cut, receive every change once and in order", async () => {
  const socketCount = 200;
  const noteCount = 200;
  const room = 4;
  const members = Array.from({ length: socketCount }, () => listener({}, hostOfFile(), quick));
  await ownerConnections().query(
    "insert into ranks (user_id, level) select unnest($1::uuid[]), 4",
    [members.map(({ id }) => id)],
  );
  const marker = randomUUID().slice(0, 8);
  const seen = members.map(() => new Map<string, number>());
  const done = members.map(() => new Arrivals<string>());
  /** Reads everything so far, as a client does after each subscription. */
  const fill = async (at: number) => {
    const { data, error } = await members[at]!.client.from("notes")
      .select("id,body")
      .eq("room_id", room)
      .like("body", `${marker}%`)
      .order("body");
    if (error) throw error;
    for (const row of data) take(at, row.id as string, row.body as string);
  };
  const take = (at: number, id: string, body: string) => {
    if (seen[at]!.has(id)) return;
    seen[at]!.set(id, Number(body.split(" ")[1]));
    done[at]!.add(id);
  };
  await Promise.all(
    members.map(async ({ client }, at) => {
      const channel = client.channel(randomUUID());
      channel.on(
        "postgres_changes",
        { event: "INSERT", schema: "public", table: "notes", filter: `room_id=eq.${room}` },
        (change) => {
          const body = String(change.new["body"]);
          if (body.startsWith(marker)) take(at, String(change.new["id"]), body);
        },
      );
      await client.realtime.setAuth();
      await new Promise<void>((resolve, reject) => {
        channel.subscribe((status) => {
          if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) fill(at).then(resolve, reject);
        });
      });
    }),
  );
  for (let n = 0; n < noteCount; n++) {
    await addNote(room, `${marker} ${String(n).padStart(5, "0")}`);
    if (n % 10 === 5) {
      const { conn } = members[(n * 7) % socketCount]!.client.realtime as unknown as {
        conn?: { close: (code: number, reason: string) => void };
      };
      conn?.close(3000, "cut");
    }
  }
  for (const arrivals of done) await arrivals.until(noteCount);
  const expected = Array.from({ length: noteCount }, (_, n) => n);
  for (const [at, numbers] of seen.entries()) {
    expect([...numbers.values()], `socket ${at}`).toHaveLength(noteCount);
    expect([...numbers.values()].toSorted((a, b) => a - b)).toEqual(expected);
  }
  const untouched = seen.filter(
    (_, at) =>
      !Array.from({ length: 20 }, (__, k) => ((k * 10 + 5) * 7) % socketCount).includes(at),
  );
  for (const numbers of untouched) expect([...numbers.values()]).toEqual(expected);
});
