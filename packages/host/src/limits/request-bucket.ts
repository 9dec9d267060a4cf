import type { Rate } from "./limits.ts";

/** A token bucket for requests: starts with `burst` tokens and refills at `perSecond`. */
export class RequestBucket {
  #tokens: number;
  #filledAtMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#tokens = rate.burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes one token. @returns 0, or, when the bucket is empty, the milliseconds until the next token */
  take(rate: Rate, nowMs: number): number {
    // A clock that is set back must not drain the bucket.
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
