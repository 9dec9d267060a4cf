import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { afterAll, afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { realtimeDefaults } from "basehost/testing";
import { signToken } from "../rest/callers.ts";
import { startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { ended, headOf, openBareSocket } from "./bare-socket.ts";
import { ask, lastWords, rawSocket, type RawSocket } from "./raw-socket.ts";
import { closeOwnerConnections, ownerConnections } from "./rows.ts";

startOwnHost();
const kib = 1024;
let service: OwnRealtime | undefined;
let open: (RawSocket["socket"] | Socket)[] = [];
afterEach(async () => {
  for (const socket of open) {
    if ("terminate" in socket) socket.terminate();
    else socket.destroy();
  }
  open = [];
  await service?.stop();
  service = undefined;
});
afterAll(closeOwnerConnections);

/** A service whose clock stands still, with the limits of each test. */
async function start(...limits: Parameters<typeof startRealtime>): Promise<OwnRealtime> {
  service = await startRealtime(...limits);
  return service;
}

async function connect(localAddress?: string): Promise<RawSocket> {
  if (!service) throw new Error("no service was started");
  const socket = await rawSocket(service.running, localAddress);
  open.push(socket.socket);
  return socket;
}

/** The response to an upgrade request. */
async function attempt(localAddress?: string): Promise<{ status: number; retryAfter: unknown }> {
  const { url = "", anonKey = "" } = service?.running ?? {};
  const target = `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${anonKey}&vsn=2.0.0`;
  return await new Promise((resolve, reject) => {
    const socket = new WebSocket(target, localAddress === undefined ? {} : { localAddress });
    open.push(socket);
    socket.once("unexpected-response", (_, { statusCode = 0, headers }) =>
      resolve({ status: statusCode, retryAfter: headers["retry-after"] }),
    );
    socket.once("open", () => resolve({ status: 101, retryAfter: undefined }));
    socket.once("error", reject);
  });
}

async function join(socket: RawSocket, topic: string, more: object = {}): Promise<void> {
  socket.push(topic, "phx_join", { config: { broadcast: { ack: true } }, ...more });
  const before = socket.frames.items.length;
  await socket.frames.until(before + 1);
  expect(JSON.stringify(socket.frames.items[before])).toContain('"ok"');
}

async function tokenOf(sub: string = randomUUID()): Promise<string> {
  const claims = { sub, role: "authenticated", aud: "authenticated" };
  return await signToken(claims, service?.running.jwtSecret ?? "");
}

const track = (payload: object) => ({ type: "presence", event: "track", payload });
const broadcast = (bytes: number) => ({
  type: "broadcast",
  event: "x",
  payload: { text: "x".repeat(bytes) },
});

test("presence payloads are limited in size, more for anonymous clients, and in rate", async () => {
  await start();
  const [anon, member] = [await connect(), await connect()];
  await join(anon, "realtime:a");
  await join(member, "realtime:a", { access_token: await tokenOf() });
  const large = track({ text: "x".repeat(4 * kib) });
  expect(await ask(member, "realtime:a", "presence", large)).toMatchObject({ status: "ok" });
  anon.push("realtime:a", "presence", large);
  expect(await lastWords(anon)).toBe("Track message size exceeded");
  for (let n = 0; n < 4; n += 1) await ask(member, "realtime:a", "presence", track({ n }));
  member.push("realtime:a", "presence", track({ n: 5 }));
  expect(await lastWords(member)).toBe("Client presence rate limit exceeded");
});

test("presence is limited by socket, topic and process, and leaving frees its share", async () => {
  const payload = track({ text: "x".repeat(700) });
  const full = { status: "error", response: { reason: "presence_limit_reached" } };
  await start({
    anon: { ...realtimeDefaults.anon, presenceBytesPerSocket: 2 * kib },
    presencesPerTopic: 2,
    presenceBytes: 4 * kib,
  });
  const [one, two, three] = [await connect(), await connect(), await connect()];
  for (const topic of ["realtime:a", "realtime:b", "realtime:c"]) await join(one, topic);
  const present = async (socket: RawSocket, topic: string) =>
    await ask(socket, topic, "presence", payload);
  expect(await present(one, "realtime:a")).toMatchObject({ status: "ok" });
  expect(await present(one, "realtime:b")).toMatchObject({ status: "ok" });
  expect(await present(one, "realtime:c")).toMatchObject(full);
  for (const socket of [two, three]) await join(socket, "realtime:a");
  expect(await present(two, "realtime:a")).toMatchObject({ status: "ok" });
  // Two are present on the topic.
  expect(await present(three, "realtime:a")).toMatchObject(full);
  await join(three, "realtime:d");
  expect(await present(three, "realtime:d")).toMatchObject({ status: "ok" });
  await join(two, "realtime:e");
  // Four hold all the process holds.
  expect(await present(two, "realtime:e")).toMatchObject(full);
  await ask(one, "realtime:a", "phx_leave", {});
  expect(await present(two, "realtime:e")).toMatchObject({ status: "ok" });
});

test("an address is limited in sockets and in new sockets, and gets Retry-After", async () => {
  await start({ socketsPerAddress: 3, connectsPerSecondPerAddress: 1 });
  const sockets = [await connect(), await connect(), await connect()];
  expect(await attempt()).toEqual({ status: 429, retryAfter: "5" });
  // Another address is not affected.
  expect(await attempt("127.0.0.2")).toMatchObject({ status: 101 });
  const [first] = sockets;
  first?.socket.close();
  await first?.closed;
  // A closed socket makes room once the server has noticed.
  let status = 429;
  for (let n = 0; n < 2 && status === 429; n += 1) ({ status } = await attempt());
  expect(status).toBe(101);
  await expect(attempt()).resolves.toMatchObject({ status: 429 });
  service?.advance(1_000);
  // One more attempt a second: it is rejected for the number of sockets again.
  expect(await attempt()).toMatchObject({ status: 429 });
});

test("sockets are counted by the address of a trusted proxy's header, not of any header", async () => {
  const told = async (address: string) => {
    const { url = "", anonKey = "" } = service?.running ?? {};
    const socket = new WebSocket(
      `${url.replace("http", "ws")}/realtime/v1/websocket?apikey=${anonKey}`,
      { headers: { "x-forwarded-for": address } },
    );
    open.push(socket);
    return await new Promise<number>((resolve) => {
      socket.once("unexpected-response", (_, { statusCode = 0 }) => resolve(statusCode));
      socket.once("open", () => resolve(101));
      socket.on("error", () => undefined);
    });
  };
  await start({ socketsPerAddress: 1 });
  expect(await told("192.0.2.1")).toBe(101);
  expect(await told("192.0.2.2")).toBe(429);
  await service?.stop();
  await start({ socketsPerAddress: 1 }, { trustedProxy: "127.0.0.1" });
  expect(await told("192.0.2.1")).toBe(101);
  expect(await told("192.0.2.2")).toBe(101);
  expect(await told("2001:db8::1")).toBe(101);
  expect(await told("2001:db8::2")).toBe(429);
});

test("old anonymous sockets make room for new ones, sockets with an account do not", async () => {
  await start({ anonSockets: 50 });
  const member = await connect();
  await join(member, "realtime:a", { access_token: await tokenOf() });
  const oldest = await connect("127.0.0.3");
  for (let n = 0; n < 49; n += 1) await connect();
  // All are new and may be about to join.
  expect(await attempt("127.0.0.4")).toMatchObject({ status: 429 });
  service?.advance(11_000);
  // An address above its share gets no more.
  expect(await attempt()).toMatchObject({ status: 429 });
  expect(await attempt("127.0.0.4")).toMatchObject({ status: 101 });
  expect(await oldest.closed).toBe(1006);
  await ask(member, "realtime:a", "broadcast", broadcast(1));
});

test("an account is limited in sockets", async () => {
  await start({ socketsPerAccount: 2 });
  const access_token = await tokenOf();
  const sockets = [await connect(), await connect(), await connect()];
  for (const socket of sockets.slice(0, 2)) await join(socket, "realtime:a", { access_token });
  const third = sockets[2] as RawSocket;
  const refused = await ask(third, "realtime:a", "phx_join", { config: {}, access_token });
  expect(refused.response.reason).toBe("ConnectionRateLimitReached: Too many connected users");
  await join(third, "realtime:a", { access_token: await tokenOf() });
});

test("broadcasts are limited in size, and a sender over its rate loses its channel, not its receivers", async () => {
  await start();
  const [sender, listener] = [await connect(), await connect()];
  await join(sender, "realtime:a");
  await join(listener, "realtime:a");
  expect(await ask(sender, "realtime:a", "broadcast", broadcast(65 * kib))).toEqual({
    status: "error",
    response: { error: "payload_size_exceeded" },
  });
  for (let n = 0; n < 20; n += 1) sender.push("realtime:a", "broadcast", broadcast(60 * kib));
  expect(await lastWords(sender)).toBe("Too many messages per second");
  expect(await ask(listener, "realtime:a", "broadcast", broadcast(1))).toMatchObject({
    status: "error",
  });
  // The receiver has the same address, but its account is another caller.
  await ask(listener, "realtime:a", "phx_leave", {});
  await join(listener, "realtime:a", { access_token: await tokenOf() });
  expect(await ask(listener, "realtime:a", "broadcast", broadcast(1))).toMatchObject({
    status: "ok",
  });
});

test("large messages are limited by socket before they are decoded, small ones are not", async () => {
  await start({ receivedBytesPerSecond: 100 * kib });
  const [sender, other] = [await connect(), await connect()];
  const access_token = await tokenOf();
  await join(sender, "realtime:a", { access_token });
  await join(other, "realtime:a", { access_token });
  const refused = { response: { error: "payload_size_exceeded" } };
  for (let n = 0; n < 2; n += 1) {
    const answer = await ask(sender, "realtime:a", "broadcast", broadcast(300 * kib));
    expect(answer).toMatchObject(refused);
  }
  sender.push("realtime:a", "broadcast", broadcast(300 * kib));
  expect(await lastWords(sender)).toBe("Too many messages per second");
  expect(await ask(sender, "realtime:a", "phx_leave", {})).toMatchObject({ status: "ok" });
  await join(sender, "realtime:a", { access_token });
  expect(await ask(sender, "realtime:a", "broadcast", broadcast(kib))).toMatchObject({
    status: "ok",
  });
  // Another socket of the account has its own budget.
  const large = await ask(other, "realtime:a", "broadcast", broadcast(300 * kib));
  expect(large).toMatchObject(refused);
});

test("broadcasts over HTTP have the same limits, with Retry-After", async () => {
  const { running, request } = await start();
  const post = async (bytes: number, count = 1) =>
    await request(
      new Request(`${running.url}/api/broadcast`, {
        method: "POST",
        headers: { apikey: running.anonKey, "content-type": "application/json" },
        body: JSON.stringify({
          messages: Array.from({ length: count }, () => ({
            topic: "a",
            event: "x",
            payload: { text: "x".repeat(bytes) },
          })),
        }),
      }),
    );
  expect((await post(10)).status).toBe(202);
  expect((await post(65 * kib)).status).toBe(422);
  expect((await post(10, 199)).status).toBe(202);
  const refused = await post(10);
  expect(refused.status).toBe(429);
  expect(refused.headers.get("retry-after")).toBe("1");
  expect(await refused.json()).toEqual({ message: "You have exceeded your rate limit" });
});

test("joins are limited for each caller on its own", async () => {
  await start({ anon: { ...realtimeDefaults.anon, joinsPerSecond: 5 } });
  const [one, member] = [await connect(), await connect()];
  for (let n = 0; n < 20; n += 1) await join(one, `realtime:${n}`);
  const other = await connect();
  const refused = await ask(other, "realtime:a", "phx_join", { config: {} });
  expect(refused.response.reason).toBe("ClientJoinRateLimitReached: Too many joins per second");
  const access_token = await tokenOf();
  for (let n = 0; n < 20; n += 1) await join(member, `realtime:${n}`, { access_token });
  service?.advance(1_000);
  await join(other, "realtime:a");
});

test("messages queued behind a slow join are limited", async () => {
  await start();
  const socket = await connect();
  const holding = await ownerConnections().connect();
  try {
    await holding.query("begin; lock table realtime.messages in access exclusive mode");
    const access_token = await tokenOf();
    socket.push("realtime:hall", "phx_join", { config: { private: true }, access_token });
    for (let n = 0; n < 198; n += 1) socket.push("realtime:hall", "broadcast", broadcast(1));
    // The reply shows that all earlier messages arrived within the second.
    socket.push("phoenix", "heartbeat", {}, "h");
    await socket.frames.until(1);
    service?.advance(1_000);
    for (let n = 0; n < 60; n += 1) socket.push("realtime:hall", "broadcast", broadcast(1));
    expect(await socket.closed).toBe(1008);
  } finally {
    await holding.query("rollback");
    holding.release();
  }
});

async function bareSocket(): Promise<Socket> {
  if (!service) throw new Error("no service was started");
  const socket = await openBareSocket(service.running);
  open.push(socket);
  return socket;
}

test("an incomplete message times out", async () => {
  await start({ idleMs: Infinity });
  const socket = await bareSocket();
  const isEnded = ended(socket);
  const witness = await connect();
  socket.write(headOf(1_000));
  // The reply to a later message shows that the incomplete one was received.
  socket.write(Buffer.alloc(500));
  witness.push("phoenix", "heartbeat", {}, "1");
  await witness.frames.until(1);
  const waiting = setInterval(() => service?.advance(31_000), 5);
  await isEnded;
  clearInterval(waiting);
  witness.push("phoenix", "heartbeat", {}, "2");
  await witness.frames.until(2);
});

test("incomplete messages are limited together, and the largest are cut first", async () => {
  await start({ waitingBytes: 600 * kib });
  const [small, large] = [await bareSocket(), await bareSocket()];
  const isEnded = ended(large);
  small.write(headOf(1_000_000));
  small.write(Buffer.alloc(100 * kib));
  large.write(headOf(1_000_000));
  large.write(Buffer.alloc(700 * kib));
  await isEnded;
  expect(small.destroyed).toBe(false);
  const witness = await connect();
  witness.push("phoenix", "heartbeat", {}, "1");
  await witness.frames.until(1);
  expect(small.readyState).toBe("open");
});

test("invalid tokens of any length and content are rejected without a database connection", async () => {
  await start();
  const socket = await connect();
  for (const access_token of ["x", "💥", "ey".repeat(20_000), "a.b.c\n"]) {
    const answer = await ask(socket, "realtime:a", "phx_join", { config: {}, access_token });
    expect(answer.response.reason).toMatch(/^InvalidJWTToken/);
  }
});
