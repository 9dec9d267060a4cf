/** Work that is not taken on because too much of it waits already. */
export class QueueFullError extends Error {
  override readonly name = "QueueFull";
}

/** How much work runs and waits. */
export interface QueueLimits {
  concurrency: number;
  waiting: number;
  /** Of `waiting`, what strangers may take up; the rest is kept for members. */
  waitingAnon: number;
  waitingPerCaller: number;
}

/** Who waits, and in which of the two lines. */
export interface QueueCaller {
  readonly name: string;
  readonly isAnon: boolean;
}

/** Waiting work by caller; the caller who comes first is served next. */
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

  /** Takes out the next work whose caller has nothing running; as few run at once, the search is short. */
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
 * Runs little at once, one piece of work of a caller at a time, and lets callers take turns: one who asks for much
 * waits behind itself and not before everybody else. Members and strangers wait in lines of their own, which are
 * served alternately, so that no number of strangers keeps a member waiting.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  readonly #authenticated = new CallerQueue();
  readonly #anon = new CallerQueue();
  /** Callers of whom something runs. */
  readonly #busy = new Set<string>();
  #lastWasAnon = true;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** @throws {QueueFullError} */
  async run<T>(caller: QueueCaller, work: () => Promise<T>): Promise<T> {
    const { name } = caller;
    // Whoever waits while there is room waits for itself alone.
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

  /** Hands the place on; at once, so that nobody who comes meanwhile takes it. */
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
