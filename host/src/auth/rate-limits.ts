import { createHmac, randomBytes } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { tooMany } from "./auth-error.ts";
import type { AuthSettings } from "./settings.ts";

const FIVE_MINUTES_S = 300;
const HOUR_S = 3600;
/** Keys share this many places, chosen by a secret of the process, so that no sender can fill the memory. */
const PLACES = 65_536;

const seed = randomBytes(32);

/** The place a key counts in. */
function placeOf(key: string): string {
  return String(createHmac("sha256", seed).update(key).digest().readUInt32BE() % PLACES);
}

/** At most `points` takings of a key within `seconds`. */
export class Quota {
  readonly #limiter: RateLimiterMemory;

  constructor(points: number, seconds: number) {
    this.#limiter = new RateLimiterMemory({ points, duration: seconds });
  }

  /** Counts one taking. @returns seconds to wait when there were too many, else undefined. */
  async take(key: string): Promise<number | undefined> {
    try {
      await this.#limiter.consume(placeOf(key));
      return undefined;
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return refusal.msBeforeNext / 1000;
      throw refusal;
    }
  }
}

/** What one sender may do how often; the numbers are those of `[auth.rate_limit]`. */
export class SenderLimits {
  readonly #quotas: Readonly<Record<"signIn" | "signUp" | "refresh" | "verify" | "mail", Quota>>;

  constructor(limits: AuthSettings["rate_limit"]) {
    this.#quotas = {
      signIn: new Quota(limits.sign_in_sign_ups, FIVE_MINUTES_S),
      signUp: new Quota(limits.sign_in_sign_ups, FIVE_MINUTES_S),
      refresh: new Quota(limits.token_refresh, FIVE_MINUTES_S),
      verify: new Quota(limits.token_verifications, FIVE_MINUTES_S),
      mail: new Quota(limits.email_sent, HOUR_S),
    };
  }

  /** @throws {AuthError} 429 with the seconds to wait. */
  async take(
    what: "signIn" | "signUp" | "refresh" | "verify" | "mail",
    sender: string,
  ): Promise<void> {
    const wait = await this.#quotas[what].take(sender);
    if (wait !== undefined) {
      throw tooMany(wait, what === "mail" ? "over_email_send_rate_limit" : undefined);
    }
  }
}

/** At most one e-mail of a kind to one address within `max_frequency`, whether or not it has an account. */
export class LetterFrequency {
  readonly #quota: Quota | undefined;

  constructor(maxFrequencyMs: number) {
    const seconds = Math.ceil(maxFrequencyMs / 1000);
    this.#quota = seconds > 0 ? new Quota(1, seconds) : undefined;
  }

  /** @throws {AuthError} 429 with the seconds to wait. */
  async take(kind: string, email: string): Promise<void> {
    const wait = await this.#quota?.take(JSON.stringify([kind, email]));
    if (wait !== undefined) throw tooMany(wait, "over_email_send_rate_limit");
  }
}
