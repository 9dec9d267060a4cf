// Recognises devices that signed in before, so that strangers' failed attempts do not lock the owner out.

import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { isEqualConstantTime } from "../../constant-time.ts";
import type { Keys } from "../../keys.ts";
import type { Queryable } from "../../postgres/database.ts";
import { limitKey } from "./limit-windows.ts";

const cookieName = "auth-device";
const cookieLifetimeS = 365 * 24 * 3600;
/** A cookie older than this is renewed by the next sign-in. */
const renewAfterS = 30 * 24 * 3600;
const networkLifetimeDays = 90;
/** Accounts one browser's cookie remembers. */
const maxAccountsPerBrowser = 5;

interface Entry {
  text: string;
  /** Random id of the device. */
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
 * Devices that signed in to an account before, or opened a link sent to its address. Their wrong guesses and e-mails
 * are counted separately from those of unknown devices, so that unknown devices cannot lock the owner out. Being known
 * grants no access. A browser is recognised by a signed cookie, other clients by the network they signed in from.
 * docs/decisions/012-known-devices.md.
 */
export class KnownDevices {
  readonly #db: Queryable;
  readonly #keys: Keys;
  readonly #now: () => number;
  readonly #clientNetwork: (c: Context) => string;
  readonly #secure: boolean;

  constructor(options: {
    db: Queryable;
    keys: Keys;
    now: () => number;
    clientNetwork: (c: Context) => string;
    /** True when the site is served over https only. */
    secure: boolean;
  }) {
    this.#db = options.db;
    this.#keys = options.keys;
    this.#now = options.now;
    this.#clientNetwork = options.clientNetwork;
    this.#secure = options.secure;
  }

  /** The signatures that a cookie may have: the one for a new cookie first. */
  #macs(email: string, device: string, issuedAtS: number): string[] {
    const text = JSON.stringify([email, device, issuedAtS]);
    return this.#keys.deriveAll("known device", text).map((mac) => mac.slice(0, 22));
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
        entry.issuedAtS + cookieLifetimeS > nowS &&
        this.#macs(email, entry.device, entry.issuedAtS).some((mac) =>
          isEqualConstantTime(entry.mac, mac),
        ),
    );
  }

  #networkKey(email: string, network: string): Buffer {
    return limitKey(this.#keys, "known network", email, network);
  }

  /**
   * @param email the entered address, in lower case.
   * @returns an id of the known device for counting; undefined for an unknown device.
   */
  async find(c: Context, email: string): Promise<string | undefined> {
    const entry = this.#entryFor(c, email);
    if (entry) return `device ${entry.device}`;
    const network = this.#clientNetwork(c);
    const { rowCount } = await this.#db.query(
      "select 1 from host.known_networks where key = $1 and expires_at > now()",
      [this.#networkKey(email, network)],
    );
    return rowCount === 1 ? `network ${network}` : undefined;
  }

  /** Remembers the device a request came from; call it after a successful sign-in or an opened link. */
  async remember(c: Context, email: string): Promise<void> {
    const nowS = Math.floor(this.#now() / 1000);
    const kept = this.#entryFor(c, email);
    if (kept === undefined || kept.issuedAtS + renewAfterS < nowS) {
      const device = kept?.device ?? randomBytes(16).toString("base64url");
      const entry = `${device}.${nowS.toString(36)}.${this.#macs(email, device, nowS)[0]}`;
      const others = this.#entries(c).flatMap(({ text }) => (text === kept?.text ? [] : [text]));
      setCookie(c, cookieName, [entry, ...others].slice(0, maxAccountsPerBrowser).join("~"), {
        path: "/auth/v1",
        httpOnly: true,
        sameSite: "Lax",
        secure: this.#secure,
        maxAge: cookieLifetimeS,
      });
    }
    await this.#db.query(
      `insert into host.known_networks as s (key, expires_at) values ($1, now() + make_interval(days => $2))
       on conflict (key) do update set expires_at = excluded.expires_at
         where s.expires_at < excluded.expires_at - interval '1 day'`,
      [this.#networkKey(email, this.#clientNetwork(c)), networkLifetimeDays],
    );
  }
}
