import type { Rate } from "./limits.ts";

/** A budget that refills by itself: a burst at once, then so many a second. */
export class TokenBucket {
  #tokens: number;
  #filledAtMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#tokens = rate.burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes one. @returns 0, or the milliseconds until there is one again; a refusal costs nothing. */
  take(rate: Rate, nowMs: number): number {
    // A clock that was set back must not empty anybody's budget.
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(rate.burst, this.#tokens + (passedMs / 1000) * rate.perSecond);
    this.#filledAtMs = nowMs;
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.#tokens) / rate.perSecond) * 1000);
  }
}
