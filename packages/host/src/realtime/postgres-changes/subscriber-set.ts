// Caches what delivery needs to know of a table's subscribers: roles, filters, and who gets the same frame.

import { LRUCache } from "lru-cache";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import type { ProtocolVersion } from "../socket/frames.ts";
import type { CompiledFilter } from "./compiled-filter.ts";
import type { WalRowChange } from "./pgoutput.ts";
import type { Subscriber, ChangesSubscription } from "./subscription.ts";

/** Subsets cached for each set, such as the subscribers of one room each. */
const maxCachedSubsets = 100;

/** A subscription and the identity it had when the set was built; a refreshed token changes the identity. */
interface SubscriptionEntry {
  subscription: ChangesSubscription;
  identity: SubscriberIdentity;
}

/** A subscriber and the identity its permissions are checked for. */
export interface Recipient {
  subscriber: Subscriber;
  identity: SubscriberIdentity;
}

/** Recipients that receive exactly the same frame for a change. */
export interface FrameGroup {
  role: string;
  version: ProtocolVersion;
  /** As clients write it. */
  topic: string;
  /** Of the subscriptions that match the change. */
  ids: readonly number[];
  /** As in `Subscription`. */
  select: ReadonlySet<string> | undefined;
  view: string;
  recipients: readonly Recipient[];
}

/** Groups entries by frame. A subscriber receives one frame for each column selection among its subscriptions. */
function groupByFrame(entries: readonly SubscriptionEntry[]): FrameGroup[] {
  const groups = new Map<string, FrameGroup & { recipients: Recipient[] }>();
  const bySubscriber = Map.groupBy(entries, ({ subscription }) => subscription.subscriber);
  for (const [subscriber, own] of bySubscriber) {
    const byView = Map.groupBy(own, ({ subscription }) => subscription.view);
    for (const [view, [first, ...others]] of byView) {
      if (first === undefined) continue;
      const { identity, subscription } = first;
      const { role } = identity;
      const { select } = subscription;
      const { version, fullTopic: topic } = subscriber;
      const ids = [first, ...others].map((entry) => entry.subscription.id);
      const key = JSON.stringify([role, version, topic, view, ids]);
      const known = groups.get(key);
      const group = known ?? { role, version, topic, ids, select, view, recipients: [] };
      group.recipients.push({ subscriber, identity });
      groups.set(key, group);
    }
  }
  return [...groups.values()];
}

/**
 * The subscribers of a table, or a subset of them. Derived values are computed on first use and kept, because
 * computing them costs as much as a delivery and the next change usually has the same subscribers.
 */
export class SubscriberSet {
  readonly #entries: readonly SubscriptionEntry[];
  readonly #subsets = new LRUCache<string, SubscriberSet>({ max: maxCachedSubsets });
  #identities: readonly SubscriberIdentity[] | undefined;
  #roles: readonly string[] | undefined;
  #filters: readonly CompiledFilter[] | undefined;
  #unknown: { version: number; identities: ReadonlySet<SubscriberIdentity> } | undefined;
  #frameGroups: readonly FrameGroup[] | undefined;

  private constructor(entries: readonly SubscriptionEntry[]) {
    this.#entries = entries;
  }

  static of(subscriptions: readonly ChangesSubscription[]): SubscriberSet {
    return new SubscriberSet(
      subscriptions.map((subscription) => ({
        subscription,
        identity: subscription.subscriber.identity,
      })),
    );
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  /** True while every subscriber still has the identity it had when the set was built. */
  get isCurrent(): boolean {
    return this.#entries.every(
      ({ subscription, identity }) => subscription.subscriber.identity === identity,
    );
  }

  /** The distinct identities. */
  get identities(): readonly SubscriberIdentity[] {
    return (this.#identities ??= [...new Set(this.#entries.map(({ identity }) => identity))]);
  }

  /** Those of them that the decoding host did not know yet, as of a version of what was announced to it. */
  identitiesUnknownAt(version: number): ReadonlySet<SubscriberIdentity> {
    if (this.#unknown?.version !== version) {
      const unknown = this.#entries.filter(
        ({ subscription: { announced }, identity }) =>
          announced === undefined || announced.version > version || announced.identity !== identity,
      );
      this.#unknown = { version, identities: new Set(unknown.map(({ identity }) => identity)) };
    }
    return this.#unknown.identities;
  }

  /** Their roles, sorted. */
  get roles(): readonly string[] {
    return (this.#roles ??= [...new Set(this.identities.map(({ role }) => role))].toSorted());
  }

  /** Their filters, one for each text. */
  get filters(): readonly CompiledFilter[] {
    return (this.#filters ??= [
      ...new Map(
        this.#entries.flatMap(({ subscription: { filter } }) =>
          filter ? [[filter.text, filter]] : [],
        ),
      ).values(),
    ]);
  }

  get frameGroups(): readonly FrameGroup[] {
    return (this.#frameGroups ??= groupByFrame(this.#entries));
  }

  /** The subscribers that match a change, given the texts of the filters it passes. */
  subset(type: WalRowChange["type"], passed: ReadonlySet<string>): SubscriberSet {
    const key = JSON.stringify([type, ...passed]);
    let subset = this.#subsets.get(key);
    if (subset === undefined) {
      const entries = this.#entries.filter(
        ({ subscription: { event, filter } }) =>
          (event === "*" || event === type) && (filter === undefined || passed.has(filter.text)),
      );
      subset = new SubscriberSet(entries);
      this.#subsets.set(key, subset);
    }
    return subset;
  }
}
