// Queue that serves callers in turn, for the database queries that joining clients cause.

/** Thrown when the queue is full. */
export class QueueFullError extends Error {
  override readonly name = "QueueFull";
}

/** Limits of a queue. */
export interface QueueLimits {
  concurrency: number;
  waiting: number;
  /** How many of `waiting` may be anonymous; the rest is reserved for accounts. */
  waitingAnon: number;
  waitingPerCaller: number;
}

/** The caller of some work, and which of the two queues it belongs to. */
export interface QueueCaller {
  readonly name: string;
  readonly isAnon: boolean;
}

/** Queued work by caller, served round-robin. */
class CallerQueue {
  count = 0;
  readonly #waiting = new Map<string, (() => void)[]>();

  countOf(caller: string): number {
    return this.#waiting.get(caller)?.length ?? 0;
  }

  add(caller: string, start: () => void): void {
    const own = this.#waiting.get(caller);
    if (own === undefined) this.#waiting.set(caller, [start]);
    else own.push(start);
    this.count += 1;
  }

  /** Takes the next work of a caller that has nothing running. Few run at once, so the search is short. */
  take(busy: ReadonlySet<string>): { caller: string; start: () => void } | undefined {
    for (const [caller, own] of this.#waiting) {
      if (busy.has(caller)) continue;
      const start = own.shift();
      this.#waiting.delete(caller);
      if (own.length > 0) this.#waiting.set(caller, own);
      if (start === undefined) continue;
      this.count -= 1;
      return { caller, start };
    }
    return undefined;
  }
}

/**
 * Runs a few pieces of work at once, at most one for each caller, and serves callers in turn, so that a caller with
 * much work delays only itself. Accounts and anonymous clients have separate queues that are served alternately, so
 * that anonymous clients cannot hold up accounts.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #authenticated = new CallerQueue();
  readonly #anon = new CallerQueue();
  /** Callers with running work. */
  readonly #busy = new Set<string>();
  #lastWasAnon = true;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** @throws {QueueFullError} */
  async run<T>(caller: QueueCaller, work: () => Promise<T>): Promise<T> {
    const { name } = caller;
    // Below the concurrency limit, a caller waits only for its own work.
    if (this.#busy.size >= this.#limits.concurrency || this.#busy.has(name))
      await this.#waitForSlot(caller);
    else this.#busy.add(name);
    try {
      return await work();
    } finally {
      this.#busy.delete(name);
      this.#startNext();
    }
  }

  async #waitForSlot({ name, isAnon }: QueueCaller): Promise<void> {
    const { waiting, waitingAnon, waitingPerCaller } = this.#limits;
    const line = isAnon ? this.#anon : this.#authenticated;
    const isFull =
      this.#authenticated.count + this.#anon.count >= waiting ||
      (isAnon && line.count >= waitingAnon) ||
      line.countOf(name) >= waitingPerCaller;
    if (isFull) throw new QueueFullError("Too much is waiting for the database.");
    await new Promise<void>((resolve) => line.add(name, resolve));
  }

  /** Starts the next work synchronously, so that a new caller cannot take its place. */
  #startNext(): void {
    const lines = [this.#authenticated, this.#anon];
    if (!this.#lastWasAnon) lines.reverse();
    for (const line of lines) {
      const next = line.take(this.#busy);
      if (next === undefined) continue;
      this.#lastWasAnon = line === this.#anon;
      this.#busy.add(next.caller);
      next.start();
      return;
    }
  }
}
