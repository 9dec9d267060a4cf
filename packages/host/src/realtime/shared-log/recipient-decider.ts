// On the decoding host: finds out once, for the subscribers of all hosts, who may see changed rows.

import type { Logger } from "pino";
import type { Database } from "../../postgres/database.ts";
import type { DecidedAccounts } from "../postgres-changes/change-decision.ts";
import { ChangeDispatcher } from "../postgres-changes/change-dispatcher.ts";
import { FilterEvaluator } from "../postgres-changes/filter-evaluator.ts";
import type { WalItem, WalRelation, WalRowChange } from "../postgres-changes/pgoutput.ts";
import type { SubscriberSet } from "../postgres-changes/subscriber-set.ts";
import { SubscriptionRegistry } from "../postgres-changes/subscription-registry.ts";
import type { Subscriber } from "../postgres-changes/subscription.ts";
import { VisibilityResolver } from "../postgres-changes/visibility-resolver.ts";
import { standIns } from "./announcements.ts";
import type { SharedLog } from "./shared-log.ts";

/** An authorizer answers for so many rows at once. */
const rowsPerQuery = 16;

/** What an entry says of its changes. */
export interface EntryDecisions {
  at: number;
  /** By host, the version of its announcement that was taken into account. */
  versions: Record<string, number>;
  /** The metadata as JSON text, so that a host parses it only when it has changed. */
  tables: { metadata: string; roles: readonly string[] }[];
  /** For each change, the number of its table and who may see the row; null where its host has to find out. */
  changes: ([table: number, accounts: DecidedAccounts] | null)[];
}

interface KnownHost {
  version: number;
  subscribers: readonly Subscriber[];
}

/** Decides for the subscribers that hosts have announced. */
export class RecipientDecider {
  readonly #log: SharedLog;
  readonly #logger: Logger;
  readonly #visibility: VisibilityResolver;
  readonly #dispatcher: ChangeDispatcher;
  readonly #subscriptions = new SubscriptionRegistry();
  readonly #hosts = new Map<string, KnownHost>();

  constructor(db: Database, log: SharedLog, logger: Logger, now: () => number) {
    this.#log = log;
    this.#logger = logger;
    this.#visibility = new VisibilityResolver(db, logger, now);
    const filters = new FilterEvaluator({ db: db.background, log: logger, now }, () => undefined);
    this.#dispatcher = new ChangeDispatcher(db.background, filters, this.#visibility);
  }

  /** Reads what hosts have announced since the last time. */
  async refresh(): Promise<void> {
    const announced = await this.#log.announced();
    for (const host of this.#hosts.keys()) {
      if (!announced.has(host)) this.#forget(host);
    }
    for (const [host, version] of announced) {
      if (this.#hosts.get(host)?.version === version) continue;
      const announcement = await this.#log.announcement(host);
      if (announcement === undefined) continue;
      this.#forget(host);
      const found = standIns(announcement.bytes);
      for (const [subscriber, subscriptions] of found)
        this.#subscriptions.add(subscriber, subscriptions);
      this.#hosts.set(host, { version: announcement.version, subscribers: [...found.keys()] });
    }
  }

  /** Never throws: what is not decided here is decided by each host. */
  async decide(items: readonly WalItem[]): Promise<EntryDecisions | undefined> {
    const changes = items.flatMap((item) => (item.kind === "change" ? [item.change] : []));
    const decisions: EntryDecisions = {
      at: Date.now(),
      versions: Object.fromEntries([...this.#hosts].map(([host, { version }]) => [host, version])),
      tables: [],
      changes: changes.map(() => null),
    };
    const places = new Map(changes.map((change, at) => [change, at]));
    // Together with the versions, before anything is waited for: a host that is forgotten meanwhile would be told that its
    // accounts were asked for, although they were not.
    const tables = [...Map.groupBy(changes, (change) => change.relation)]
      .filter(([relation]) => this.#subscriptions.hasSubscribers(relation))
      .map(
        ([relation, own]) => [relation, own, this.#subscriptions.subscribersOf(relation)] as const,
      );
    for (const [relation, own, subscribers] of tables) {
      for (let from = 0; from < own.length; from += rowsPerQuery) {
        const part = own.slice(from, from + rowsPerQuery);
        await this.#decidePart(relation, part, subscribers, decisions, places).catch(
          (error: unknown) => {
            this.#logger.warn({ err: error }, "each host finds out who may see a change");
            this.#visibility.release();
          },
        );
      }
    }
    return decisions.tables.length === 0 ? undefined : decisions;
  }

  close(): void {
    this.#visibility.release();
  }

  #forget(host: string): void {
    for (const subscriber of this.#hosts.get(host)?.subscribers ?? [])
      this.#subscriptions.remove(subscriber);
    this.#hosts.delete(host);
  }

  async #decidePart(
    relation: WalRelation,
    part: readonly WalRowChange[],
    subscribers: SubscriberSet,
    decisions: EntryDecisions,
    places: ReadonlyMap<WalRowChange, number>,
  ): Promise<void> {
    const decided = await this.#dispatcher.decide(relation, part, subscribers);
    if (decided === undefined) return;
    const { metadata, roles } = decided;
    const table = decisions.tables.push({ metadata: JSON.stringify(metadata), roles }) - 1;
    for (const [at, change] of part.entries()) {
      const accounts = decided.changes[at];
      if (accounts) decisions.changes[places.get(change) ?? -1] = [table, accounts];
    }
  }
}
