import type { Rate } from "./limits.ts";

/** A token bucket for requests: starts with `burst` tokens and refills at `perSecond`. */
export class RequestBucket {
  #tokens: number;
  #filledAtMs: number;

  constructor(rate: Rate, nowMs: number) {
    this.#tokens = rate.burst;
    this.#filledAtMs = nowMs;
  }

  /** Takes tokens that another host has granted, also when they are not there; owes at most `maxDebt`. */
  charge(amount: number, rate: Rate, nowMs: number, maxDebt: number): void {
    this.#refill(rate, nowMs);
    this.#tokens = Math.min(this.#tokens, Math.max(this.#tokens - amount, -maxDebt));
  }

  /** Takes one token. @returns 0, or, when the bucket is empty, the milliseconds until the next token */
  take(rate: Rate, nowMs: number): number {
    this.#refill(rate, nowMs);
    if (this.#tokens >= 1) {
      this.#tokens -= 1;
      return 0;
    }
    return Math.ceil(((1 - this.#tokens) / rate.perSecond) * 1000);
  }

  #refill(rate: Rate, nowMs: number): void {
    // A clock that is set back must not drain the bucket.
    const passedMs = Math.max(0, nowMs - this.#filledAtMs);
    this.#tokens = Math.min(rate.burst, this.#tokens + (passedMs / 1000) * rate.perSecond);
    this.#filledAtMs = nowMs;
  }
}
