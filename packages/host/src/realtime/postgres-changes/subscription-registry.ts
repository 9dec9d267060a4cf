// Index of all `postgres_changes` subscriptions by table, wildcards included.

import { SubscriberSet } from "./subscriber-set.ts";
import type { WalRelation } from "./pgoutput.ts";
import type { ChangesSubscription, Subscriber } from "./subscription.ts";

type TableName = Pick<WalRelation, "schema" | "table">;

/** The keys of a table, including wildcards. */
function keysOf({ schema, table }: TableName): string[] {
  return [`${schema}\0${table}`, `${schema}\0*`, "*\0*", `*\0${table}`];
}

/** Subscriptions by table. */
export class SubscriptionRegistry {
  readonly #byTable = new Map<string, Set<ChangesSubscription>>();
  readonly #bySubscriber = new Map<Subscriber, readonly ChangesSubscription[]>();
  /** Changes with every subscriber that is added or removed. */
  revision = 0;
  /** Cached sets by table, cleared when a subscriber is added or removed. */
  readonly #subscriberSets = new Map<string, SubscriberSet>();

  add(subscriber: Subscriber, subscriptions: readonly ChangesSubscription[]): void {
    this.remove(subscriber);
    this.revision += 1;
    if (subscriptions.length === 0) return;
    this.#subscriberSets.clear();
    this.#bySubscriber.set(subscriber, subscriptions);
    for (const subscription of subscriptions) {
      const key = `${subscription.schema}\0${subscription.table}`;
      const listeners = this.#byTable.get(key) ?? new Set();
      this.#byTable.set(key, listeners.add(subscription));
    }
  }

  remove(subscriber: Subscriber): void {
    const subscriptions = this.#bySubscriber.get(subscriber);
    if (subscriptions === undefined) return;
    this.revision += 1;
    this.#subscriberSets.clear();
    for (const subscription of subscriptions) {
      const key = `${subscription.schema}\0${subscription.table}`;
      const listeners = this.#byTable.get(key);
      listeners?.delete(subscription);
      if (listeners?.size === 0) this.#byTable.delete(key);
    }
    this.#bySubscriber.delete(subscriber);
  }

  /** All subscribers. */
  allSubscribers(): Subscriber[] {
    return [...this.#bySubscriber.keys()];
  }

  allSubscriptions(): ChangesSubscription[] {
    return [...this.#bySubscriber.values()].flat();
  }

  /** Subscribers of a table, by name or wildcard. The object stays the same until a subscriber or an identity changes. */
  subscribersOf(relation: TableName): SubscriberSet {
    const name = `${relation.schema}\0${relation.table}`;
    const known = this.#subscriberSets.get(name);
    if (known?.isCurrent === true) return known;
    const subscribers = SubscriberSet.of(
      keysOf(relation).flatMap((key) => [...(this.#byTable.get(key) ?? [])]),
    );
    this.#subscriberSets.set(name, subscribers);
    return subscribers;
  }

  /** Notifies the subscribers of a filter that it is suspended. */
  suspendFilter(relation: TableName, filterText: string): void {
    const subscriptions = keysOf(relation).flatMap((key) => [...(this.#byTable.get(key) ?? [])]);
    const owners = subscriptions.filter(({ filter }) => filter?.text === filterText);
    for (const { subscriber } of owners) subscriber.onFilterSuspended();
  }

  hasSubscribers(relation: TableName): boolean {
    return keysOf(relation).some((key) => this.#byTable.has(key));
  }
}
