/** Work that is not taken on because too much of it waits already. */
export class QueueFull extends Error {
  override readonly name = "QueueFull";
}

/** How much work runs and waits. */
export interface QueueLimits {
  atOnce: number;
  waiting: number;
  waitingPerCaller: number;
}

/**
 * Runs little at once and lets callers take turns, so that one who asks for much waits behind itself
 * and not before everybody else.
 */
export class FairQueue {
  readonly #limits: QueueLimits;
  /** Waiting work by caller; the caller who comes first is served next. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  /** @throws {QueueFull} */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#limits.atOnce) await this.#turnOf(caller);
    else this.#running += 1;
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  async #turnOf(caller: string): Promise<void> {
    const own = this.#waiting.get(caller) ?? [];
    if (this.#waitingCount >= this.#limits.waiting || own.length >= this.#limits.waitingPerCaller) {
      throw new QueueFull("Too much is waiting for the database.");
    }
    this.#waitingCount += 1;
    await new Promise<void>((resolve) => {
      own.push(resolve);
      this.#waiting.set(caller, own);
    });
  }

  /** Hands the place on, or gives it up when nobody waits. */
  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#running -= 1;
      return;
    }
    const [caller, own] = first;
    const start = own.shift();
    this.#waiting.delete(caller);
    if (own.length > 0) this.#waiting.set(caller, own);
    this.#waitingCount -= 1;
    start?.();
  }
}
