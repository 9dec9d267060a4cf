import { REALTIME_SUBSCRIBE_STATES, type RealtimeChannel } from "@supabase/supabase-js";
import { expect, test } from "vitest";
import { anonymous, type Account } from "../support/clients.ts";
import { member, newcomer, setSubscriptionStatus } from "./members.ts";
import { ROOM_AT, setLevel } from "./rooms.ts";

type Client = Pick<Account, "client">;

const { SUBSCRIBED, CHANNEL_ERROR } = REALTIME_SUBSCRIBE_STATES;

async function channelOf({ client }: Client, room: string): Promise<RealtimeChannel> {
  await client.realtime.setAuth();
  return client.channel(`room:${room}`, { config: { private: true, broadcast: { ack: true } } });
}

/** The first thing the server says to somebody who joins. */
async function statusOf(channel: RealtimeChannel): Promise<string> {
  return await new Promise((resolve) => {
    channel.subscribe((status) => resolve(status));
  });
}

/** Joins the channel of a room and leaves it again. @returns what the server said. */
async function attempt(who: Client, room: string): Promise<string> {
  const channel = await channelOf(who, room);
  const status = await statusOf(channel);
  await who.client.removeChannel(channel);
  return status;
}

test("members of a room see who is there and who is typing", async () => {
  const [ada, bob] = [await member(), await member()];
  const [here, there] = [await channelOf(ada, ROOM_AT[1]), await channelOf(bob, ROOM_AT[1])];
  const typing = new Promise<unknown>((resolve) => {
    here.on("broadcast", { event: "typing" }, ({ payload }) => resolve(payload));
  });
  const arrived = new Promise<unknown>((resolve) => {
    here.on("presence", { event: "join" }, ({ newPresences }) => {
      if (newPresences.some((each) => each["user_id"] === bob.id)) resolve(bob.id);
    });
  });
  expect([await statusOf(here), await statusOf(there)]).toEqual([SUBSCRIBED, SUBSCRIBED]);
  await there.track({ user_id: bob.id });
  expect(await arrived).toBe(bob.id);
  const payload = { user_id: bob.id };
  expect(await there.send({ type: "broadcast", event: "typing", payload })).toBe("ok");
  expect(await typing).toMatchObject(payload);
  await ada.client.removeChannel(here);
  await bob.client.removeChannel(there);
});

test("nobody joins the channel of a room they may not read", async () => {
  const eve = await member();
  for (const level of [2, 3, 4] as const) {
    expect(await attempt(eve, ROOM_AT[level])).toBe(CHANNEL_ERROR);
  }
  await setLevel(eve.id, 2);
  expect(await attempt(eve, ROOM_AT[2])).toBe(SUBSCRIBED);
  await setSubscriptionStatus(eve.id, "canceled");
  expect(await attempt(eve, ROOM_AT[1])).toBe(CHANNEL_ERROR);
  for (const outsider of [await newcomer(), { client: anonymous() }]) {
    expect(await attempt(outsider, ROOM_AT[1])).toBe(CHANNEL_ERROR);
  }
});
