import type { Frame, ProtocolVersion } from "../socket/frames.ts";
import { SubscriberSet } from "./subscriber-set.ts";
import type { CompiledFilter } from "./compiled-filter.ts";
import type { Relation } from "./pgoutput.ts";
import type { SubscriberIdentity } from "../authorization/subscriber-identity.ts";

/** Whoever receives changes: one joined channel of one socket. */
export interface Subscriber {
  /** As whom row-level security is asked; a refreshed token makes it another. */
  readonly identity: SubscriberIdentity;
  /** Topic as clients write it, with `realtime:` before it. */
  readonly fullTopic: string;
  readonly version: ProtocolVersion;
  send: (frame: Frame) => void;
  /** Tells that changes may have been missed, so that the client joins again and looks. */
  interrupt: () => void;
  /** A filter it asked for takes too long and is left out for a while. */
  onFilterSuspended: () => void;
}

/** One `postgres_changes` entry of a channel. */
export interface Subscription {
  /** The same for the same parameters, whoever subscribes, so that frames can be shared. */
  id: number;
  subscriber: Subscriber;
  event: "*" | "INSERT" | "UPDATE" | "DELETE";
  schema: string;
  table: string;
  filter: CompiledFilter | undefined;
  /** Columns the client wants, besides the key; all when undefined. */
  select: ReadonlySet<string> | undefined;
  /** Names the choice of columns; the same for the same columns. */
  view: string;
}

type TableName = Pick<Relation, "schema" | "table">;

/** The names, wildcards among them, under which a table is asked for. */
function keysOf({ schema, table }: TableName): string[] {
  return [`${schema}\0${table}`, `${schema}\0*`, "*\0*", `*\0${table}`];
}

/** Who listens to which table. */
export class SubscriptionRegistry {
  readonly #byTable = new Map<string, Set<Subscription>>();
  readonly #bySubscriber = new Map<Subscriber, readonly Subscription[]>();
  /** What was worked out since somebody last came or went. */
  readonly #subscriberSets = new Map<string, SubscriberSet>();

  add(subscriber: Subscriber, subscriptions: readonly Subscription[]): void {
    this.remove(subscriber);
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
    this.#subscriberSets.clear();
    for (const subscription of subscriptions) {
      const key = `${subscription.schema}\0${subscription.table}`;
      const listeners = this.#byTable.get(key);
      listeners?.delete(subscription);
      if (listeners?.size === 0) this.#byTable.delete(key);
    }
    this.#bySubscriber.delete(subscriber);
  }

  /** Everybody who has subscribed to anything. */
  allSubscribers(): Subscriber[] {
    return [...this.#bySubscriber.keys()];
  }

  /** Whoever asked for this table, by name or by a wildcard; the same object until somebody comes, goes or changes. */
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

  /** Tells those who asked for a filter that it is left out. */
  suspendFilter(relation: TableName, filterText: string): void {
    const subscriptions = keysOf(relation).flatMap((key) => [...(this.#byTable.get(key) ?? [])]);
    const owners = subscriptions.filter(({ filter }) => filter?.text === filterText);
    for (const { subscriber } of owners) subscriber.onFilterSuspended();
  }

  hasSubscribers(relation: TableName): boolean {
    return keysOf(relation).some((key) => this.#byTable.has(key));
  }
}
