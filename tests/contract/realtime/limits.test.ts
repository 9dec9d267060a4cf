import { expect, test } from "vitest";
import { rawSocket } from "./raw-socket.ts";

const JOIN = { config: {} };

test("frames that are too large or no messages end the socket, and only that one", async () => {
  const witness = await rawSocket();
  const large = await rawSocket();
  large.socket.send("x".repeat(1024 * 1024 + 1));
  expect(await large.closed).toBe(1009);
  for (const nonsense of ["no json", "{}", "[]", Buffer.from([9, 9, 9]), Buffer.alloc(0)]) {
    const odd = await rawSocket();
    odd.socket.send(nonsense);
    expect(await odd.closed).toBe(1007);
  }
  witness.push("phoenix", "heartbeat", {}, "7");
  expect(await witness.frames.until(1)).toEqual([
    ["7", "7", "phoenix", "phx_reply", { status: "ok", response: {} }],
  ]);
  witness.socket.close();
});

test("a socket has at most a hundred channels and joins no faster than a hundred a second", async () => {
  const socket = await rawSocket();
  for (let n = 0; n < 100; n++) socket.push(`realtime:room-${n}`, "phx_join", JOIN, String(n));
  await socket.frames.until(100);
  const statuses = socket.frames.items.map((frame) => (frame[4] as { status: string }).status);
  expect(new Set(statuses)).toEqual(new Set(["ok"]));
  for (let n = 100; n < 300; n++) socket.push(`realtime:room-${n}`, "phx_join", JOIN, String(n));
  expect(await socket.closed).toBe(1008);
  const reasons = JSON.stringify(socket.frames.items.slice(100));
  expect(reasons).toMatch(/ChannelRateLimitReached|ClientJoinRateLimitReached/);
});

test("too many messages end the channel they were for", async () => {
  const socket = await rawSocket();
  socket.push("realtime:flood", "phx_join", JOIN);
  await socket.frames.until(1);
  for (let n = 0; n < 450; n++) {
    socket.push("realtime:flood", "broadcast", { type: "broadcast", event: "x", payload: {} });
  }
  await socket.frames.until(3);
  expect(socket.frames.items.map((frame) => frame[3])).toEqual(
    expect.arrayContaining(["system", "phx_close"]),
  );
  expect(JSON.stringify(socket.frames.items)).toContain("Too many messages per second");
  socket.socket.close();
});

test("strange joins are answered, not suffered", async () => {
  const socket = await rawSocket();
  const strange = [
    ["realtime:", JOIN],
    ["elsewhere:room", JOIN],
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
  await socket.frames.until(strange.length + 2);
  while (replies().size < strange.length + 2)
    await socket.frames.until(socket.frames.items.length + 1);
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
  socket.socket.close();
});
