import { randomBytes, timingSafeEqual } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey } from "./limit-windows.ts";

const cookieName = "auth-device";
const cookieLifeS = 365 * 24 * 3600;
/** A cookie older than this is written anew by the next sign-in. */
const renewAfterS = 30 * 24 * 3600;
const senderLifeDays = 90;
/** Accounts one browser remembers having signed in to. */
const mostAccounts = 5;

interface Entry {
  text: string;
  /** What tells this device from others; random. */
  device: string;
  issuedAtS: number;
  mac: string;
}

function parseEntry(text: string): Entry | undefined {
  const [device = "", issued = "", mac = ""] = text.split(".");
  const issuedAtS = Number.parseInt(issued, 36);
  if (!/^[\w-]{22}$/.test(device) || !/^[\w-]{22}$/.test(mac)) return undefined;
  return Number.isSafeInteger(issuedAtS) ? { text, device, issuedAtS, mac } : undefined;
}

/**
 * Devices that have shown before that they belong to an account: they signed in, or opened a link sent to its
 * address. Their guesses and e-mails are counted apart from those of strangers, so that strangers cannot lock
 * the owner out; it lets nobody in. A browser shows a signed cookie; where cookies do not travel, the network
 * it signed in from counts. docs/decisions/012-known-devices.md.
 */
export class KnownDevices {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #senderOf: (c: Context) => string;
  readonly #secure: boolean;

  constructor(options: {
    db: Queryable;
    keys: Keys;
    now: () => number;
    senderOf: (c: Context) => string;
    /** True when the site is reached over https alone. */
    secure: boolean;
  }) {
    this.#db = options.db;
    this.#keys = options.keys;
    this.#now = options.now;
    this.#senderOf = options.senderOf;
    this.#secure = options.secure;
  }

  #mac(email: string, device: string, issuedAtS: number): string {
    const text = JSON.stringify([email, device, issuedAtS]);
    return this.#keys.derive("known device", text).slice(0, 22);
  }

  #entries(c: Context): Entry[] {
    const value = getCookie(c, cookieName) ?? "";
    if (value.length > 1024) return [];
    return value.split("~").flatMap((text) => parseEntry(text) ?? []);
  }

  #entryFor(c: Context, email: string): Entry | undefined {
    const nowS = this.#now() / 1000;
    return this.#entries(c).find(
      (entry) =>
        entry.issuedAtS + cookieLifeS > nowS &&
        timingSafeEqual(
          Buffer.from(entry.mac),
          Buffer.from(this.#mac(email, entry.device, entry.issuedAtS)),
        ),
    );
  }

  #senderKey(email: string, sender: string): Buffer {
    return limitKey(this.#keys, "known sender", email, sender);
  }

  /**
   * @param email what was typed, in lower case.
   * @returns what counts as one known device of the account; undefined for a stranger.
   */
  async find(c: Context, email: string): Promise<string | undefined> {
    const entry = this.#entryFor(c, email);
    if (entry) return `device ${entry.device}`;
    const sender = this.#senderOf(c);
    const { rowCount } = await this.#db.query(
      "select 1 from host.known_senders where key = $1 and expires_at > now()",
      [this.#senderKey(email, sender)],
    );
    return rowCount === 1 ? `sender ${sender}` : undefined;
  }

  /** Remembers the device a request came from; call once it has shown that the account is its owner's. */
  async remember(c: Context, email: string): Promise<void> {
    const nowS = Math.floor(this.#now() / 1000);
    const kept = this.#entryFor(c, email);
    if (kept === undefined || kept.issuedAtS + renewAfterS < nowS) {
      const device = kept?.device ?? randomBytes(16).toString("base64url");
      const entry = `${device}.${nowS.toString(36)}.${this.#mac(email, device, nowS)}`;
      const others = this.#entries(c).flatMap(({ text }) => (text === kept?.text ? [] : [text]));
      setCookie(c, cookieName, [entry, ...others].slice(0, mostAccounts).join("~"), {
        path: "/auth/v1",
        httpOnly: true,
        sameSite: "Lax",
        secure: this.#secure,
        maxAge: cookieLifeS,
      });
    }
    await this.#db.query(
      `insert into host.known_senders as s (key, expires_at) values ($1, now() + make_interval(days => $2))
       on conflict (key) do update set expires_at = excluded.expires_at
         where s.expires_at < excluded.expires_at - interval '1 day'`,
      [this.#senderKey(email, this.#senderOf(c)), senderLifeDays],
    );
  }
}
