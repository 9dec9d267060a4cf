import { expect, test } from "vitest";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import type { Subscriber, ChangesSubscription } from "./subscription.ts";
import { SubscriptionRegistry } from "./subscription-registry.ts";

const roomsTable = { schema: "public", table: "rooms" };

function identityOf(name: string, role = "authenticated"): SubscriberIdentity {
  return { role, claims: name, key: `${role} ${name}`, subject: name, account: name };
}

class TestSubscriber implements Subscriber {
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

function subscriptionOf(
  subscriber: Subscriber,
  more: Partial<ChangesSubscription> = {},
): ChangesSubscription {
  const all = { event: "*", filter: undefined, select: undefined, view: "" } as const;
  return { id: 1, subscriber, ...roomsTable, ...all, ...more };
}

const filterOf = (text: string) => ({ text, conditions: [], isLocal: true });

test("a subscriber set stays the same object until a subscriber or an identity changes", () => {
  const subscriptions = new SubscriptionRegistry();
  const [ann, ben] = [new TestSubscriber(identityOf("ann")), new TestSubscriber(identityOf("ben"))];
  subscriptions.add(ann, [subscriptionOf(ann)]);
  const alone = subscriptions.subscribersOf(roomsTable);
  expect(subscriptions.subscribersOf(roomsTable)).toBe(alone);
  subscriptions.add(ben, [subscriptionOf(ben, { table: "*" })]);
  const both = subscriptions.subscribersOf(roomsTable);
  expect(both.identities).toEqual([ann.identity, ben.identity]);
  ben.identity = identityOf("ben", "anon");
  expect(subscriptions.subscribersOf(roomsTable).identities).toEqual([ann.identity, ben.identity]);
  expect(subscriptions.subscribersOf(roomsTable).roles).toEqual(["anon", "authenticated"]);
  subscriptions.remove(ann);
  expect(subscriptions.subscribersOf(roomsTable).identities).toEqual([ben.identity]);
  expect(subscriptions.subscribersOf({ ...roomsTable, schema: "private" }).isEmpty).toBe(true);
});

test("a subset has the subscribers whose event and filter match", () => {
  const subscriptions = new SubscriptionRegistry();
  const variants = [
    { event: "INSERT", filter: undefined },
    { event: "*", filter: filterOf("id=eq.1") },
    { event: "*", filter: filterOf("id=eq.2") },
    { event: "DELETE", filter: undefined },
  ] as const;
  const names = variants.map(({ event, filter }) => `${event} ${filter?.text ?? ""}`);
  for (const [at, more] of variants.entries()) {
    const subscriber = new TestSubscriber(identityOf(names[at] ?? ""));
    subscriptions.add(subscriber, [subscriptionOf(subscriber, more)]);
  }
  const subscribers = subscriptions.subscribersOf(roomsTable);
  const matching = (type: "INSERT" | "UPDATE", ...passed: string[]) =>
    subscribers.subset(type, new Set(passed)).identities.map(({ subject }) => subject);
  expect(matching("INSERT", "id=eq.1")).toEqual([names[0], names[1]]);
  expect(matching("INSERT", "id=eq.2")).toEqual([names[0], names[2]]);
  expect(matching("UPDATE")).toEqual([]);
  expect(subscribers.filters.map(({ text }) => text)).toEqual(["id=eq.1", "id=eq.2"]);
});

test("subscribers share a frame if role, topic, columns and entries are equal; each column selection has its own", () => {
  const subscriptions = new SubscriptionRegistry();
  const subscribers = [
    new TestSubscriber(identityOf("ann")),
    new TestSubscriber(identityOf("ben")),
    new TestSubscriber(identityOf("cat", "anon")),
    new TestSubscriber(identityOf("dan"), "realtime:other"),
  ];
  for (const subscriber of subscribers) subscriptions.add(subscriber, [subscriptionOf(subscriber)]);
  const eve = new TestSubscriber(identityOf("eve"));
  const select = new Set(["id"]);
  subscriptions.add(eve, [
    subscriptionOf(eve),
    subscriptionOf(eve, { id: 2 }),
    subscriptionOf(eve, { id: 3, select, view: "id" }),
  ]);
  const groups = subscriptions.subscribersOf(roomsTable).frameGroups.map((group) => ({
    to: group.recipients.map(({ identity }) => identity.subject),
    topic: group.topic,
    ids: group.ids,
    select: group.select,
  }));
  const plain = { topic: "realtime:rooms", ids: [1], select: undefined };
  expect(groups).toEqual([
    { ...plain, to: ["ann", "ben"] },
    { ...plain, to: ["cat"] },
    { ...plain, to: ["dan"], topic: "realtime:other" },
    { ...plain, to: ["eve"], ids: [1, 2] },
    { ...plain, to: ["eve"], ids: [3], select },
  ]);
});
