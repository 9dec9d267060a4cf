import type { Context } from "hono";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey } from "./limit-windows.ts";
import { AuthError, tooMany } from "../auth-error.ts";
import type { KnownDevices } from "./known-devices.ts";

/** Wrong passwords from one sender or known device before an account stops listening to it. */
const freeFailuresPerSender = 10;
/** Wrong passwords from all strangers together before an account stops listening to strangers. */
const freeFailures = 100;
/** The same for wrong codes of second factors, which are shorter than passwords. */
const freeWrongCodesPerSender = 5;
const freeWrongCodes = 20;

/** An attempt to sign in that was counted and may be heard. */
export interface Attempt {
  /** Call when the password was right: forgets the failures this attempt was counted with. */
  succeeded: () => Promise<void>;
}

/** Tells the owner, who may be the one that is locked out, how to get in all the same. */
function locked(seconds: number): AuthError {
  const retryAfter = Math.max(1, Math.ceil(seconds));
  const message = `Too many attempts to sign in. Wait ${retryAfter} seconds, or get in with a link by e-mail: ask for a new password.`;
  return new AuthError(429, "over_request_rate_limit", message, { retryAfter });
}

/** What a device is known for that has entered a right code; no e-mail address looks like it. */
function codeSubject(userId: string): string {
  return `second factor ${userId}`;
}

/**
 * Slows down guessing at passwords and at codes of second factors. The same for accounts that do not exist: the key is what was typed.
 * Strangers lock out one another, a known device only itself; so an owner who signed in before still gets in.
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
   * @param email what was typed, in lower case.
   * @throws {AuthError} 429 while locked.
   */
  async begin(c: Context, email: string, sender: string): Promise<Attempt> {
    const known = await this.#devices.find(c, email);
    const free = [freeFailuresPerSender, freeFailures];
    return await this.#count("sign in", email, { known, sender, free, refusal: locked });
  }

  /**
   * Counts a code of a second factor before it is checked. Known is a device that has entered a right code of the
   * account before; to have shown the password is not enough, or a thief of the password would be known.
   * @throws {AuthError} 429 while locked.
   */
  async beginCode(c: Context, userId: string, sender: string): Promise<Attempt> {
    const known = await this.#devices.find(c, codeSubject(userId));
    const free = [freeWrongCodesPerSender, freeWrongCodes];
    return await this.#count("code", userId, { known, sender, free, refusal: tooMany });
  }

  /** Remembers the device a right code came from. */
  async rememberCodeDevice(c: Context, userId: string): Promise<void> {
    await this.#devices.remember(c, codeSubject(userId));
  }

  async #count(
    what: string,
    subject: string,
    options: {
      known: string | undefined;
      sender: string;
      free: number[];
      refusal: (seconds: number) => AuthError;
    },
  ): Promise<Attempt> {
    const { known, sender, free } = options;
    const own = limitKey(this.#keys, what, subject, known ?? `stranger ${sender}`);
    const all = limitKey(this.#keys, what, subject);
    const keys = known === undefined ? [own, all] : [own];
    const { rows } = await this.#db.query<{ wait_seconds: number | null }>(
      "select wait_seconds from host.begin_sign_in($1, $2)",
      [keys, free.slice(0, keys.length)],
    );
    const wait = rows[0]?.wait_seconds ?? undefined;
    if (wait !== undefined) throw options.refusal(wait);
    return {
      succeeded: async () => {
        await this.#db.query("delete from host.sign_in_failures where key = any ($1)", [keys]);
      },
    };
  }
}
