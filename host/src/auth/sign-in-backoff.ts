import { createHmac, randomBytes } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooMany } from "./auth-error.ts";

/** Wrong passwords from one sender before an account stops listening to that sender. */
const FREE_FAILURES_A_SENDER = 10;
/** Wrong passwords from anywhere before an account stops listening to everybody. */
const FREE_FAILURES = 100;
const FIRST_LOCK_S = 30;
const LONGEST_LOCK_S = 900;
/** How long failures are remembered. */
const MEMORY_S = 24 * 3600;
const PLACES = 65_536;

const seed = randomBytes(32);

/** Seconds an account is locked by its `failures`-th attempt without success; 0 while they are free. */
export function lockSeconds(failures: number, free: number): number {
  if (failures < free) return 0;
  return Math.min(LONGEST_LOCK_S, FIRST_LOCK_S * 2 ** Math.min(failures - free, 20));
}

class Counter {
  readonly #free: number;
  readonly #failures = new RateLimiterMemory({
    points: Number.MAX_SAFE_INTEGER,
    duration: MEMORY_S,
  });
  /** One attempt a lock: whoever takes it is heard, everybody else waits until it ends. */
  readonly #locks = new RateLimiterMemory({ points: 1, duration: FIRST_LOCK_S });

  constructor(free: number) {
    this.#free = free;
  }

  async begin(key: string): Promise<void> {
    // Counted before the password is checked, so that a volley of guesses cannot outrun its own count.
    const { consumedPoints } = await this.#failures.penalty(key);
    const seconds = lockSeconds(consumedPoints, this.#free);
    if (seconds === 0) return;
    try {
      await this.#locks.consume(key, 1, { customDuration: seconds });
    } catch (refusal) {
      await this.#failures.reward(key);
      throw refusal instanceof RateLimiterRes ? tooMany(refusal.msBeforeNext / 1000) : refusal;
    }
  }

  async forget(key: string): Promise<void> {
    await this.#failures.delete(key);
    await this.#locks.delete(key);
  }
}

/**
 * Slows down guessing at passwords. The same for accounts that do not exist: the key is what was typed.
 * A stranger's guesses lock the stranger out first; the owner, from elsewhere, still gets in.
 */
export class SignInBackoff {
  readonly #bySender = new Counter(FREE_FAILURES_A_SENDER);
  readonly #byAccount = new Counter(FREE_FAILURES);

  #keys(email: string, sender: string): [string, string] {
    const place = (...parts: string[]) => {
      const digest = createHmac("sha256", seed).update(JSON.stringify(parts)).digest();
      return String(digest.readUInt32BE() % PLACES);
    };
    return [place(email, sender), place(email)];
  }

  /** Call before checking a password. @throws {AuthError} 429 while locked. */
  async begin(email: string, sender: string): Promise<void> {
    const [pair, account] = this.#keys(email, sender);
    await this.#bySender.begin(pair);
    await this.#byAccount.begin(account);
  }

  /** Call when the password was right. */
  async succeeded(email: string, sender: string): Promise<void> {
    const [pair, account] = this.#keys(email, sender);
    await this.#bySender.forget(pair);
    await this.#byAccount.forget(account);
  }
}
