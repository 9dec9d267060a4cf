import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey, takeLimits } from "./limit-windows.ts";
import { renewLater, tooMany } from "../auth-error.ts";
import type { AuthSettings } from "../settings.ts";

const fiveMinutesS = 300;

/** What one sender may do how often in five minutes; the numbers are those of `[auth.rate_limit]`. */
export class SenderLimits {
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

  /** @throws {AuthError} 429 with the seconds to wait; 503 for refresh, after which the official client keeps the session. */
  async take(what: "signIn" | "signUp" | "refresh" | "verify", sender: string): Promise<void> {
    const key = limitKey(this.#keys, what, sender);
    const window = { key, allowed: this.#allowed[what], seconds: fiveMinutesS };
    const full = await takeLimits(this.#db, [window]);
    if (!full) return;
    throw what === "refresh" ? renewLater(full.waitSeconds) : tooMany(full.waitSeconds);
  }
}
