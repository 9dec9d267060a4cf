import type { Context } from "hono";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey, takeLimits, type LimitWindow } from "./limit-windows.ts";
import { tooMany } from "../auth-error.ts";
import type { KnownDevices } from "./known-devices.ts";

const hourS = 3600;
const dayS = 24 * hourS;
/** E-mails to one address that all strangers together may cause. */
const strangersPerHour = 10;
const strangersPerDay = 30;
/** E-mails to one address that one stranger may cause, so that one alone cannot use up the share of all. */
const strangerPerHour = 5;
/** E-mails to one address that a device which signed in there before may cause; strangers do not count here. */
const knownDevicePerHour = 10;

/**
 * How many e-mails may be caused: by a sender, and to a recipient. It counts what was typed, so it is the same
 * for addresses nobody has. Strangers can use up only the share of strangers: a device that signed in before, or
 * that opened any link sent to the address, has a share and a pause of its own.
 */
export class MailLimits {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #devices: KnownDevices;
  readonly #senderPerHour: number;
  readonly #pauseS: number;

  constructor(options: {
    db: Queryable;
    keys: Keys;
    devices: KnownDevices;
    /** `[auth.rate_limit] email_sent`. */
    senderPerHour: number;
    /** `[auth.email] max_frequency`: milliseconds between two e-mails of a kind to one address. */
    pauseMs: number;
  }) {
    this.#db = options.db;
    this.#keys = options.keys;
    this.#devices = options.devices;
    this.#senderPerHour = options.senderPerHour;
    this.#pauseS = Math.ceil(options.pauseMs / 1000);
  }

  #window(allowed: number, seconds: number, ...parts: readonly string[]): LimitWindow {
    return { key: limitKey(this.#keys, "mail", ...parts), allowed, seconds };
  }

  /**
   * Counts one e-mail.
   * @returns false when the recipient has had enough: answer as if it was sent, send nothing, void nothing.
   * @throws {AuthError} 429 with the seconds to wait, for the sender's own limit and for the pause.
   */
  async take(c: Context, kind: string, sender: string, email: string): Promise<boolean> {
    const known = await this.#devices.find(c, email);
    const share =
      known === undefined
        ? [
            this.#window(strangerPerHour, hourS, "stranger", email, sender),
            this.#window(strangersPerHour, hourS, "strangers", email),
            this.#window(strangersPerDay, dayS, "strangers a day", email),
          ]
        : [this.#window(knownDevicePerHour, hourS, "known", email, known)];
    const pause =
      this.#pauseS > 0 ? [this.#window(1, this.#pauseS, "pause", kind, email, known ?? "")] : [];
    const sent = this.#window(this.#senderPerHour, hourS, "sender", sender);
    const full = await takeLimits(this.#db, [sent, ...share, ...pause]);
    if (!full) return true;
    if (full.place === 0 || full.place > share.length) {
      throw tooMany(full.waitSeconds, "over_email_send_rate_limit");
    }
    return false;
  }
}
