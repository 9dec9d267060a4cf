import type { Concurrency } from "./limits.ts";

/** Ends a turn; to be called once. */
export type EndTurn = () => void;

interface Waiter {
  begin: () => void;
}

/** Lets so many run at once; the next ones wait in order, for a bounded time and in a bounded number. */
export class Turns {
  #running = 0;
  readonly #waiting = new Set<Waiter>();

  /**
   * Waits for a turn.
   * @param signal gives what ends the waiting early, as when the client has gone; called only when there is waiting
   * @returns what ends the turn, or undefined when there was none in time
   */
  async take(
    limits: Concurrency,
    longestWaitMs: number,
    signal?: () => AbortSignal,
  ): Promise<EndTurn | undefined> {
    if (this.#running < limits.running) return this.#begin();
    if (this.#waiting.size >= limits.waiting) return undefined;
    const giveUp = signal?.();
    if (giveUp?.aborted === true) return undefined;
    return await new Promise((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        giveUp?.removeEventListener("abort", stop);
        this.#waiting.delete(waiter);
      };
      const stop = () => {
        leave();
        resolve(undefined);
      };
      const waiter: Waiter = {
        begin: () => {
          leave();
          resolve(this.#begin());
        },
      };
      const timer = setTimeout(stop, longestWaitMs);
      giveUp?.addEventListener("abort", stop, { once: true });
      this.#waiting.add(waiter);
    });
  }

  #begin(): EndTurn {
    this.#running += 1;
    return () => {
      this.#running -= 1;
      const [next] = this.#waiting;
      next?.begin();
    };
  }
}
