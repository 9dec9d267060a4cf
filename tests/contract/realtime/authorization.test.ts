import { randomUUID } from "node:crypto";
import { afterAll, afterEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { Arrivals, changesOf, closeListeners, joined, listener } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { startRealtime } from "./own-realtime.ts";
import { addNote, closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

startOwnHost();
/** Clients send heartbeats by real time, not by the test's clock. */
const patient = { idleMs: Infinity };
afterEach(closeListeners);
afterAll(closeOwnerConnections);

test("a demotion stops the stream with the next change, a promotion opens it", async () => {
  const member = listener();
  const witness = listener();
  await setRank(member.id, 3);
  await setRank(witness.id, 4);
  const mine = await changesOf(member.client, { table: "notes", filter: "room_id=in.(1,3)" });
  const all = await changesOf(witness.client, { table: "notes" });
  const before = await addNote(3, "before");
  await all.arrivals.until(1);
  await setRank(member.id, 1);
  await addNote(3, "while demoted");
  await all.arrivals.until(2);
  await setRank(member.id, 3);
  const after = await addNote(3, "after");
  expect((await mine.arrivals.until(2)).map((one) => one.new)).toMatchObject([
    { id: before },
    { id: after },
  ]);
});

test("a refreshed token replaces the old one, and a changed role changes what is visible", async () => {
  const member = listener();
  await setRank(member.id, 4);
  const { channel, arrivals } = await changesOf(member.client, { table: "notes" });
  const first = await addNote(2, "first");
  await arrivals.until(1);
  await member.refreshWith({ role: "anon" });
  // The answer to a later message proves that the server has processed the token.
  await channel.track({});
  await addNote(2, "as anonymous");
  expect((await arrivals.until(2))[1]?.errors).toEqual(["Error 401: Unauthorized"]);
  await member.refreshWith({ again: true });
  await channel.track({ again: true });
  const last = await addNote(2, "as member");
  expect((await arrivals.until(3)).map((one) => one.new)).toMatchObject([
    { id: first },
    {},
    { id: last },
  ]);
});

test("a client that changes its account while recipients are resolved gets no change of the old account", async () => {
  const member = listener();
  const other = randomUUID();
  await setRank(member.id, 4);
  await setRank(other, 1);
  const { channel, arrivals } = await changesOf(member.client, { table: "notes" });
  const first = await addNote(1, "first");
  await arrivals.until(1);
  const holding = await ownerConnections().connect();
  try {
    await holding.query("begin; lock table ranks in access exclusive mode");
    await addNote(3, "for the one before");
    const isAsked = async () => {
      const { rows } = await ownerConnections().query(
        "select from pg_locks where relation = 'public.ranks'::regclass and not granted",
      );
      return rows.length > 0;
    };
    await expect.poll(isAsked).toBe(true);
    await member.refreshWith({ sub: other });
    // The answer to a later message proves that the server has processed the token.
    await channel.track({});
    await holding.query("commit");
  } finally {
    holding.release();
  }
  const last = await addNote(1, "for both");
  expect((await arrivals.until(2)).map((one) => one.new)).toMatchObject([
    { id: first },
    { id: last },
  ]);
});

test("an expired token closes the channel with a reason, a refreshed one keeps it open", async () => {
  const service = await startRealtime(patient);
  try {
    const seconds = Math.floor(Date.now() / 1000);
    const member = listener({ exp: seconds + 3600 }, service.running);
    await setRank(member.id, 4);
    const { channel, arrivals } = await changesOf(member.client, { table: "notes" });
    const told = new Arrivals<string>();
    channel.on("system", {}, ({ message }: { message: string }) => told.add(message));
    await member.refreshWith({ exp: seconds + 7200 });
    // The answer to a later message proves that the server has processed the token.
    await channel.track({});
    service.advance(3_601_000);
    const id = await addNote(1, "after the first token's end");
    expect((await arrivals.until(1))[0]?.new).toMatchObject({ id });
    service.advance(3_600_000);
    await addNote(1, "after the second token's end");
    while (told.items.at(-1) !== "Token has expired") await told.until(told.items.length + 1);
    expect(arrivals.items).toHaveLength(1);
  } finally {
    await closeListeners();
    await service.stop();
  }
});

test("an expired token opens no channel", async () => {
  const late = listener({ exp: Math.floor(Date.now() / 1000) - 2 });
  await expect(joined(late.client.channel(randomUUID())).then(() => "joined")).rejects.toThrow(
    /InvalidJWTToken/,
  );
});

test("a permission lost without a new token closes a private channel at the next check", async () => {
  const service = await startRealtime(patient);
  try {
    const member = listener({}, service.running);
    await setRank(member.id, 3);
    const club = member.client.channel("club", { config: { private: true } });
    const told = new Arrivals<string>();
    club.on("system", {}, ({ message }: { message: string }) => told.add(message));
    await joined(club);
    service.advance(31_000);
    await setRank(member.id, 2);
    service.advance(31_000);
    expect((await told.until(1)).at(-1)).toMatch(/^You do not have permissions to read/);
  } finally {
    await closeListeners();
    await service.stop();
  }
});

test("a token of another install and a role that requests may not take are rejected", async () => {
  for (const role of ["supabase_admin", "postgres", "nobody_at_all"]) {
    const { client } = listener({ role });
    await expect(joined(client.channel(randomUUID())).then(() => "joined")).rejects.toThrow(
      /InvalidJWTToken/,
    );
  }
  const other = listener({}, { ...hostOfFile(), jwtSecret: "x".repeat(40) });
  await expect(joined(other.client.channel(randomUUID())).then(() => "joined")).rejects.toThrow(
    /InvalidJWTToken/,
  );
});

test("a policy that raises or hangs for one subscriber affects no other", async () => {
  const good = [listener(), listener(), listener()];
  const bad = [listener({ poison: "yes" }), listener({ slow: "yes" })];
  const goodArrivals = await Promise.all(
    good.map(({ client }) => changesOf(client, { table: "traps" })),
  );
  const badArrivals = await Promise.all(
    bad.map(({ client }) => changesOf(client, { table: "traps" })),
  );
  for (const id of [1, 2, 3])
    await ownerConnections().query("insert into traps (id) values ($1)", [id]);
  for (const { arrivals } of goodArrivals) {
    expect((await arrivals.until(3)).map((one) => one.new)).toMatchObject([
      { id: 1 },
      { id: 2 },
      { id: 3 },
    ]);
  }
  for (const { arrivals } of badArrivals) expect(arrivals.items).toEqual([]);
  await ownerConnections().query("delete from traps");
});

/** The status line of the response to an upgrade request. */
async function refusal(query: string, headers: Record<string, string> = {}): Promise<number> {
  const url = `${hostOfFile().url.replace("http", "ws")}/realtime/v1/websocket?${query}`;
  return await new Promise((resolve, reject) => {
    const socket = new WebSocket(url, { headers });
    socket.once("unexpected-response", (_, response) => resolve(response.statusCode ?? 0));
    socket.once("open", () => {
      socket.close();
      resolve(101);
    });
    socket.once("error", reject);
  });
}

test("a socket requires an API key and an allowed origin", async () => {
  const { anonKey, url } = hostOfFile();
  expect(await refusal(`apikey=${anonKey}`)).toBe(101);
  expect(await refusal("")).toBe(401);
  expect(await refusal("apikey=wrong")).toBe(401);
  expect(await refusal(`apikey=${anonKey}`, { origin: url })).toBe(101);
  expect(await refusal(`apikey=${anonKey}`, { origin: "https://elsewhere.test" })).toBe(403);
});
