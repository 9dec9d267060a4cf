// Protects mailboxes from floods of auth e-mails, without letting strangers use up the owner's share.

import type { Context } from "hono";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey, takeLimits, type LimitWindow } from "./limit-windows.ts";
import { tooManyRequests } from "../auth-error.ts";
import type { KnownDevices } from "./known-devices.ts";

const hourS = 3600;
const dayS = 24 * hourS;
/** E-mails to one recipient from all unknown devices together. */
const unknownDevicesPerHour = 10;
const unknownDevicesPerDay = 30;
/** E-mails to one recipient from one network of unknown devices, so that one network cannot use up the share of all. */
const unknownNetworkPerHour = 5;
/** E-mails to one recipient from one known device; unknown devices do not count here. */
const knownDevicePerHour = 10;

/**
 * Limits the e-mails one client network may request and one recipient may receive. It counts the entered address, so it
 * behaves the same for addresses without an account. Unknown devices share a limit; a device that signed in before, or
 * opened a link sent to the address, has its own limit and interval.
 */
export class EmailLimits {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #devices: KnownDevices;
  readonly #perNetworkPerHour: number;
  readonly #minIntervalS: number;

  constructor(options: {
    db: Queryable;
    keys: Keys;
    devices: KnownDevices;
    /** `[auth.rate_limit] email_sent`, per client network. */
    perNetworkPerHour: number;
    /** `[auth.email] max_frequency`: milliseconds between two e-mails of one kind to one recipient. */
    minIntervalMs: number;
  }) {
    this.#db = options.db;
    this.#keys = options.keys;
    this.#devices = options.devices;
    this.#perNetworkPerHour = options.perNetworkPerHour;
    this.#minIntervalS = Math.ceil(options.minIntervalMs / 1000);
  }

  #window(allowed: number, seconds: number, ...parts: readonly string[]): LimitWindow {
    return { key: limitKey(this.#keys, "mail", ...parts), allowed, seconds };
  }

  /**
   * Counts one e-mail.
   * @returns false when the recipient's limit is reached: respond as if the e-mail was sent, but send and change nothing.
   * @throws {AuthError} 429 with the seconds to wait, for the network's limit and for the interval.
   */
  async take(c: Context, kind: string, network: string, email: string): Promise<boolean> {
    const known = await this.#devices.find(c, email);
    const share =
      known === undefined
        ? [
            this.#window(unknownNetworkPerHour, hourS, "unknown", email, network),
            this.#window(unknownDevicesPerHour, hourS, "all unknown", email),
            this.#window(unknownDevicesPerDay, dayS, "all unknown a day", email),
          ]
        : [this.#window(knownDevicePerHour, hourS, "known", email, known)];
    const interval =
      this.#minIntervalS > 0
        ? [this.#window(1, this.#minIntervalS, "interval", kind, email, known ?? "")]
        : [];
    const sent = this.#window(this.#perNetworkPerHour, hourS, "network", network);
    const exhausted = await takeLimits(this.#db, [sent, ...share, ...interval]);
    if (!exhausted) return true;
    if (exhausted.index === 0 || exhausted.index > share.length) {
      throw tooManyRequests(exhausted.waitSeconds, "over_email_send_rate_limit");
    }
    return false;
  }
}
