import {
  openSubscription,
  SubscriptionError,
  type SubscriptionContext,
} from "../postgres-changes/open-subscription.ts";
import type { Subscriber, Subscription } from "../postgres-changes/subscription-registry.ts";
import type { RealtimeServices } from "../server/realtime-services.ts";
import { JoinError, type ChannelSocket } from "./channel-socket.ts";

const tooManyFilters = "FilterLimitReached: Too many filters other than equality";

/** The changes of tables one channel asks for. */
export class ChannelSubscriptions {
  readonly #services: RealtimeServices;
  readonly #socket: ChannelSocket;
  #subscriptions: readonly Subscription[] = [];
  /** Gives back what was reserved for the filters Postgres is asked about. */
  #releaseFilters: () => void = () => undefined;

  constructor(services: RealtimeServices, socket: ChannelSocket) {
    this.#services = services;
    this.#socket = socket;
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions;
  }

  /** Names the filters Postgres is asked about; those of the same name are asked once. */
  get databaseFilters(): readonly string[] {
    return this.#subscriptions.flatMap(({ schema, table, filter }) =>
      filter === undefined || filter.isLocal ? [] : [`${schema}\0${table}\0${filter.text}`],
    );
  }

  /**
   * @returns why the changes cannot be had, or undefined
   * @throws {JoinError} when there are too many filters
   */
  async open(
    subscriber: Subscriber,
    changes: readonly Readonly<Record<string, unknown>>[],
    questions: Pick<SubscriptionContext, "caller" | "runQueued">,
  ): Promise<string | undefined> {
    const { databaseFilterQuota, filterCompiler, joinPool: db, limits } = this.#services;
    const { caller } = questions;
    const opened: Subscription[] = [];
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
    // Counted in the same breath, so that joins under way at the same time count each other.
    const asked = new Set(this.#socket.channels.flatMap((channel) => channel.databaseFilters));
    const own = this.databaseFilters;
    if (asked.size > limits.databaseFiltersPerSocket || !databaseFilterQuota.reserve(caller, own)) {
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
