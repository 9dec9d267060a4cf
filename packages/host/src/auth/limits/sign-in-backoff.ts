// Locks out guessers of passwords and second-factor codes, while the owner's known devices still get in.

import type { Context } from "hono";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey } from "./limit-windows.ts";
import { AuthError, tooManyRequests } from "../auth-error.ts";
import type { KnownDevices } from "./known-devices.ts";

/** Wrong passwords from one network or known device before it is locked out of the account. */
const freeFailuresPerNetwork = 10;
/** Wrong passwords from all unknown devices together before these are locked out of the account. */
const freeFailures = 100;
/** The same for wrong second-factor codes, which are easier to guess than passwords. */
const freeWrongCodesPerNetwork = 5;
const freeWrongCodes = 20;

/** A sign-in attempt that was counted and may proceed. */
export interface Attempt {
  /** Call when the password was correct: resets the failures this attempt was counted with. */
  succeeded: () => Promise<void>;
}

/** The owner may be the one who is locked out, so the message names another way in. */
function lockedOut(seconds: number): AuthError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const message = `Too many attempts to sign in. Wait ${retryAfter} seconds, or get in with a link by e-mail: ask for a new password.`;
  return new AuthError(429, "over_request_rate_limit", message, { retryAfter });
}

/** Subject under which devices that entered a correct code are known; it cannot be an e-mail address. */
function codeSubject(userId: string): string {
  return `second factor ${userId}`;
}

/**
 * Slows down guessing of passwords and second-factor codes. It behaves the same for accounts that do not exist, because
 * it counts by the entered address. Unknown devices lock out each other, a known device only itself, so owners who
 * signed in before can still sign in.
 */
export class SignInBackoff {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #devices: KnownDevices;

  constructor(options: { db: Queryable; keys: Keys; devices: KnownDevices }) {
    this.#db = options.db;
    this.#keys = options.keys;
    this.#devices = options.devices;
  }

  /**
   * Counts an attempt before its password is checked, in one statement.
   * @param email the entered address, in lower case.
   * @throws {AuthError} 429 while locked.
   */
  async begin(c: Context, email: string, network: string): Promise<Attempt> {
    const known = await this.#devices.find(c, email);
    const free = [freeFailuresPerNetwork, freeFailures];
    return await this.#count("sign in", email, { known, network, free, lockedError: lockedOut });
  }

  /**
   * Counts a second-factor code before it is checked. A device is known if it has entered a correct code for the
   * account before; the password alone is not enough, or someone with a stolen password would be known.
   * @throws {AuthError} 429 while locked.
   */
  async beginCode(c: Context, userId: string, network: string): Promise<Attempt> {
    const known = await this.#devices.find(c, codeSubject(userId));
    const free = [freeWrongCodesPerNetwork, freeWrongCodes];
    return await this.#count("code", userId, {
      known,
      network,
      free,
      lockedError: tooManyRequests,
    });
  }

  /** Remembers the device that entered a correct code. */
  async rememberCodeDevice(c: Context, userId: string): Promise<void> {
    await this.#devices.remember(c, codeSubject(userId));
  }

  async #count(
    action: string,
    subject: string,
    options: {
      known: string | undefined;
      network: string;
      free: number[];
      lockedError: (seconds: number) => AuthError;
    },
  ): Promise<Attempt> {
    const { known, network, free } = options;
    const own = limitKey(this.#keys, action, subject, known ?? `unknown ${network}`);
    const all = limitKey(this.#keys, action, subject);
    const keys = known === undefined ? [own, all] : [own];
    const { rows } = await this.#db.query<{ wait_seconds: number | null }>(
      "select wait_seconds from host.begin_sign_in($1, $2)",
      [keys, free.slice(0, keys.length)],
    );
    const wait = rows[0]?.wait_seconds ?? undefined;
    if (wait !== undefined) throw options.lockedError(wait);
    return {
      succeeded: async () => {
        await this.#db.query("delete from host.sign_in_failures where key = any ($1)", [keys]);
      },
    };
  }
}
