// Rate limiters of Realtime: a token bucket that may go into debt, and a counter for each second.

/** Size of a burst, in seconds of the rate. */
const burstSeconds = 4;

/**
 * Allows an amount a second, and bursts. A take may exceed what is left; the debt is paid back before the next take,
 * so that one large amount is possible and many are not.
 */
export class TokenBucket {
  readonly #perSecond: number;
  readonly #burst: number;
  #level: number;
  #at: number | undefined;

  constructor(perSecond: number, burst = perSecond * burstSeconds) {
    this.#perSecond = perSecond;
    this.#burst = burst;
    this.#level = burst;
  }

  /** True while something may be taken. */
  isOpen(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#level > 0;
  }

  /** True when a new bucket would be the same. */
  isFull(nowMs: number): boolean {
    this.#refill(nowMs);
    return this.#level >= this.#burst;
  }

  /** Takes an amount, even if it is not there. */
  charge(amount: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#level -= amount;
  }

  /** Returns false and takes nothing when the bucket is empty. */
  take(amount: number, nowMs: number): boolean {
    if (!this.isOpen(nowMs)) return false;
    this.#level -= amount;
    return true;
  }

  /** Closes the bucket for this long. */
  closeFor(ms: number, nowMs: number): void {
    this.#refill(nowMs);
    this.#level = Math.min(this.#level, (-ms / 1000) * this.#perSecond);
  }

  #refill(nowMs: number): void {
    const elapsedMs = Math.max(0, nowMs - (this.#at ?? nowMs));
    this.#at = nowMs;
    if (elapsedMs === 0) return;
    this.#level = Math.min(this.#burst, this.#level + (elapsedMs / 1000) * this.#perSecond);
  }
}

/** Limits events in each whole second. */
export class RatePerSecond {
  readonly #most: number;
  #second = 0;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts an event; false when it is over the limit. */
  allows(nowMs: number): boolean {
    const second = Math.floor(nowMs / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#count = 0;
    }
    this.#count += 1;
    return this.#count <= this.#most;
  }

  /** Events in the second of the last one. */
  get count(): number {
    return this.#count;
  }

  /** True above twice the limit. */
  get isFarOver(): boolean {
    return this.#count > 2 * this.#most;
  }
}
