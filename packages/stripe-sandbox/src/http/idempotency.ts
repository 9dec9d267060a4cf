import { createHash } from "node:crypto";
import { invalidRequest, StripeApiError } from "../api-errors.ts";
import type { StoredResponse } from "../tables.ts";
import type { SandboxState } from "../sandbox-state.ts";

const lifetimeS = 24 * 3600;
const maxKeys = 5000;

/** Responses to POSTs with an idempotency key, replayed for a repeated request. */
export class IdempotentResponses {
  readonly #state: SandboxState;
  readonly #inFlight = new Map<string, string>();

  constructor(state: SandboxState) {
    this.#state = state;
  }

  /**
   * Claims a key for a request, or returns the response stored for it.
   * @throws {StripeApiError} 400 for other parameters under the same key, 409 while the first is in flight.
   */
  begin(key: string, fingerprint: string): StoredResponse | null {
    if (key.length > 255) {
      throw invalidRequest("Idempotency keys can be at most 255 characters.");
    }
    const running = this.#inFlight.get(key);
    const stored = this.#fresh(key);
    if ((running ?? stored?.fingerprint ?? fingerprint) !== fingerprint) {
      throw new StripeApiError(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (running !== undefined) {
      throw new StripeApiError(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Try again after the other request finishes.`,
      });
    }
    if (stored) return stored;
    this.#inFlight.set(key, fingerprint);
    return null;
  }

  /** Releases the key and stores the response; null stores nothing. */
  finish(key: string, answer: Omit<StoredResponse, "storedAt"> | null): void {
    this.#inFlight.delete(key);
    if (!answer) return;
    const { answers } = this.#state.tables;
    answers.set(key, { ...answer, storedAt: Math.floor(Date.now() / 1000) });
    for (const oldest of answers.keys()) {
      if (answers.size <= maxKeys) break;
      answers.delete(oldest);
    }
  }

  #fresh(key: string): StoredResponse | undefined {
    const stored = this.#state.tables.answers.get(key);
    if (!stored) return undefined;
    if (Date.now() / 1000 - stored.storedAt < lifetimeS) return stored;
    this.#state.tables.answers.delete(key);
    return undefined;
  }
}

export function fingerprintOfRequest(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("base64url");
}
