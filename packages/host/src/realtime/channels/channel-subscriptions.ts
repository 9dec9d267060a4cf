// Opens and closes the `postgres_changes` subscriptions of a channel, within the limits on filters.

import {
  openSubscription,
  SubscriptionError,
  type SubscriptionContext,
} from "../postgres-changes/open-subscription.ts";
import type { Subscriber, ChangesSubscription } from "../postgres-changes/subscription.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import { JoinError, type ChannelSocket } from "./channel-socket.ts";

const tooManyFilters = "FilterLimitReached: Too many filters other than equality";

/** The `postgres_changes` subscriptions of one channel. */
export class ChannelSubscriptions {
  readonly #services: RealtimeServices;
  readonly #socket: ChannelSocket;
  #subscriptions: readonly ChangesSubscription[] = [];
  /** Releases the quota of the filters Postgres evaluates. */
  #releaseFilters: () => void = () => undefined;

  constructor(services: RealtimeServices, socket: ChannelSocket) {
    this.#services = services;
    this.#socket = socket;
  }

  get subscriptions(): readonly ChangesSubscription[] {
    return this.#subscriptions;
  }

  /** Keys of the filters Postgres evaluates; equal filters have equal keys. */
  get databaseFilters(): readonly string[] {
    return this.#subscriptions.flatMap(({ schema, table, filter }) =>
      filter === undefined || filter.isLocal ? [] : [`${schema}\0${table}\0${filter.text}`],
    );
  }

  /**
   * @returns the error for the client, or undefined
   * @throws {JoinError} when there are too many filters
   */
  async open(
    subscriber: Subscriber,
    changes: readonly Readonly<Record<string, unknown>>[],
    questions: Pick<SubscriptionContext, "caller" | "runQueued">,
  ): Promise<string | undefined> {
    const { databaseFilterQuota, filterCompiler, joinPool: db, limits } = this.#services;
    const { caller } = questions;
    const opened: ChangesSubscription[] = [];
    try {
      for (const params of changes) {
        opened.push(
          await openSubscription({ ...questions, db, filterCompiler }, subscriber, params),
        );
      }
    } catch (error) {
      if (error instanceof SubscriptionError) return error.message;
      throw error;
    }
    this.#subscriptions = opened;
    // Counted without an await in between, so that concurrent joins count each other.
    const filters = new Set(this.#socket.channels.flatMap((channel) => channel.databaseFilters));
    const own = this.databaseFilters;
    if (
      filters.size > limits.databaseFiltersPerSocket ||
      !databaseFilterQuota.reserve(caller, own)
    ) {
      throw new JoinError(tooManyFilters);
    }
    this.#releaseFilters = () => databaseFilterQuota.release(caller, own);
    return undefined;
  }

  close(): void {
    this.#releaseFilters();
    this.#releaseFilters = () => undefined;
  }
}
