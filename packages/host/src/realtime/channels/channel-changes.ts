import {
  openSubscription,
  SubscriptionFault,
  type SubscriptionQuestions,
} from "../changes/subscribe.ts";
import type { Subscriber, Subscription } from "../changes/subscriptions.ts";
import type { RealtimeParts } from "../parts.ts";
import { JoinRefused, type ChannelSocket } from "./channel-socket.ts";

const TOO_MANY_FILTERS = "FilterLimitReached: Too many filters other than equality";

/** The changes of tables one channel asks for. */
export class ChannelChanges {
  readonly #parts: RealtimeParts;
  readonly #socket: ChannelSocket;
  #subscriptions: readonly Subscription[] = [];
  /** Gives back what was reserved for the filters Postgres is asked about. */
  #releaseFilters: () => void = () => undefined;

  constructor(parts: RealtimeParts, socket: ChannelSocket) {
    this.#parts = parts;
    this.#socket = socket;
  }

  get subscriptions(): readonly Subscription[] {
    return this.#subscriptions;
  }

  /** Names the filters Postgres is asked about; those of the same name are asked once. */
  get askedFilters(): readonly string[] {
    return this.#subscriptions.flatMap(({ schema, table, filter }) =>
      filter === undefined || filter.isQuick ? [] : [`${schema}\0${table}\0${filter.text}`],
    );
  }

  /**
   * @returns why the changes cannot be had, or undefined
   * @throws {JoinRefused} when there are too many filters
   */
  async open(
    subscriber: Subscriber,
    changes: readonly Readonly<Record<string, unknown>>[],
    questions: Pick<SubscriptionQuestions, "caller" | "inTurn">,
  ): Promise<string | undefined> {
    const { askedFilters, filterTrials: trials, joinPool: db, limits } = this.#parts;
    const { caller } = questions;
    const opened: Subscription[] = [];
    try {
      for (const params of changes) {
        opened.push(await openSubscription({ ...questions, db, trials }, subscriber, params));
      }
    } catch (error) {
      if (error instanceof SubscriptionFault) return error.message;
      throw error;
    }
    this.#subscriptions = opened;
    // Counted in the same breath, so that joins under way at the same time count each other.
    const asked = new Set(this.#socket.channels.flatMap((channel) => channel.askedFilters));
    const own = this.askedFilters;
    if (asked.size > limits.askedFiltersPerSocket || !askedFilters.reserve(caller, own)) {
      throw new JoinRefused(TOO_MANY_FILTERS);
    }
    this.#releaseFilters = () => askedFilters.release(caller, own);
    return undefined;
  }

  close(): void {
    this.#releaseFilters();
    this.#releaseFilters = () => undefined;
  }
}
