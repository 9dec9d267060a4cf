import { randomUUID } from "node:crypto";
import {
  REALTIME_SUBSCRIBE_STATES,
  createClient,
  type RealtimeChannel,
  type RealtimeChannelOptions,
} from "@supabase/supabase-js";
import { afterAll, afterEach, expect, inject, test } from "vitest";
import {
  Arrivals,
  closeListeners,
  joined,
  listener,
  track,
  type RealtimeUser,
} from "./listeners.ts";
import { addNote, closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

afterEach(closeListeners);
afterAll(closeOwnerConnections);

interface Heard {
  event: string;
  payload: unknown;
  meta?: unknown;
}

async function hear(
  client: RealtimeUser["client"],
  topic: string,
  config: RealtimeChannelOptions["config"] = {},
): Promise<{ channel: RealtimeChannel; heard: Arrivals<Heard> }> {
  const heard = new Arrivals<Heard>();
  const channel = client.channel(topic, { config }).on("broadcast", { event: "*" }, heard.add);
  await joined(channel);
  return { channel, heard };
}

function oldClient() {
  const { url, anonKey } = inject("host");
  return track(createClient(url, anonKey, { realtime: { vsn: "1.0.0" } }));
}

test("a broadcast reaches other clients, and the sender if it asks, in both protocol versions", async () => {
  const topic = randomUUID();
  const [speaker, other] = [listener(), listener()];
  const mine = await hear(speaker.client, topic, { broadcast: { self: true, ack: true } });
  const theirs = await hear(other.client, topic, { broadcast: { ack: true } });
  const old = await hear(oldClient(), topic);
  const payload = { text: 'ünï "quoted" 🎈', deep: [1, null] };
  expect(await mine.channel.send({ type: "broadcast", event: "word", payload })).toBe("ok");
  expect(await theirs.channel.send({ type: "broadcast", event: "answer", payload: {} })).toBe("ok");
  expect(await old.channel.send({ type: "broadcast", event: "old", payload: { a: 1 } })).toBe("ok");
  expect(await mine.heard.until(3)).toMatchObject([
    { event: "word", payload },
    { event: "answer", payload: {} },
    { event: "old", payload: { a: 1 } },
  ]);
  expect((await theirs.heard.until(2)).map(({ event }) => event)).toEqual(["word", "old"]);
  expect((await old.heard.until(2)).map(({ event, payload: got }) => [event, got])).toEqual([
    ["word", payload],
    ["answer", {}],
  ]);
});

test("binary payloads arrive as bytes if the protocol version can carry them", async () => {
  const topic = randomUUID();
  const [speaker, other] = [listener(), listener()];
  const mine = await hear(speaker.client, topic, { broadcast: { ack: true } });
  const theirs = await hear(other.client, topic);
  const old = await hear(oldClient(), topic);
  const payload = Uint8Array.from([0, 255, 1, 2]).buffer;
  await mine.channel.send({ type: "broadcast", event: "bytes", payload });
  await mine.channel.send({ type: "broadcast", event: "after", payload: {} });
  const [bytes] = await theirs.heard.until(2);
  expect([...new Uint8Array(bytes?.payload as ArrayBuffer)]).toEqual([0, 255, 1, 2]);
  expect((await old.heard.until(1)).map(({ event }) => event)).toEqual(["after"]);
});

test("broadcasts over HTTP reach subscribers; private topics require permission", async () => {
  const [high, low] = [listener(), listener()];
  await setRank(high.id, 2);
  await setRank(low.id, 1);
  const hall = await hear(low.client, "hall", { private: true });
  const open = await hear(low.client, "hall-outside");
  for (const { client } of [high, low]) await client.realtime.setAuth();
  await high.client.channel("hall-outside").httpSend("public", { n: 1 });
  await expect(
    low.client.channel("hall", { config: { private: true } }).httpSend("no", { n: 2 }),
  ).rejects.toThrow("Forbidden");
  await high.client.channel("hall", { config: { private: true } }).httpSend("yes", { n: 3 });
  const { url, anonKey } = inject("host");
  const post = async (body: unknown, key = anonKey) =>
    await fetch(`${url}/realtime/v1/api/broadcast`, {
      method: "POST",
      headers: { apikey: key, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const messages = [
    { topic: "hall", event: "forged", payload: {}, private: true },
    { topic: "hall-outside", event: "batch", payload: { n: 4 } },
  ];
  expect((await post({ messages })).status).toBe(202);
  expect((await post({ messages: [{ topic: "" }] })).status).toBe(422);
  expect((await post({ messages }, "wrong")).status).toBe(401);
  expect((await open.heard.until(2)).map(({ event }) => event)).toEqual(["public", "batch"]);
  expect((await hall.heard.until(1)).map(({ event }) => event)).toEqual(["yes"]);
});

test("the database broadcasts with send, send_binary and triggers", async () => {
  const member = listener();
  const other = listener();
  const desk = await hear(member.client, `desk:${member.id}`, { private: true });
  const open = await hear(other.client, `desk:${member.id}`);
  const id = await addNote(1, "on the desk", member.id);
  await ownerConnections().query("select realtime.send('{\"n\": 1}', 'hello', $1)", [
    `desk:${member.id}`,
  ]);
  await ownerConnections().query("select realtime.send_binary('\\x0102', 'bytes', $1)", [
    `desk:${member.id}`,
  ]);
  await ownerConnections().query("select realtime.send('{\"n\": 2}', 'open', $1, false)", [
    `desk:${member.id}`,
  ]);
  const [row, hello, bytes] = await desk.heard.until(3);
  expect(row).toMatchObject({
    event: "INSERT",
    payload: {
      operation: "INSERT",
      table: "notes",
      schema: "public",
      record: { id },
      old_record: null,
    },
  });
  expect(hello).toMatchObject({ event: "hello", payload: { n: 1, id: expect.any(String) } });
  expect([...new Uint8Array(bytes?.payload as ArrayBuffer)]).toEqual([1, 2]);
  // A public channel of the same name is another channel.
  expect((await open.heard.until(1)).map(({ event }) => event)).toEqual(["open"]);
});

test("a private channel replays missed broadcasts to a late subscriber", async () => {
  const member = listener();
  const since = Date.now() - 1000;
  await addNote(1, "missed", member.id);
  const late = await hear(member.client, `desk:${member.id}`, {
    private: true,
    broadcast: { replay: { since, limit: 5 } },
  });
  expect((await late.heard.until(1))[0]).toMatchObject({
    event: "INSERT",
    meta: { replayed: true },
  });
});

test("policies decide who joins a private channel, sends on it and loses it", async () => {
  const [high, low] = [listener(), listener()];
  await setRank(high.id, 3);
  await setRank(low.id, 1);
  const refused = low.client.channel("club", { config: { private: true } });
  await expect(joined(refused).then(() => "joined")).rejects.toThrow(
    "Unauthorized: You do not have permissions to read from this Channel topic: club",
  );
  await low.client.removeChannel(refused);
  const foreign = low.client.channel(`desk:${high.id}`, { config: { private: true } });
  await expect(joined(foreign).then(() => "joined")).rejects.toThrow("Unauthorized");
  await low.client.removeChannel(foreign);
  const speak = { private: true, broadcast: { ack: true } };
  const mine = await hear(high.client, "hall", speak);
  const theirs = await hear(low.client, "hall", speak);
  const send = async (channel: RealtimeChannel, event: string) =>
    await channel.send({ type: "broadcast", event, payload: {} });
  expect(await send(theirs.channel, "forbidden")).toBe("error");
  expect(await theirs.channel.track({ forbidden: true })).toBe("error");
  expect(await send(mine.channel, "allowed")).toBe("ok");
  expect((await theirs.heard.until(1)).map(({ event }) => event)).toEqual(["allowed"]);
  expect(mine.heard.items).toEqual([]);

  const club = high.client.channel("club", { config: { private: true } });
  const closed = new Promise<void>((resolve, reject) => {
    club.subscribe((status) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) {
        setRank(high.id, 2)
          .then(async () => await high.refreshWith({ again: true }))
          .catch(reject);
      }
      if (status === REALTIME_SUBSCRIBE_STATES.CLOSED) resolve();
    });
  });
  await closed;
});
