import { createHash } from "node:crypto";
import { badRequest, StripeFault } from "../fault.ts";
import type { StoredAnswer } from "../tables.ts";
import type { World } from "../world.ts";

const LIFETIME_SECONDS = 24 * 3600;
const KEYS_KEPT = 5000;

/** Answers to keyed POSTs, given again to a repeated request. */
export class IdempotentAnswers {
  readonly #world: World;
  readonly #inFlight = new Map<string, string>();

  constructor(world: World) {
    this.#world = world;
  }

  /**
   * Claims a key for a request, or returns the answer stored for it.
   * @throws {StripeFault} 400 for other parameters under the same key, 409 while the first is in flight.
   */
  begin(key: string, fingerprint: string): StoredAnswer | null {
    if (key.length > 255) {
      throw badRequest("Idempotency keys can be at most 255 characters.");
    }
    const running = this.#inFlight.get(key);
    const stored = this.#fresh(key);
    if ((running ?? stored?.fingerprint ?? fingerprint) !== fingerprint) {
      throw new StripeFault(400, {
        type: "idempotency_error",
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
      });
    }
    if (running !== undefined) {
      throw new StripeFault(409, {
        type: "idempotency_error",
        code: "idempotency_key_in_use",
        message: `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Try again after the other request finishes.`,
      });
    }
    if (stored) return stored;
    this.#inFlight.set(key, fingerprint);
    return null;
  }

  /** Frees the key; keeps the answer unless the request failed before anything was done. */
  finish(key: string, answer: Omit<StoredAnswer, "storedAt"> | null): void {
    this.#inFlight.delete(key);
    if (!answer) return;
    const { answers } = this.#world.tables;
    answers.set(key, { ...answer, storedAt: Math.floor(Date.now() / 1000) });
    for (const oldest of answers.keys()) {
      if (answers.size <= KEYS_KEPT) break;
      answers.delete(oldest);
    }
  }

  #fresh(key: string): StoredAnswer | undefined {
    const stored = this.#world.tables.answers.get(key);
    if (!stored) return undefined;
    if (Date.now() / 1000 - stored.storedAt < LIFETIME_SECONDS) return stored;
    this.#world.tables.answers.delete(key);
    return undefined;
  }
}

export function fingerprintOfRequest(method: string, path: string, body: string): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("base64url");
}
