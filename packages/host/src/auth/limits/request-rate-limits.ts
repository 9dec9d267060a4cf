import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey, takeLimits } from "./limit-windows.ts";
import { tooManyTokenRefreshes, tooManyRequests } from "../auth-error.ts";
import type { AuthSettings } from "../settings.ts";

const fiveMinutesS = 300;

/** Requests per client network in five minutes, with the numbers of `[auth.rate_limit]`. */
export class RequestRateLimits {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #allowed: Readonly<Record<"signIn" | "signUp" | "refresh" | "verify", number>>;

  constructor(db: Queryable, keys: Keys, limits: AuthSettings["rate_limit"]) {
    this.#db = db;
    this.#keys = keys;
    this.#allowed = {
      signIn: limits.sign_in_sign_ups,
      signUp: limits.sign_in_sign_ups,
      refresh: limits.token_refresh,
      verify: limits.token_verifications,
    };
  }

  /** @throws {AuthError} 429 with the seconds to wait; 503 for `refresh`, so that the official client keeps the session. */
  async take(action: "signIn" | "signUp" | "refresh" | "verify", network: string): Promise<void> {
    const key = limitKey(this.#keys, action, network);
    const window = { key, allowed: this.#allowed[action], seconds: fiveMinutesS };
    const exhausted = await takeLimits(this.#db, [window]);
    if (!exhausted) return;
    throw action === "refresh"
      ? tooManyTokenRefreshes(exhausted.waitSeconds)
      : tooManyRequests(exhausted.waitSeconds);
  }
}
