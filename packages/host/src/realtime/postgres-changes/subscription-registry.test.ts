import { expect, test } from "vitest";
import type { SubscriberIdentity } from "../authorization/subscriber-identity.ts";
import {
  SubscriptionRegistry,
  type Subscriber,
  type Subscription,
} from "./subscription-registry.ts";

const ROOMS = { schema: "public", table: "rooms" };

function viewerOf(name: string, role = "authenticated"): SubscriberIdentity {
  return { role, claims: name, key: `${role} ${name}`, subject: name, account: name };
}

class Follower implements Subscriber {
  identity: SubscriberIdentity;
  readonly fullTopic: string;
  readonly version = "2.0.0";
  send = () => undefined;
  interrupt = () => undefined;
  onFilterSuspended = () => undefined;

  constructor(identity: SubscriberIdentity, topic = "realtime:rooms") {
    this.identity = identity;
    this.fullTopic = topic;
  }
}

function wish(subscriber: Subscriber, more: Partial<Subscription> = {}): Subscription {
  const all = { event: "*", filter: undefined, select: undefined, view: "" } as const;
  return { id: 1, subscriber, ...ROOMS, ...all, ...more };
}

const filterOf = (text: string) => ({ text, conditions: [], isLocal: true });

test("an subscribers stays the same object until somebody comes, goes or is another", () => {
  const subscriptions = new SubscriptionRegistry();
  const [ann, ben] = [new Follower(viewerOf("ann")), new Follower(viewerOf("ben"))];
  subscriptions.add(ann, [wish(ann)]);
  const alone = subscriptions.subscribersOf(ROOMS);
  expect(subscriptions.subscribersOf(ROOMS)).toBe(alone);
  subscriptions.add(ben, [wish(ben, { table: "*" })]);
  const both = subscriptions.subscribersOf(ROOMS);
  expect(both.identities).toEqual([ann.identity, ben.identity]);
  ben.identity = viewerOf("ben", "anon");
  expect(subscriptions.subscribersOf(ROOMS).identities).toEqual([ann.identity, ben.identity]);
  expect(subscriptions.subscribersOf(ROOMS).roles).toEqual(["anon", "authenticated"]);
  subscriptions.remove(ann);
  expect(subscriptions.subscribersOf(ROOMS).identities).toEqual([ben.identity]);
  expect(subscriptions.subscribersOf({ ...ROOMS, schema: "private" }).isEmpty).toBe(true);
});

test("a part of an subscribers are those who want the event and whose filter it passes", () => {
  const subscriptions = new SubscriptionRegistry();
  const wishes = [
    { event: "INSERT", filter: undefined },
    { event: "*", filter: filterOf("id=eq.1") },
    { event: "*", filter: filterOf("id=eq.2") },
    { event: "DELETE", filter: undefined },
  ] as const;
  const names = wishes.map(({ event, filter }) => `${event} ${filter?.text ?? ""}`);
  for (const [at, more] of wishes.entries()) {
    const follower = new Follower(viewerOf(names[at] ?? ""));
    subscriptions.add(follower, [wish(follower, more)]);
  }
  const subscribers = subscriptions.subscribersOf(ROOMS);
  const wanting = (type: "INSERT" | "UPDATE", ...passed: string[]) =>
    subscribers.subset(type, new Set(passed)).identities.map(({ subject }) => subject);
  expect(wanting("INSERT", "id=eq.1")).toEqual([names[0], names[1]]);
  expect(wanting("INSERT", "id=eq.2")).toEqual([names[0], names[2]]);
  expect(wanting("UPDATE")).toEqual([]);
  expect(subscribers.filters.map(({ text }) => text)).toEqual(["id=eq.1", "id=eq.2"]);
});

test("those share an envelope who share role, topic, columns and entries; each choice of columns has its own", () => {
  const subscriptions = new SubscriptionRegistry();
  const followers = [
    new Follower(viewerOf("ann")),
    new Follower(viewerOf("ben")),
    new Follower(viewerOf("cat", "anon")),
    new Follower(viewerOf("dan"), "realtime:other"),
  ];
  for (const follower of followers) subscriptions.add(follower, [wish(follower)]);
  const eve = new Follower(viewerOf("eve"));
  const select = new Set(["id"]);
  subscriptions.add(eve, [
    wish(eve),
    wish(eve, { id: 2 }),
    wish(eve, { id: 3, select, view: "id" }),
  ]);
  const envelopes = subscriptions.subscribersOf(ROOMS).frameGroups.map((envelope) => ({
    to: envelope.recipients.map(({ identity }) => identity.subject),
    topic: envelope.topic,
    ids: envelope.ids,
    select: envelope.select,
  }));
  const plain = { topic: "realtime:rooms", ids: [1], select: undefined };
  expect(envelopes).toEqual([
    { ...plain, to: ["ann", "ben"] },
    { ...plain, to: ["cat"] },
    { ...plain, to: ["dan"], topic: "realtime:other" },
    { ...plain, to: ["eve"], ids: [1, 2] },
    { ...plain, to: ["eve"], ids: [3], select },
  ]);
});
