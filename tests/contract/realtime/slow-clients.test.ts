import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { realtimeDefaults } from "basehost/testing";
import { startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { rawSocket, type RawSocket } from "./raw-socket.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
const kib = 1024;
/** More than the kernel buffers for a client that does not read. */
const messageCount = 70;
const largeBody = "x".repeat(900 * kib);
/** Senders are unlimited, because these tests are about slow clients. */
const unbounded = {
  broadcastBytes: Infinity,
  broadcastBytesPerSecond: Infinity,
  fanOutBytesPerSecond: Infinity,
};
const limits = {
  unsentBytes: 4 * kib * kib,
  unsentDroppableBytes: 64 * kib,
  anon: { ...realtimeDefaults.anon, ...unbounded },
  address: { ...realtimeDefaults.address, ...unbounded },
  receivedBytesPerSecond: Infinity,
  receivedBytesPerSecondPerAddress: Infinity,
  fanOutBytesPerSecondPerTopic: Infinity,
  fanOutBytesPerSecond: Infinity,
};
let service: OwnRealtime;
let open: RawSocket[] = [];
beforeAll(async () => {
  service = await startRealtime(limits);
});
afterEach(() => {
  for (const { socket } of open) socket.terminate();
  open = [];
});
afterAll(async () => {
  await service.stop();
  await closeOwnerConnections();
});

async function connect(to = service): Promise<RawSocket> {
  const socket = await rawSocket(to.running);
  open.push(socket);
  return socket;
}

async function join(socket: RawSocket, topic: string, config: object = {}): Promise<void> {
  const before = socket.frames.items.length;
  socket.push(topic, "phx_join", { config });
  await socket.frames.until(before + 1);
}

/** Resolves with the first frame of an event. */
async function frameOf({ frames }: RawSocket, event: string, from = 0): Promise<unknown> {
  for (;;) {
    const found = frames.items.slice(from).find((frame) => frame[3] === event);
    if (found !== undefined) return found[4];
    await frames.until(frames.items.length + 1);
  }
}

/** Sends a message on the joined channel and resolves with its reply. */
async function answered(
  { socket, frames }: RawSocket,
  topic: string,
  event: string,
  payload: object,
) {
  const ref = randomUUID();
  socket.send(JSON.stringify(["1", ref, topic, event, payload]));
  while (!frames.items.some((frame) => frame[1] === ref)) {
    await frames.until(frames.items.length + 1);
  }
}

const broadcast = (payload: object) => ({ type: "broadcast", event: "x", payload });

test("a client too slow for broadcasts misses some and keeps its socket", async () => {
  const [speaker, witness, slow] = [await connect(), await connect(), await connect()];
  const topic = `realtime:${randomUUID()}`;
  for (const one of [speaker, witness, slow]) await join(one, topic);
  slow.socket.pause();
  for (let n = 0; n < messageCount; n += 1) {
    speaker.push(topic, "broadcast", broadcast({ n, body: largeBody }));
    // One at a time, so that a reading client is never behind.
    await witness.frames.until(2 + n);
  }
  const seen = slow.frames.items.length;
  slow.socket.resume();
  // Its socket works, and it receives later broadcasts.
  const ref = randomUUID();
  slow.push("phoenix", "heartbeat", {}, ref);
  while (!slow.frames.items.some((frame) => frame[1] === ref)) {
    await slow.frames.until(slow.frames.items.length + 1);
  }
  const received = slow.frames.items.length;
  expect(received - seen).toBeLessThan(messageCount);
  speaker.push(topic, "broadcast", broadcast({ last: true }));
  await slow.frames.until(received + 1);
  expect(Buffer.isBuffer(slow.frames.items[received]?.[0])).toBe(true);
});

test("a client that missed presence diffs gets the whole state once it has caught up", async () => {
  const [speaker, other, slow] = [await connect(), await connect(), await connect()];
  const topic = `realtime:${randomUUID()}`;
  const presence = { enabled: true };
  await join(slow, topic, { presence });
  for (const one of [speaker, other])
    await join(one, topic, { presence, broadcast: { ack: true } });
  await frameOf(slow, "presence_state");
  slow.socket.pause();
  // The reply shows that the broadcast was delivered.
  for (let n = 0; n < messageCount; n += 1) {
    await answered(speaker, topic, "broadcast", broadcast({ n, body: largeBody }));
  }
  await answered(other, topic, "presence", { event: "track", payload: { name: "late" } });
  const before = slow.frames.items.length;
  slow.socket.resume();
  expect(JSON.stringify(await frameOf(slow, "presence_state", before))).toContain("late");
});

let posters = 0;

/** Subscribes to changes, stops reading, and writes more changes than the kernel buffers. */
async function fallBehind(slow: RawSocket): Promise<void> {
  const changes = [{ event: "INSERT", schema: "public", table: "posters" }];
  await join(slow, `realtime:${randomUUID()}`, { postgres_changes: changes });
  await frameOf(slow, "system");
  slow.socket.pause();
  for (let n = 0; n < messageCount; n += 1) {
    posters += 1;
    await ownerConnections().query("insert into posters (id, title) values ($1, $2)", [
      posters,
      largeBody,
    ]);
  }
  slow.socket.resume();
}

test("a client too slow for Postgres changes is cut, so that it reconnects and reads them", async () => {
  const slow = await connect();
  await fallBehind(slow);
  expect(await slow.closed).toBe(1006);
  expect(slow.frames.items.length).toBeLessThan(2 + messageCount);
});

test("above the shared limit of unsent bytes, the slowest clients are cut", async () => {
  const shared = await startRealtime({
    ...limits,
    unsentBytes: Infinity,
    allUnsentBytes: 8 * kib * kib,
  });
  try {
    const [slow, witness] = [await connect(shared), await connect(shared)];
    await fallBehind(slow);
    expect(await slow.closed).toBe(1006);
    witness.push("phoenix", "heartbeat", {}, "h");
    await witness.frames.until(1);
  } finally {
    await shared.stop();
  }
});
