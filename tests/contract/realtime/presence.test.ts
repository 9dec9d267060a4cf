import { randomUUID } from "node:crypto";
import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { closeListeners, joined, listener, type RealtimeUser } from "./listeners.ts";

afterEach(closeListeners);

/** A channel with its presence events, and a way to wait until its state is as expected. */
async function watch(member: RealtimeUser, topic: string, key = member.id) {
  const events: string[] = [];
  const waiting: (() => void)[] = [];
  const channel: RealtimeChannel = member.client.channel(topic, { config: { presence: { key } } });
  const noted = (event: string) => {
    events.push(event);
    for (const wake of waiting.splice(0)) wake();
  };
  channel
    .on("presence", { event: "sync" }, () => noted("sync"))
    .on("presence", { event: "join" }, (diff) => noted(`join ${diff.key}`))
    .on("presence", { event: "leave" }, (diff) => noted(`leave ${diff.key}`));
  await joined(channel);
  const state = () =>
    Object.fromEntries(
      Object.entries(channel.presenceState()).map(([name, metas]) => [
        name,
        metas.map((meta) =>
          Object.fromEntries(Object.entries(meta).filter(([field]) => field !== "presence_ref")),
        ),
      ]),
    );
  const until = async (isDone: (now: Record<string, unknown[]>) => boolean) => {
    while (!isDone(state())) await new Promise<void>((resolve) => waiting.push(resolve));
    return state();
  };
  return { channel, events, state, until };
}

test("presence is tracked, updated, untracked, and ended by leaving or disconnecting", async () => {
  const topic = randomUUID();
  const [ann, bob, late] = [listener(), listener(), listener()];
  const a = await watch(ann, topic, "ann");
  const b = await watch(bob, topic, "bob");
  expect(await a.channel.track({ mood: "fine" })).toBe("ok");
  expect(await b.channel.track({ mood: "so-so", phx_ref: "forged" })).toBe("ok");
  const both = { ann: [{ mood: "fine" }], bob: [{ mood: "so-so" }] };
  expect(await a.until((now) => Object.keys(now).length === 2)).toEqual(both);
  const c = await watch(late, topic, "cleo");
  expect(await c.until((now) => Object.keys(now).length === 2)).toEqual(both);
  await a.channel.track({ mood: "better" });
  const moodOf = (now: Record<string, unknown[]>) => (now["ann"]?.[0] as { mood: string })?.mood;
  await c.until((now) => moodOf(now) === "better");
  expect(c.state()["ann"]).toHaveLength(1);
  await b.channel.untrack();
  expect(await c.until((now) => !("bob" in now))).toEqual({ ann: [{ mood: "better" }] });
  await ann.client.realtime.disconnect();
  expect(await c.until((now) => !("ann" in now))).toEqual({});
  expect(b.events).toContain("join ann");
  expect(b.events).toContain("leave ann");
});

test("two sockets can track the same key", async () => {
  const topic = randomUUID();
  const [one, two] = [listener(), listener()];
  const a = await watch(one, topic, "ann");
  const b = await watch(two, topic, "ann");
  await a.channel.track({ device: "phone" });
  await b.channel.track({ device: "desk" });
  const now = await a.until((state) => state["ann"]?.length === 2);
  expect(now["ann"]).toEqual(expect.arrayContaining([{ device: "phone" }, { device: "desk" }]));
  await two.client.removeAllChannels();
  expect(await a.until((state) => state["ann"]?.length === 1)).toEqual({
    ann: [{ device: "phone" }],
  });
});
