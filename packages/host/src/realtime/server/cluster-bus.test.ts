import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { MemoryPubSub } from "../../testing/memory-pub-sub.ts";
import { TopicRegistry, type TopicName } from "../channels/topic-registry.ts";
import { realtimeDefaults } from "../limits/realtime-limits.ts";
import { hostName } from "../../host-name.ts";
import { HostBus } from "./cluster-bus.ts";
import { ClusterTransport } from "./cluster-transport.ts";

const open: TopicName = { topic: "room", isPrivate: false };
const club: TopicName = { topic: "room", isPrivate: true };
const clock = { ms: 0 };
/** Every host hears what is written to the log, `logged`, unless the log can't be written or is held. */
let hosts: { bus: HostBus }[] = [];
let logged: string[] = [];
let isLogGone = false;
let held: string[] | undefined;
let redis: MemoryPubSub;

beforeEach(() => {
  [clock.ms, hosts, logged, isLogGone, held, redis] = [
    0,
    [],
    [],
    false,
    undefined,
    new MemoryPubSub(),
  ];
});

function deliver(text: string): void {
  for (const { bus } of hosts) bus.receive(Buffer.from(text));
}

async function write(_sql: string, [, text = ""]: readonly string[]): Promise<void> {
  await Promise.resolve();
  if (isLogGone) throw new Error("The database is gone.");
  logged.push(text);
  if (held === undefined) deliver(text);
  else held.push(text);
}

/** A host with one member in each topic, who notes what is sent to them. */
function startHost(pubSub?: ReturnType<MemoryPubSub["connect"]>) {
  const topics = new TopicRegistry(realtimeDefaults, () => clock.ms);
  const received: string[] = [];
  for (const name of [open, club]) {
    topics.join(name, {
      fullTopic: name.isPrivate ? "private" : "public",
      version: "1.0.0",
      receivesBroadcasts: true,
      receivesPresence: true,
      sendBroadcast: (frame) => received.push(frame.bytes.toString()),
      sendPresence: () => undefined,
    });
  }
  const warnings: string[] = [];
  const told: string[] = [];
  const log = {
    info: ({ peer }: { peer: string }, text: string) => void told.push(`${peer}: ${text}`),
    warn: (facts: { peer?: string }, text: string) => {
      warnings.push(text);
      if (facts.peer !== undefined) told.push(`${facts.peer}: ${text}`);
    },
  };
  const localUrl = `http://127.0.0.1:${3000 + hosts.length}`;
  const transport = new ClusterTransport(
    { db: { background: { query: write } }, log } as never,
    pubSub,
  );
  const bus = new HostBus(
    { log, localUrl, now: () => clock.ms } as never,
    topics,
    realtimeDefaults,
    transport,
  );
  const host = {
    bus,
    topics,
    warnings,
    /** What an operator reads of other hosts. */
    told,
    name: hostName({ localUrl }),
    /** The events of broadcasts, with their topic. */
    events: () =>
      received.map((text) => {
        const topic = /"topic":"(\w+)"/.exec(text)?.[1];
        return `${topic} ${/"type":"broadcast","event":"([^"]+)"/.exec(text)?.[1]}`;
      }),
    say: (event: string, name = open) => bus.broadcast(name, { event, payload: "{}" }),
    track: (key: string, name = open) => {
      const trackerId = randomUUID();
      const meta = { ref: "r", json: "{}" };
      topics.track(name, trackerId, key, meta);
      bus.tracked(name, trackerId, key, meta);
      return () => {
        topics.untrack(name, trackerId);
        bus.untracked(name, trackerId);
      };
    },
    present: (name = open) =>
      Object.keys(JSON.parse(topics.presenceJson(name)) as object).toSorted(),
  };
  hosts.push(host);
  bus.start();
  return host;
}

/** Until nothing is under way: a message takes a few turns. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await nextTurn();
}

test("what is said reaches the same topic of the other hosts through Redis, and nothing the log", async () => {
  const [first, second] = [startHost(redis.connect()), startHost(redis.connect())];
  first.say("a");
  first.say("b", club);
  const leave = first.track("ann", club);
  first.track("bob");
  await settle();
  expect(second.events()).toEqual(["public a", "private b"]);
  expect([second.present(), second.present(club)]).toEqual([["bob"], ["ann"]]);
  leave();
  await settle();
  expect(second.present(club)).toEqual([]);
  expect(first.events()).toEqual([]);
  expect(logged).toEqual([]);
});

test("others are heard from their first word to their last, or until they are silent", async () => {
  const first = startHost();
  await settle();
  expect(first.bus.hasPeers()).toBe(false);
  const [second] = [startHost(), startHost()];
  await settle();
  expect(hosts.map(({ bus }) => bus.hasPeers())).toEqual([true, true, true]);
  await second.bus.close();
  await settle();
  expect(first.bus.hasPeers()).toBe(true);
  clock.ms += realtimeDefaults.peerTimeoutMs + 1;
  first.bus.sweep();
  expect(first.bus.hasPeers()).toBe(false);
});

test("an envelope that was published although its answer was lost arrives once", async () => {
  const [first, second] = [startHost(redis.connect()), startHost(redis.connect())];
  await settle();
  redis.loseAnswers();
  first.say("a");
  first.say("b");
  await settle();
  expect(logged.join()).toContain('"event":"a"');
  expect(second.events()).toEqual(["public a", "public b"]);
});

test("while one host does not reach Redis, all use the log, and return when it does again", async () => {
  const cuttable = redis.connect();
  const [first, second, cut] = [
    startHost(redis.connect()),
    startHost(redis.connect()),
    startHost(cuttable),
  ];
  await settle();
  cuttable.cut();
  await settle();
  for (const [at, host] of [first, second, cut].entries()) host.say(`from ${at}`);
  await settle();
  expect(cut.events()).toEqual(["public from 0", "public from 1"]);
  expect(second.events()).toEqual(["public from 0", "public from 2"]);
  cuttable.join();
  await settle();
  const before = logged.length;
  first.say("again");
  await settle();
  expect(cut.events().at(-1)).toBe("public again");
  expect(logged).toHaveLength(before);
});

test("what comes late by the log is still told, and changes no presence any more", async () => {
  const [first, second] = [startHost(redis.connect()), startHost(redis.connect())];
  await settle();
  redis.goDown();
  await settle();
  held = [];
  const leave = first.track("ann");
  first.say("late");
  await settle();
  redis.comeBack();
  // The state of the hosts goes by the log as well, before the one that is late.
  const late = held;
  held = undefined;
  for (const text of logged.slice(-4)) if (!late.includes(text)) deliver(text);
  for (const { bus } of [first, second]) bus.start();
  await settle();
  expect(second.present()).toEqual(["ann"]);
  leave();
  await settle();
  for (const text of late) deliver(text);
  await settle();
  expect(second.present()).toEqual([]);
  expect(second.events()).toEqual(["public late"]);
});

test("presences that could not be told are told when the database writes again", async () => {
  const [first, second] = [startHost(), startHost()];
  const leave = first.track("ann");
  await settle();
  expect(second.present()).toEqual(["ann"]);
  isLogGone = true;
  leave();
  first.track("bob");
  await settle();
  expect(first.warnings).toEqual(["messages to other hosts could not be written"]);
  isLogGone = false;
  clock.ms += realtimeDefaults.heartbeatEveryMs;
  first.bus.sweep();
  await settle();
  expect(second.present()).toEqual(["bob"]);
});

test("a host that hears the others again keeps what it knows of them, and lets go of what is over", async () => {
  const cuttable = redis.connect();
  const [first, cut] = [startHost(redis.connect()), startHost(cuttable)];
  first.track("ann");
  const leave = first.track("bob");
  await settle();
  expect(cut.present()).toEqual(["ann", "bob"]);
  // Nothing reaches it, by either way, and nobody knows.
  hosts = [first];
  Reflect.set(cuttable, "receive", () => undefined);
  leave();
  await settle();
  expect(cut.present()).toEqual(["ann", "bob"]);
  Reflect.deleteProperty(cuttable, "receive");
  cut.bus.start();
  expect(cut.present()).toEqual(["ann", "bob"]);
  await settle();
  expect(cut.present()).toEqual(["ann"]);
});

test("hosts that ask for presences at the same moment get one answer", async () => {
  const host = startHost(redis.connect());
  await settle();
  const before = redis.published.length;
  for (const from of ["a", "b", "c"]) {
    const hello = { from, number: 1, hasRedis: true, messages: [{ kind: "hello" }] };
    host.bus.receive(Buffer.from(JSON.stringify(hello)));
  }
  await settle();
  const answers = redis.published.slice(before).map(({ message }) => message.split("presencesEnd"));
  expect(answers.reduce((sum, parts) => sum + parts.length - 1, 0)).toBe(1);
});

test("envelopes of an earlier version, unknown messages in one and none at all end nothing", async () => {
  const host = startHost(redis.connect());
  const say = (event: string) => ({
    kind: "broadcast",
    name: open,
    event,
    payload: "{}",
    isBytes: false,
  });
  const receive = (content: unknown) => host.bus.receive(Buffer.from(JSON.stringify(content)));
  receive({ from: "old", messages: [say("a")] });
  receive({ from: "new", number: 1, hasRedis: true, messages: [{ kind: "later" }, say("b")] });
  for (const text of ["", "{", "[]", '{"from":1}']) host.bus.receive(Buffer.from(text));
  receive({ from: "huge", messages: [say("c")], padding: "x".repeat(8 * 1024 * 1024) });
  await settle();
  expect(host.events()).toEqual(["public a", "public b"]);
});

test("an operator reads by name which host came, which stopped and which fell silent", async () => {
  const [first, second, third] = [startHost(), startHost(), startHost()];
  await settle();
  const heard = (host: { name: string }) => `${host.name}: another host is heard`;
  expect(first.told).toEqual([heard(second), heard(third)]);
  await second.bus.close();
  hosts = [first];
  clock.ms += realtimeDefaults.peerTimeoutMs + 1000;
  first.bus.sweep();
  first.bus.sweep();
  expect(first.told.slice(2)).toEqual([
    `${second.name}: another host has stopped`,
    expect.stringContaining(`${third.name}: another host is silent`),
  ]);
});

test("hosts that are not set up alike say so, once and not at once", async () => {
  const [first, alone] = [startHost(redis.connect()), startHost()];
  await settle();
  const pass = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 10) {
      clock.ms += 10_000;
      for (const { bus } of hosts) bus.sweep();
      await settle();
    }
  };
  await pass(50);
  expect([first.warnings, alone.warnings]).toEqual([[], []]);
  await pass(100);
  const warning = [expect.stringContaining("REDIS_URL has to be the same on all of them")];
  expect([first.warnings, alone.warnings]).toEqual([warning, warning]);
});
