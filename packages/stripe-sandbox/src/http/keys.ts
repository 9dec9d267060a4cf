import { timingSafeEqual } from "node:crypto";
import { StripeApiError } from "../api-errors.ts";

/** The secret key that the sandbox was started with, and those it was rolled to. */
export class SecretKeys {
  #good: string[];
  #expired: string[] = [];

  constructor(first: string) {
    this.#good = [first];
  }

  /** Adds a key. The ones before it stay good until they expire. */
  roll(next: string): void {
    this.#expired = this.#expired.filter((key) => key !== next);
    this.#good = [...this.#good.filter((key) => key !== next), next];
  }

  /** Ends the overlap: the newest key alone is good. */
  expirePrevious(): void {
    this.#expired = [...this.#expired, ...this.#good.slice(0, -1)];
    this.#good = this.#good.slice(-1);
  }

  isGood(given: string): boolean {
    return this.#good.some((key) => isEqualConstantTime(given, key));
  }

  isExpired(given: string): boolean {
    return this.#expired.some((key) => isEqualConstantTime(given, key));
  }
}

export interface SandboxKeys {
  secretKeys: SecretKeys;
  publishableKey: string;
}

/**
 * True for the publishable key, false for the secret key.
 * @throws {StripeApiError} 401 without a valid key, and for the secret key when `browserOnly`.
 */
export function checkKey(header: string, keys: SandboxKeys, browserOnly: boolean): boolean {
  const [scheme = "", credential = ""] = header.split(" ");
  const key =
    scheme.toLowerCase() === "basic"
      ? (Buffer.from(credential, "base64").toString("utf8").split(":")[0] ?? "")
      : credential;
  if (key === "") {
    throw new StripeApiError(401, {
      type: "invalid_request_error",
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
    });
  }
  if (isEqualConstantTime(key, keys.publishableKey)) return true;
  if (!browserOnly && keys.secretKeys.isGood(key)) return false;
  const shown = key.length > 12 ? `${key.slice(0, 8)}${"*".repeat(8)}${key.slice(-4)}` : "****";
  if (!browserOnly && keys.secretKeys.isExpired(key)) {
    throw new StripeApiError(401, {
      type: "invalid_request_error",
      code: "api_key_expired",
      message: `Expired API Key provided: ${shown}`,
    });
  }
  throw new StripeApiError(401, {
    type: "invalid_request_error",
    message: `Invalid API Key provided: ${shown}`,
  });
}

/** Compares in constant time. */
export function isEqualConstantTime(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

export function secretKeyRequired(): StripeApiError {
  return new StripeApiError(403, {
    type: "invalid_request_error",
    code: "secret_key_required",
    message:
      "This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.",
  });
}
