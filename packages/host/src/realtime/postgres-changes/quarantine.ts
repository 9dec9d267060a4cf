import pg from "pg";
import { sqlStates } from "../../postgres/sql-states.ts";

/** How long a policy, filter or function that timed out is not evaluated again. */
const quarantineMs = 30_000;

/** True for a statement timeout. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === sqlStates.queryCanceled;
}

/** True for errors a subscriber's policy, filter or data can cause; false for errors of the database itself. */
export function isSubscriberError(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.severity !== "FATAL" &&
    error.code !== sqlStates.lockNotAvailable
  );
}

/** Keys that must not be evaluated for half a minute. */
export class Quarantine {
  readonly #now: () => number;
  readonly #until = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  add(key: string): void {
    const now = this.#now();
    // Expired keys are removed here, because they may never be queried again.
    for (const [known, until] of this.#until) if (until <= now) this.#until.delete(known);
    this.#until.set(key, now + quarantineMs);
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > this.#now();
  }
}
