/** Timers cannot wait for longer than this; what is due later is looked at again. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Calls back at a moment that may be moved, such as the end of a token. */
export class Alarm {
  readonly #now: () => number;
  readonly #ring: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(now: () => number, ring: () => void) {
    this.#now = now;
    this.#ring = ring;
  }

  /** @param dueAt milliseconds since the epoch; undefined for never */
  set(dueAt: number | undefined): void {
    this.clear();
    if (dueAt === undefined) return;
    const leftMs = dueAt - this.#now();
    if (leftMs <= 0) {
      this.#ring();
      return;
    }
    this.#timer = setTimeout(() => this.set(dueAt), Math.min(leftMs, LONGEST_TIMER_MS));
    this.#timer.unref();
  }

  clear(): void {
    clearTimeout(this.#timer);
  }
}
