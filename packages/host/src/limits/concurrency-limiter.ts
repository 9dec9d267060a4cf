// Lets a limited number of requests run at once and queues a few more, for the request limits.

import type { Concurrency } from "./limits.ts";

/** Releases a slot; call it once. */
export type ReleaseSlot = () => void;

interface Waiter {
  start: () => void;
}

/** A semaphore with a bounded first-in, first-out queue and a time limit for waiting. */
export class ConcurrencyLimiter {
  #running = 0;
  readonly #queue = new Set<Waiter>();

  /**
   * Waits for a free slot.
   * @param signal returns a signal that ends the wait early, such as when the client disconnects; called only if the caller has to wait
   * @returns a function that releases the slot, or undefined when none was free in time
   */
  async acquire(
    limits: Concurrency,
    maxWaitMs: number,
    signal?: () => AbortSignal,
  ): Promise<ReleaseSlot | undefined> {
    if (this.#running < limits.maxConcurrent) return this.#start();
    if (this.#queue.size >= limits.maxQueued) return undefined;
    const abortSignal = signal?.();
    if (abortSignal?.aborted === true) return undefined;
    return await new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        abortSignal?.removeEventListener("abort", stop);
        this.#queue.delete(waiter);
      };
      const stop = () => {
        leave();
        resolve(undefined);
      };
      const waiter: Waiter = {
        start: () => {
          leave();
          resolve(this.#start());
        },
      };
      const timer = setTimeout(stop, maxWaitMs);
      abortSignal?.addEventListener("abort", stop, { once: true });
      this.#queue.add(waiter);
    });
  }

  #start(): ReleaseSlot {
    this.#running += 1;
    return () => {
      this.#running -= 1;
      const [next] = this.#queue;
      next?.start();
    };
  }
}
