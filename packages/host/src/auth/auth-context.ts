import type { Context } from "hono";
import type { Logger } from "pino";
import type { HostContext } from "../context.ts";
import type { Keys } from "../keys.ts";
import type { Database } from "../postgres/database.ts";
import { clientAddress, senderOf } from "../limits/client-address.ts";
import { Letters } from "./letters.ts";
import { Passwords } from "./passwords.ts";
import { KnownDevices } from "./known-devices.ts";
import { MailLimits } from "./mail-limits.ts";
import { SenderLimits } from "./rate-limits.ts";
import { createRedirects, isLoopback, type Redirects } from "./redirects.ts";
import { readAuthSettings, type AuthSettings } from "./settings.ts";
import { SignInBackoff } from "./sign-in-backoff.ts";

/** What the verbs of the auth API work with; made once at boot. */
export interface AuthContext {
  /** Its `admin` is `supabase_auth_admin`, not the owner: the auth service owns schema auth and nothing else. */
  db: Database;
  keys: Keys;
  log: Logger;
  now: () => number;
  settings: AuthSettings;
  /** Address of this API in links and in the `iss` claim; from configuration, never from a request. */
  apiUrl: string;
  /** True when a new account may be used without opening a link first. */
  autoconfirm: boolean;
  redirects: Redirects;
  letters: Letters;
  passwords: Passwords;
  /** Names of the site, too easy to guess as part of a password. */
  siteWords: readonly string[];
  limits: SenderLimits;
  mails: MailLimits;
  devices: KnownDevices;
  backoff: SignInBackoff;
  /** Address a request came from, for the records. */
  addressOf: (c: Context) => string;
  /** What counts as one sender of requests, for limits. */
  senderOf: (c: Context) => string;
}

/** A config.toml written for a developer's machine must not send members of a public install to their own. */
function siteUrlOf(configured: string | undefined, publicUrl: string): string {
  if (configured === undefined) return publicUrl;
  return isLoopback(configured) && !isLoopback(publicUrl) ? publicUrl : configured;
}

/** @throws {BootError} when the `[auth]` table of config.toml cannot be used. */
export function createAuthContext(host: HostContext): AuthContext {
  const settings = readAuthSettings(host.project, process.env);
  const siteUrl = siteUrlOf(settings.site_url, host.publicUrl);
  const addressOf = (c: Context) => clientAddress(c, host.config.trustedProxy);
  const sender = (c: Context) => senderOf(addressOf(c));
  const { keys, now } = host;
  const db = host.authPool;
  const secure = host.publicUrl.startsWith("https:");
  const devices = new KnownDevices({ db, keys, now, senderOf: sender, secure });
  return {
    // Everything below /auth/v1 runs as the role that does so on hosted projects.
    db: { ...host.db, admin: host.authPool },
    keys: host.keys,
    log: host.log,
    now: host.now,
    settings,
    apiUrl: `${host.publicUrl}/auth/v1`,
    // Nobody could open a link that is never delivered.
    autoconfirm: !host.mailer.delivers || settings.email.enable_confirmations === false,
    redirects: createRedirects(siteUrl, [host.publicUrl], settings.additional_redirect_urls),
    letters: new Letters({
      settings: settings.email,
      project: host.project,
      siteUrl,
      mailer: host.mailer,
      log: host.log,
    }),
    passwords: new Passwords(),
    siteWords: [settings.email.smtp.sender_name ?? "", ...new URL(siteUrl).hostname.split(".")],
    limits: new SenderLimits(db, keys, settings.rate_limit),
    mails: new MailLimits({
      db,
      keys,
      devices,
      senderPerHour: settings.rate_limit.email_sent,
      pauseMs: settings.email.max_frequency,
    }),
    devices,
    backoff: new SignInBackoff({ db, keys, devices }),
    addressOf,
    senderOf: sender,
  };
}
