import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { Arrivals } from "./listeners.ts";
import { startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { rawSocket, type RawSocket } from "./raw-socket.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
const joinPayload = { config: {} };
let service: OwnRealtime;
let open: RawSocket[] = [];
// The service's clock stands still, so everything in a test happens within one second.
beforeAll(async () => {
  service = await startRealtime({
    purgeEveryMs: 20,
    databaseFiltersPerSocket: 3,
  });
});
afterEach(() => {
  for (const { socket } of open) socket.terminate();
  open = [];
  service.advance(1000);
});
afterAll(async () => {
  await service.stop();
  await closeOwnerConnections();
});

async function connect(): Promise<RawSocket> {
  const socket = await rawSocket(service.running);
  open.push(socket);
  return socket;
}

/** Resolves once the service has answered everything sent before. */
async function heartbeat({ push, frames }: RawSocket): Promise<void> {
  const ref = randomUUID();
  push("phoenix", "heartbeat", {}, ref);
  while (!frames.items.some((frame) => frame[1] === ref)) {
    await frames.until(frames.items.length + 1);
  }
}

test("a frame that is too large or malformed closes its own socket only", async () => {
  const witness = await connect();
  const large = await connect();
  large.socket.send("x".repeat(1024 * 1024 + 1));
  expect(await large.closed).toBe(1009);
  for (const nonsense of ["no json", "{}", "[]", Buffer.from([9, 9, 9]), Buffer.alloc(0)]) {
    const odd = await connect();
    odd.socket.send(nonsense);
    expect(await odd.closed).toBe(1007);
  }
  witness.push("phoenix", "heartbeat", {}, "7");
  expect(await witness.frames.until(1)).toEqual([
    ["7", "7", "phoenix", "phx_reply", { status: "ok", response: {} }],
  ]);
});

test("a socket has at most 100 channels and 100 joins a second", async () => {
  const many = await connect();
  for (let n = 0; n < 100; n++) many.push(`realtime:room-${n}`, "phx_join", joinPayload, String(n));
  await many.frames.until(100);
  const statuses = many.frames.items.map((frame) => (frame[4] as { status: string }).status);
  expect(new Set(statuses)).toEqual(new Set(["ok"]));
  service.advance(1000);
  many.push("realtime:one-more", "phx_join", joinPayload, "more");
  await many.frames.until(101);
  expect(JSON.stringify(many.frames.items[100])).toContain("ChannelRateLimitReached");
  service.advance(1000);
  for (let n = 0; n < 101; n++) many.push("realtime:room-0", "phx_join", joinPayload, `again-${n}`);
  expect(await many.closed).toBe(1008);
  expect(JSON.stringify(many.frames.items.at(-1))).toContain("ClientJoinRateLimitReached");
});

test("a socket is limited in filters that Postgres evaluates, and leaving frees their share", async () => {
  const socket = await connect();
  const join = async (topic: string, filters: string[]) => {
    const changes = filters.map((filter) => ({ schema: "public", table: "posters", filter }));
    const ref = randomUUID();
    socket.push(topic, "phx_join", { config: { postgres_changes: changes } }, ref);
    const reply = () => socket.frames.items.find((frame) => frame[1] === ref);
    while (reply() === undefined) await socket.frames.until(socket.frames.items.length + 1);
    return reply()?.[4];
  };
  const ok = { status: "ok" };
  const refused = {
    status: "error",
    response: { reason: "FilterLimitReached: Too many filters other than equality" },
  };
  expect(await join("realtime:a", ["id=gt.1", "id=gt.2"])).toMatchObject(ok);
  // Equality costs nothing, and neither does an equal filter.
  expect(await join("realtime:b", ["id=eq.1", "id=in.(2,3)", "id=gt.1"])).toMatchObject(ok);
  expect(await join("realtime:c", ["id=gt.3", "id=gt.4"])).toMatchObject(refused);
  expect(await join("realtime:c", ["id=gt.3"])).toMatchObject(ok);
  expect(await join("realtime:d", ["id=gt.4"])).toMatchObject(refused);
  expect(await join("realtime:c", [])).toMatchObject(ok);
  expect(await join("realtime:d", ["id=gt.4"])).toMatchObject(ok);
});

test("too many messages close their channel", async () => {
  const socket = await connect();
  socket.push("realtime:flood", "phx_join", joinPayload);
  await socket.frames.until(1);
  for (let n = 0; n < 200; n++) {
    socket.push("realtime:flood", "broadcast", { type: "broadcast", event: "x", payload: {} });
  }
  await socket.frames.until(3);
  // Later messages get the reply for an unknown channel.
  expect(socket.frames.items.slice(0, 3).map((frame) => frame[3])).toEqual([
    "phx_reply",
    "system",
    "phx_close",
  ]);
  expect(JSON.stringify(socket.frames.items)).toContain("Too many messages per second");
});

test("malformed joins get an error reply", async () => {
  const socket = await connect();
  const strange = [
    ["realtime:", joinPayload],
    ["elsewhere:room", joinPayload],
    ["realtime:a", { config: { postgres_changes: [1, 2] } }],
    ["realtime:b", { config: "x" }],
    ["realtime:c", null],
    ["realtime:d", { config: { postgres_changes: [{ schema: 1, table: {} }] } }],
    ["realtime:e", { config: {}, access_token: "rubbish" }],
  ] as const;
  for (const [topic, payload] of strange) socket.push(topic, "phx_join", payload, topic);
  socket.push("realtime:not-joined", "broadcast", {}, "n");
  socket.push("realtime:not-joined", "phx_leave", {}, "l");
  const replies = () =>
    new Map(
      socket.frames.items.flatMap((frame) =>
        frame[3] === "phx_reply" ? [[frame[1], (frame[4] as { status: string }).status]] : [],
      ),
    );
  while (replies().size < strange.length + 2) {
    await socket.frames.until(socket.frames.items.length + 1);
  }
  expect(Object.fromEntries(replies())).toEqual({
    "realtime:": "error",
    "elsewhere:room": "error",
    "realtime:a": "error",
    "realtime:b": "ok",
    "realtime:c": "ok",
    "realtime:d": "ok",
    "realtime:e": "error",
    n: "error",
    l: "ok",
  });
});

test("a socket silent for a minute is closed, an active one is not", async () => {
  const [silent, speaking] = [await connect(), await connect()];
  const cut = new Arrivals<string>();
  silent.socket.once("close", () => cut.add("silent"));
  speaking.socket.once("close", () => cut.add("speaking"));
  service.advance(59_000);
  await heartbeat(speaking);
  service.advance(2_000);
  await cut.until(1);
  await heartbeat(speaking);
  expect(cut.items).toEqual(["silent"]);
});

test("broadcasts older than three days are deleted at every interval, newer ones are kept", async () => {
  const add = async (event: string, days: number) => {
    await ownerConnections().query(
      `insert into realtime.messages (topic, extension, event, private, inserted_at)
       values ('purged', 'broadcast', $1, true, (now() at time zone 'utc') - make_interval(days => $2))`,
      [event, days],
    );
  };
  const kept = async () => {
    const { rows } = await ownerConnections().query<{ event: string }>(
      "select event from realtime.messages where topic = 'purged' order by event",
    );
    return rows.map(({ event }) => event);
  };
  await add("young", 2);
  for (const round of ["old", "older"]) {
    await add(round, 4);
    await expect.poll(kept).not.toContain(round);
  }
  expect(await kept()).toEqual(["young"]);
});
