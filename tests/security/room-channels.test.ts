import { randomUUID } from "node:crypto";
import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from "@supabase/supabase-js";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, newcomer, setSubscriptionStatus } from "./members.ts";
import { roomAt, postMessage, setLevel } from "./rooms.ts";

type Client = Account["client"];
const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.removeAllChannels();
});

/** Whether the client may join the private channel. */
async function mayJoin(client: Client, topic: string): Promise<boolean> {
  open.push(client);
  await client.realtime.setAuth();
  const channel = client.channel(topic, { config: { private: true } });
  const isIn = await new Promise<boolean>((resolve) => {
    channel.subscribe((status) => resolve(status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED));
  });
  await client.removeChannel(channel);
  return isIn;
}

/** Subscribes to every message the account may read. @returns a list that grows as messages arrive. */
async function listen({ client }: Account, wake: () => void): Promise<string[]> {
  open.push(client);
  await client.realtime.setAuth();
  const contents: string[] = [];
  const channel: RealtimeChannel = client
    .channel(`messages:${randomUUID()}`)
    .on(
      "postgres_changes",
      { event: "INSERT", schema: "public", table: "chat_messages" },
      (one) => {
        contents.push(String(one.new["content"]));
        wake();
      },
    );
  await new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED) resolve();
      else reject(error ?? new Error(status));
    });
  });
  return contents;
}

describe("realtime", () => {
  let ada: Account;
  let bob: Account;
  beforeAll(async () => {
    [ada, bob] = [await member(), await member()];
    await setLevel(bob.id, 4);
  });

  test("opens a room's channel to members who may read the room", async () => {
    expect(await mayJoin(ada.client, `room:${roomAt[1]}`)).toBe(true);
    expect(await mayJoin(bob.client, `room:${roomAt[4]}`)).toBe(true);
  });

  test("refuses a room's channel to other accounts", async () => {
    for (const room of [roomAt[2], roomAt[3], roomAt[4]]) {
      expect(await mayJoin(ada.client, `room:${room}`), room).toBe(false);
    }
    for (const topic of ["room:cellar", "room:", roomAt[1], `chat:${roomAt[1]}`]) {
      expect(await mayJoin(bob.client, topic), topic).toBe(false);
    }
    expect(await mayJoin(anonymous(), `room:${roomAt[1]}`)).toBe(false);
    expect(await mayJoin((await newcomer()).client, `room:${roomAt[1]}`)).toBe(false);
    const lapsed = await member();
    await setSubscriptionStatus(lapsed.id, "canceled");
    expect(await mayJoin(lapsed.client, `room:${roomAt[1]}`)).toBe(false);
  });

  test("delivers messages only while the member may read them, through demotion and lapse", async () => {
    const [writer, subject] = [await member(), await member()];
    for (const { id } of [writer, subject]) await setLevel(id, 4);
    let wake: () => void = () => undefined;
    const [all, some] = [await listen(writer, () => wake()), await listen(subject, () => wake())];
    const run = randomUUID();
    const tell = async (word: string, room: string) => {
      const content = `${run} ${word}`;
      await postMessage(writer, content, room);
      while (!all.includes(content)) await new Promise<void>((resolve) => (wake = resolve));
    };
    await tell("high", roomAt[4]);
    await setLevel(subject.id, 1);
    await tell("above", roomAt[4]);
    await tell("low", roomAt[1]);
    await setSubscriptionStatus(subject.id, "canceled");
    await tell("lapsed", roomAt[1]);
    await setSubscriptionStatus(subject.id, "active");
    await tell("back", roomAt[1]);
    const last = `${run} back`;
    while (!some.includes(last)) await new Promise<void>((resolve) => (wake = resolve));
    const own = some.filter((content) => content.startsWith(run));
    expect(own.map((content) => content.split(" ")[1])).toEqual(["high", "low", "back"]);
  });
});
