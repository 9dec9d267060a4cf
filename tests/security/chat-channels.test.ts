import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, newcomer, setSubscriptionStatus } from "./members.ts";
import { makeRoom, removeRooms, roomAt, setLevel } from "./rooms.ts";

afterAll(removeRooms);

type Client = Pick<Account, "client">;

const { SUBSCRIBED, CHANNEL_ERROR } = REALTIME_SUBSCRIBE_STATES;

async function channelOf({ client }: Client, room: string): Promise<RealtimeChannel> {
  await client.realtime.setAuth();
  return client.channel(`room:${room}`, { config: { private: true, broadcast: { ack: true } } });
}

/** The first status of a subscription. */
async function statusOf(channel: RealtimeChannel): Promise<string> {
  return await new Promise((resolve) => {
    channel.subscribe((status) => resolve(status));
  });
}

/** Joins the channel of a room and leaves it again. @returns the status of the subscription. */
async function attempt(who: Client, room: string): Promise<string> {
  const channel = await channelOf(who, room);
  const status = await statusOf(channel);
  await who.client.removeChannel(channel);
  return status;
}

/** A broadcast of a room. */
interface Heard {
  event: string;
  payload: Record<string, unknown>;
}

/** Listens to everything a room's channel carries. */
async function listen(who: Client, room: string) {
  const heard: Heard[] = [];
  let wake: () => void = () => undefined;
  const channel = await channelOf(who, room);
  channel
    .on("broadcast", { event: "*" }, ({ event, payload }) => {
      const { id: _, ...rest } = payload as Record<string, unknown>;
      heard.push({ event, payload: rest });
      wake();
    })
    .on("presence", { event: "join" }, ({ newPresences }) => {
      heard.push({ event: "presence", payload: { newPresences } });
      wake();
    });
  expect(await statusOf(channel)).toBe(SUBSCRIBED);
  return {
    channel,
    heard,
    /** Resolves with all received messages once this one has arrived. */
    until: async (event: string, payload: object) => {
      const isWanted = (one: Heard) =>
        one.event === event && JSON.stringify(one.payload) === JSON.stringify(payload);
      while (!heard.some(isWanted)) await new Promise<void>((resolve) => (wake = resolve));
      return heard;
    },
  };
}

async function call({ client }: Client, name: string, room: string) {
  const { data, error } = await client.rpc(name, { room_id: room });
  if (error) throw new Error(error.message);
  return data as unknown;
}

test("members of a room see who is in it and who is typing", async () => {
  const [ada, bob] = [await member(), await member()];
  const room = await makeRoom();
  const { channel, until } = await listen(ada, room);
  await call(bob, "increment_participant_count", room);
  await until("participants", { joined: [bob.id] });
  expect(await call(ada, "room_participants", room)).toEqual([bob.id]);
  await call(bob, "notify_typing", room);
  await until("typing", { user_id: bob.id });
  await call(bob, "decrement_participant_count", room);
  await until("participants", { left: [bob.id] });
  expect(await call(ada, "room_participants", room)).toEqual([]);
  await ada.client.removeChannel(channel);
});

test("a client cannot join or type as another member", async () => {
  const [ada, bob, eve] = [await member(), await member(), await member()];
  const room = await makeRoom();
  const { channel, heard, until } = await listen(ada, room);
  await eve.client.realtime.setAuth();
  const forged = eve.client.channel(`room:${room}`, {
    config: { private: true, broadcast: { ack: true }, presence: { key: bob.id } },
  });
  expect(await statusOf(forged)).toBe(SUBSCRIBED);
  const payload = { user_id: bob.id };
  expect(await forged.track({ ...payload, id: bob.id })).toBe("error");
  expect(await forged.send({ type: "broadcast", event: "typing", payload })).toBe("error");
  const joined = { joined: [bob.id] };
  expect(await forged.send({ type: "broadcast", event: "participants", payload: joined })).toBe(
    "error",
  );
  await forged.httpSend("typing", payload).catch(() => undefined);
  // A public channel of the same name is not the private channel of the room.
  const open = anonymous().channel(`room:${room}`, { config: { broadcast: { ack: true } } });
  expect(await statusOf(open)).toBe(SUBSCRIBED);
  expect(await open.send({ type: "broadcast", event: "typing", payload })).toBe("ok");
  // There is no argument for another account.
  const named = await eve.client.rpc("notify_typing", { room_id: room, user_id: bob.id });
  expect(named.error?.code).toBe("PGRST202");
  const row = { topic: `room:${room}`, extension: "broadcast", event: "typing", payload };
  const written = await eve.client.schema("realtime").from("messages").insert(row);
  expect(written.error?.code).toBe("PGRST106");
  await call(eve, "notify_typing", room);
  await until("typing", { user_id: eve.id });
  expect(heard).toEqual([{ event: "typing", payload: { user_id: eve.id } }]);
  await eve.client.removeChannel(forged);
  await ada.client.removeChannel(channel);
});

test("the channel of a room refuses accounts that may not read the room", async () => {
  const eve = await member();
  for (const level of [2, 3, 4] as const) {
    expect(await attempt(eve, roomAt[level])).toBe(CHANNEL_ERROR);
  }
  await setLevel(eve.id, 2);
  expect(await attempt(eve, roomAt[2])).toBe(SUBSCRIBED);
  await setSubscriptionStatus(eve.id, "canceled");
  expect(await attempt(eve, roomAt[1])).toBe(CHANNEL_ERROR);
  for (const outsider of [await newcomer(), { client: anonymous() }]) {
    expect(await attempt(outsider, roomAt[1])).toBe(CHANNEL_ERROR);
  }
});
