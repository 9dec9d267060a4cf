import { LRUCache } from "lru-cache";
import type { ProtocolVersion } from "../frames.ts";
import type { CompiledFilter } from "./compile-filter.ts";
import type { RowChange } from "./pgoutput.ts";
import type { SubscriberIdentity } from "./sight-sql.ts";
import type { Subscriber, Subscription } from "./subscriptions.ts";

/** Parts of one audience that are kept, such as those who listen to one room each. */
const MOST_PARTS = 100;

/** A subscription and as whom it is asked for: a token may be refreshed meanwhile, and a verdict is one account's. */
interface Listener {
  subscription: Subscription;
  viewer: SubscriberIdentity;
}

/** A subscriber, and as whom it is asked for. */
export interface Recipient {
  subscriber: Subscriber;
  viewer: SubscriberIdentity;
}

/** All who are told of a change by one and the same frame. */
export interface Envelope {
  role: string;
  version: ProtocolVersion;
  /** As clients write it. */
  topic: string;
  /** Of the entries that ask for the change. */
  ids: readonly number[];
  /** As in `Subscription`. */
  select: ReadonlySet<string> | undefined;
  view: string;
  recipients: readonly Recipient[];
}

/** The frames a subscriber gets of one change: one for each choice of columns among its entries. */
function inEnvelopes(listeners: readonly Listener[]): Envelope[] {
  const envelopes = new Map<string, Envelope & { recipients: Recipient[] }>();
  const bySubscriber = Map.groupBy(listeners, ({ subscription }) => subscription.subscriber);
  for (const [subscriber, entries] of bySubscriber) {
    const byView = Map.groupBy(entries, ({ subscription }) => subscription.view);
    for (const [view, [first, ...others]] of byView) {
      if (first === undefined) continue;
      const { viewer, subscription } = first;
      const { role } = viewer;
      const { select } = subscription;
      const { version, fullTopic: topic } = subscriber;
      const ids = [first, ...others].map((entry) => entry.subscription.id);
      const key = JSON.stringify([role, version, topic, view, ids]);
      const known = envelopes.get(key);
      const envelope = known ?? { role, version, topic, ids, select, view, recipients: [] };
      envelope.recipients.push({ subscriber, viewer });
      envelopes.set(key, envelope);
    }
  }
  return [...envelopes.values()];
}

/**
 * Whoever listens to a table, or a part of them. What follows from who they are is worked out when it is first
 * wanted and kept: the next change mostly finds the same audience, and working it out costs as much as telling it.
 */
export class Audience {
  readonly #listeners: readonly Listener[];
  readonly #parts = new LRUCache<string, Audience>({ max: MOST_PARTS });
  #viewers: readonly SubscriberIdentity[] | undefined;
  #roles: readonly string[] | undefined;
  #filters: readonly CompiledFilter[] | undefined;
  #envelopes: readonly Envelope[] | undefined;

  private constructor(listeners: readonly Listener[]) {
    this.#listeners = listeners;
  }

  static of(subscriptions: readonly Subscription[]): Audience {
    return new Audience(
      subscriptions.map((subscription) => ({
        subscription,
        viewer: subscription.subscriber.viewer,
      })),
    );
  }

  get isEmpty(): boolean {
    return this.#listeners.length === 0;
  }

  /** True while nobody listens as another than before. */
  get isCurrent(): boolean {
    return this.#listeners.every(
      ({ subscription, viewer }) => subscription.subscriber.viewer === viewer,
    );
  }

  /** Those it is asked for, each once. */
  get viewers(): readonly SubscriberIdentity[] {
    return (this.#viewers ??= [...new Set(this.#listeners.map(({ viewer }) => viewer))]);
  }

  /** Their roles, in order. */
  get roles(): readonly string[] {
    return (this.#roles ??= [...new Set(this.viewers.map(({ role }) => role))].toSorted());
  }

  /** Their filters, one of each text. */
  get filters(): readonly CompiledFilter[] {
    return (this.#filters ??= [
      ...new Map(
        this.#listeners.flatMap(({ subscription: { filter } }) =>
          filter ? [[filter.text, filter]] : [],
        ),
      ).values(),
    ]);
  }

  get envelopes(): readonly Envelope[] {
    return (this.#envelopes ??= inEnvelopes(this.#listeners));
  }

  /** Those who want to know of such a change, given the texts of the filters it passes. */
  part(type: RowChange["type"], passed: ReadonlySet<string>): Audience {
    const key = JSON.stringify([type, ...passed]);
    let part = this.#parts.get(key);
    if (part === undefined) {
      const listeners = this.#listeners.filter(
        ({ subscription: { event, filter } }) =>
          (event === "*" || event === type) && (filter === undefined || passed.has(filter.text)),
      );
      part = new Audience(listeners);
      this.#parts.set(key, part);
    }
    return part;
  }
}
