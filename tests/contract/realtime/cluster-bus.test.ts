import { randomUUID } from "node:crypto";
import type { RealtimeChannel } from "@supabase/supabase-js";
import { afterAll, afterEach, expect, test } from "vitest";
import { MemoryLog, MemoryPubSub } from "basehost/testing";
import { checkPubSub } from "../../support/check-pub-sub.ts";
import { watchLoggedEnvelopes } from "../../support/logged-envelopes.ts";
import { Arrivals, closeListeners, joined, listener } from "./listeners.ts";
import { hostOfFile, startOwnHost } from "./own-host.ts";
import { startRealtime, type OwnRealtime } from "./own-realtime.ts";
import { closeOwnerConnections, ownerConnections, setRank } from "./rows.ts";

// Each service holds connections of its own.
startOwnHost({ database: { connections: { background: 16, authenticator: 16 } } });
let services: OwnRealtime[] = [];
afterEach(async () => {
  await closeListeners();
  for (const service of services.splice(0)) await service.stop();
});
afterAll(closeOwnerConnections);

/** Starts a service; with `redis` it shares log and messages through it. */
async function startService(redis?: { log: MemoryLog; pubSub: MemoryPubSub }) {
  const connection = redis?.pubSub.connect();
  const shared = redis && connection && { log: redis.log, pubSub: connection };
  const { databaseUrl } = hostOfFile();
  const service = await startRealtime({}, { databaseUrl }, shared);
  services.push(service);
  return { ...service, connection };
}

/** A member of a topic at one service: the events of broadcasts, and who is present. */
async function attend({ running }: OwnRealtime, topic: string, name: string, isPrivate = false) {
  const member = listener({}, running);
  if (isPrivate) await setRank(member.id, 4);
  const told = new Arrivals<string>();
  const events = new Arrivals<string>();
  const channel: RealtimeChannel = member.client.channel(topic, {
    config: { private: isPrivate, broadcast: { ack: true }, presence: { key: name } },
  });
  channel
    .on("broadcast", { event: "*" }, ({ event }) => told.add(event))
    .on("presence", { event: "sync" }, () =>
      events.add(Object.keys(channel.presenceState()).toSorted().join(" ")),
    );
  await joined(channel);
  const present = async (expected: string) => {
    while (events.items.at(-1) !== expected) await events.until(events.items.length + 1);
  };
  return {
    told,
    events,
    present,
    channel,
    say: async (event: string) => await channel.send({ type: "broadcast", event }),
  };
}

const ways = ["the log", "Redis"] as const;

test.for(ways)("broadcasts and presence reach the other hosts once, by %s", async (way) => {
  const redis = way === "Redis" ? { log: new MemoryLog(), pubSub: new MemoryPubSub() } : undefined;
  const logged = await watchLoggedEnvelopes(ownerConnections());
  const [first, second] = [await startService(redis), await startService(redis)];
  const topic = randomUUID();
  const ann = await attend(first, topic, "ann");
  const bob = await attend(second, topic, "bob");
  await ann.channel.track({});
  await bob.present("ann");
  await bob.channel.track({});
  await ann.present("ann bob");
  for (let count = 0; count < 20; count += 1) await ann.say(`from ann ${count}`);
  await bob.say("from bob");
  expect(await ann.told.until(1)).toEqual(["from bob"]);
  expect(await bob.told.until(20)).toEqual(Array.from({ length: 20 }, (_, n) => `from ann ${n}`));
  // A host that starts later is told who is there.
  const third = await startService(redis);
  const cleo = await attend(third, topic, "cleo");
  await cleo.present("ann bob");
  await ann.channel.untrack();
  await cleo.present("bob");
  // A host that stops takes its presences from the others.
  services = services.filter(({ running }) => running.url !== second.running.url);
  await second.stop();
  await cleo.present("");
  expect(bob.told.items).toHaveLength(20);
  const published = redis?.pubSub.published.map(({ message }) => message) ?? [];
  const count = (texts: readonly string[], what: string) =>
    texts.reduce((sum, text) => sum + text.split(what).length - 1, 0);
  const all = await logged();
  const isPublished = way === "Redis";
  expect(count(published, '"from ann ')).toBe(isPublished ? 20 : 0);
  expect(count(all, '"from ann ')).toBe(isPublished ? 0 : 20);
  if (isPublished) expect(all).toEqual([]);
});

test("a private topic of another host gets nothing that is said on the public one of its name, by Redis", async () => {
  const redis = { log: new MemoryLog(), pubSub: new MemoryPubSub() };
  const [first, second] = [await startService(redis), await startService(redis)];
  const outside = await attend(first, "club", "ann");
  const inside = await attend(second, "club", "bob", true);
  const open = await attend(second, "club", "cleo");
  await outside.channel.track({});
  await outside.say("for the public topic");
  await open.present("ann");
  expect(await open.told.until(1)).toEqual(["for the public topic"]);
  expect(inside.told.items).toEqual([]);
  expect(inside.events.items).not.toContain("ann");
});

test("while Redis is away the log carries what is said, and after that Redis again", async () => {
  const redis = { log: new MemoryLog(), pubSub: new MemoryPubSub() };
  const [first, second] = [await startService(redis), await startService(redis)];
  const topic = randomUUID();
  const ann = await attend(first, topic, "ann");
  const bob = await attend(second, topic, "bob");
  await ann.channel.track({});
  await bob.present("ann");
  const logged = await watchLoggedEnvelopes(ownerConnections());
  redis.pubSub.goDown();
  await ann.say("without Redis");
  expect(await bob.told.until(1)).toEqual(["without Redis"]);
  await bob.channel.track({});
  await ann.present("ann bob");
  redis.pubSub.comeBack();
  const publishes = () => redis.pubSub.published.at(-1)?.message.includes('"with Redis"') === true;
  await expect
    .poll(async () => {
      await ann.say("with Redis");
      return publishes();
    })
    .toBe(true);
  await bob.channel.untrack();
  await ann.present("ann");
  const written = await logged();
  expect(written.filter((text) => text.includes('"without Redis"'))).toHaveLength(1);
  expect(bob.told.items.filter((event) => event === "without Redis")).toHaveLength(1);
});

test("a host without Redis beside hosts that have it misses nothing, and nothing comes twice", async () => {
  const redis = { log: new MemoryLog(), pubSub: new MemoryPubSub() };
  const [first, second] = [await startService(redis), await startService(redis)];
  const alone = await startService();
  const topic = randomUUID();
  const ann = await attend(first, topic, "ann");
  const bob = await attend(second, topic, "bob");
  const cleo = await attend(alone, topic, "cleo");
  await ann.channel.track({});
  await cleo.channel.track({});
  for (const one of [ann, bob, cleo]) await one.present("ann cleo");
  await ann.say("for both");
  await cleo.say("from outside");
  expect(await cleo.told.until(1)).toEqual(["for both"]);
  expect((await bob.told.until(2)).toSorted()).toEqual(["for both", "from outside"]);
  expect(await ann.told.until(1)).toEqual(["from outside"]);
});

test("messages in memory go to all who listen, while the store is there", async () => {
  const pubSub = new MemoryPubSub();
  const stop = async () => await Promise.resolve(pubSub.goDown());
  const start = async () => await Promise.resolve(pubSub.comeBack());
  await checkPubSub(() => pubSub.connect(), { stop, start });
});
