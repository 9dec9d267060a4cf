import pg from "pg";

/** How long whoever took too long is not asked again; it sees nothing meanwhile. */
const quarantineMs = 30_000;
const queryCanceled = "57014";
const lockNotAvailable = "55P03";

/** True when a question was given up because it took longer than it may. */
export function isTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === queryCanceled;
}

/** True for what one subscriber's policy, filter or data may cause; anything else is the database's own trouble. */
export function isSubscriberError(error: unknown): boolean {
  return (
    error instanceof pg.DatabaseError &&
    error.severity !== "FATAL" &&
    error.code !== lockNotAvailable
  );
}

/** Remembers for half a minute what is not to be asked. */
export class Quarantine {
  readonly #until = new Map<string, number>();

  add(key: string): void {
    const now = Date.now();
    // Nobody may ever ask for a key again, so what has run out goes whenever something comes.
    for (const [known, until] of this.#until) if (until <= now) this.#until.delete(known);
    this.#until.set(key, now + quarantineMs);
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > Date.now();
  }
}
