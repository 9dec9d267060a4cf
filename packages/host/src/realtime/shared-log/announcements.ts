// What a host tells the decoding one of its subscribers, so that it can find out for all who may see a change.

import { gunzipSync, gzipSync } from "node:zlib";
import type { SubscriberIdentity } from "../channel-authorization/subscriber-identity.ts";
import { localCheck } from "../postgres-changes/filter-conditions.ts";
import type { CompiledCondition, CompiledFilter } from "../postgres-changes/compiled-filter.ts";
import type { SubscriptionRegistry } from "../postgres-changes/subscription-registry.ts";
import type { ChangesSubscription, Subscriber } from "../postgres-changes/subscription.ts";

/** Subscriptions of a host that differ in nothing but their accounts. */
interface AnnouncedGroup extends Pick<ChangesSubscription, "schema" | "table" | "event"> {
  /** Undefined also for a filter that Postgres evaluates: that host does so. */
  filter: { text: string; conditions: Omit<CompiledCondition, "check">[] } | undefined;
  role: string;
  accounts: string[];
}

/** The subscriptions of this host as the others know them. Those without an account are not told. */
export class Announcer {
  readonly #subscriptions: SubscriptionRegistry;
  #version = 0;
  #revision = -1;
  #told = new Set<ChangesSubscription>();

  constructor(subscriptions: SubscriptionRegistry) {
    this.#subscriptions = subscriptions;
  }

  get version(): number {
    return this.#version;
  }

  /** True when there is something to tell: subscribers came or went, or have another token. */
  #isDue(): boolean {
    if (this.#revision !== this.#subscriptions.revision) return true;
    for (const { announced, subscriber } of this.#told) {
      if (announced?.identity !== subscriber.identity) return true;
    }
    return false;
  }

  /** The next version, or undefined when nothing has changed. */
  next(): Buffer | undefined {
    if (!this.#isDue()) return undefined;
    this.#revision = this.#subscriptions.revision;
    this.#version += 1;
    const groups = new Map<string, AnnouncedGroup>();
    const told = new Set<ChangesSubscription>();
    for (const subscription of this.#subscriptions.allSubscriptions()) {
      const { identity } = subscription.subscriber;
      if (identity.account === undefined) continue;
      told.add(subscription);
      if (subscription.announced?.identity !== identity)
        subscription.announced = { version: this.#version, identity };
      const { schema, table, event, filter } = subscription;
      const { role } = identity;
      const local = filter?.isLocal === true ? filter : undefined;
      const key = JSON.stringify([schema, table, event, local?.text, role]);
      const group = groups.get(key) ?? {
        schema,
        table,
        event,
        filter: local && {
          text: local.text,
          conditions: local.conditions.map(({ condition, typeName, printed }) => ({
            condition,
            typeName,
            printed,
          })),
        },
        role,
        accounts: [],
      };
      group.accounts.push(identity.account);
      groups.set(key, group);
    }
    for (const subscription of this.#told) {
      if (!told.has(subscription)) subscription.announced = undefined;
    }
    this.#told = told;
    return gzipSync(JSON.stringify([...groups.values()]));
  }

  /** Tells everything again, as to a store that has lost it. */
  forget(): void {
    this.#revision = -1;
  }
}

const nothing = () => undefined;

function compiledOf({ filter }: AnnouncedGroup): CompiledFilter | undefined {
  if (filter === undefined) return undefined;
  const conditions = filter.conditions.map((one) => ({
    ...one,
    check: localCheck(one.condition, one.typeName, one.printed),
  }));
  return { text: filter.text, conditions, isLocal: true };
}

/** Stand-ins for the subscribers of another host: their accounts are asked for, and nothing is sent to them. */
export function standIns(announcement: Buffer): Map<Subscriber, ChangesSubscription[]> {
  const groups = JSON.parse(gunzipSync(announcement).toString()) as AnnouncedGroup[];
  const identities = new Map<string, SubscriberIdentity>();
  const found = new Map<Subscriber, ChangesSubscription[]>();
  for (const group of groups) {
    const filter = compiledOf(group);
    const { schema, table, event, role } = group;
    for (const account of new Set(group.accounts)) {
      const key = `${role} ${account}`;
      const identity = identities.get(key) ?? { role, claims: "", key, subject: "", account };
      identities.set(key, identity);
      const subscriber: Subscriber = {
        identity,
        fullTopic: "",
        version: "2.0.0",
        send: nothing,
        interrupt: nothing,
        onFilterSuspended: nothing,
      };
      const subscription = { id: 0, subscriber, event, schema, table, filter };
      found.set(subscriber, [{ ...subscription, select: undefined, view: "" }]);
    }
  }
  return found;
}
