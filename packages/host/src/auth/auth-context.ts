// Assembles what all auth routes share (settings, keys, limits, e-mail templates) from the host and config.toml.

import type { Context } from "hono";
import type { Logger } from "pino";
import { BootError } from "../boot-error.ts";
import type { HostContext } from "../context.ts";
import type { Keys } from "../keys.ts";
import type { Database } from "../postgres/database.ts";
import { clientAddress, clientNetwork } from "../limits/client-address.ts";
import { EmailTemplates } from "./mail/email-templates.ts";
import { PasswordHasher } from "./passwords/passwords.ts";
import { KnownDevices } from "./limits/known-devices.ts";
import { EmailLimits } from "./limits/email-limits.ts";
import { RequestRateLimits } from "./limits/request-rate-limits.ts";
import { createRedirectUrls, isLoopbackUrl, type RedirectUrls } from "./flows/redirect-urls.ts";
import { relyingPartyOf, type RelyingParty } from "./passkeys/relying-party.ts";
import { OidcProvider } from "./providers/oidc-provider.ts";
import { providerNames, type ProviderName } from "./providers/provider-kinds.ts";
import { readAuthSettings, type AuthRateLimitOverrides, type AuthSettings } from "./settings.ts";
import { SignInBackoff } from "./limits/sign-in-backoff.ts";

/** Services the auth routes use; created once at boot. */
export interface AuthContext {
  /** Its `admin` pool runs as `supabase_auth_admin`, which owns schema auth and nothing else. */
  db: Database;
  keys: Keys;
  log: Logger;
  now: () => number;
  settings: AuthSettings;
  /** URL of this API, used in links and as the `iss` claim; from configuration, never from a request. */
  apiUrl: string;
  /** True when a new account needs no e-mail confirmation. */
  autoconfirm: boolean;
  redirectUrls: RedirectUrls;
  emailTemplates: EmailTemplates;
  passwords: PasswordHasher;
  /** Words from the site's name, which are too easy to guess in a password. */
  siteWords: readonly string[];
  rateLimits: RequestRateLimits;
  emailLimits: EmailLimits;
  devices: KnownDevices;
  backoff: SignInBackoff;
  /** For whom passkeys are. */
  relyingParty: RelyingParty;
  /** Those that are on, by name. */
  providers: ReadonlyMap<ProviderName, OidcProvider>;
  /** IP address a request came from, for sessions and the audit log. */
  clientAddress: (c: Context) => string;
  /** Client network a request came from, the key limits count by. */
  clientNetwork: (c: Context) => string;
}

/** Settings of stand-ins, by the name of the provider. */
export type StandIns = Partial<
  Record<ProviderName, { url: string; client_id: string; secret: string }>
>;

/** What the host tells the auth service about itself. */
export interface AuthOptions {
  /** Names of it may stand in the `[auth]` table, or replace its settings. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Stand-ins for sign-in providers, in place of what is set. */
  standIns?: StandIns | undefined;
  rateLimits?: AuthRateLimitOverrides | undefined;
  /** True when this host serves the web app too. */
  servesSite?: boolean;
}

/**
 * Ignores a loopback `site_url` on a public install: its links would lead members to their own machines. So it does
 * where this host serves the site itself, maybe on another port.
 */
function siteUrlOf(configured: string | undefined, publicUrl: string, servesSite: boolean): string {
  if (configured === undefined) return publicUrl;
  const isElsewhere = servesSite || !isLoopbackUrl(publicUrl);
  return isLoopbackUrl(configured) && isElsewhere ? publicUrl : configured;
}

/**
 * The providers that are on.
 * @throws {BootError} for a stand-in that is reached without TLS, where others could answer for it.
 */
function openProviders(
  host: HostContext,
  settings: AuthSettings,
  standIns: StandIns,
): ReadonlyMap<ProviderName, OidcProvider> {
  const providers = new Map<ProviderName, OidcProvider>();
  for (const name of providerNames) {
    const standIn = standIns[name];
    const own = { ...settings.external[name], ...(standIn && { ...standIn, enabled: true }) };
    if (!own.enabled) continue;
    if (own.url !== undefined) {
      const isOpen = host.config.production || !isLoopbackUrl(own.url);
      if (isOpen && !own.url.startsWith("https:")) {
        throw new BootError(`auth.external.${name}.url: must begin with https://`);
      }
      host.log.warn({ provider: name, url: own.url }, "a stand-in answers for a sign-in provider");
    }
    const callbackUrl = `${host.publicUrl}/auth/v1/callback`;
    providers.set(name, new OidcProvider(name, own, { callbackUrl, now: host.now }));
  }
  return providers;
}

/** @throws {BootError} when the `[auth]` table of config.toml cannot be used. */
export function createAuthContext(
  host: HostContext,
  { env = process.env, standIns = {}, rateLimits = {}, servesSite = false }: AuthOptions = {},
): AuthContext {
  const read = readAuthSettings(host.project, env);
  if (read.allow_guessable_passwords) {
    if (host.config.production) {
      throw new BootError(
        "auth.allow_guessable_passwords in config.toml is for development only; remove it to start in production.",
      );
    }
    host.log.warn("passwords that are easy to guess are accepted: auth.allow_guessable_passwords");
  }
  const settings = { ...read, rate_limit: { ...read.rate_limit, ...rateLimits } };
  const siteUrl = siteUrlOf(settings.site_url, host.publicUrl, servesSite);
  const addressOf = (c: Context) => clientAddress(c, host.config.trustedProxy);
  const networkOf = (c: Context) => clientNetwork(addressOf(c));
  const { keys, now } = host;
  const db = host.authPool;
  const secure = host.publicUrl.startsWith("https:");
  const devices = new KnownDevices({ db, keys, now, clientNetwork: networkOf, secure });
  return {
    // All queries below /auth/v1 run as the role the auth server of a hosted project uses.
    db: { ...host.db, admin: host.authPool },
    keys: host.keys,
    log: host.log,
    now: host.now,
    settings,
    apiUrl: `${host.publicUrl}/auth/v1`,
    // Without delivery, no confirmation link could be opened.
    autoconfirm: !host.mailer.delivers || settings.email.enable_confirmations === false,
    redirectUrls: createRedirectUrls(siteUrl, [host.publicUrl], settings.additional_redirect_urls),
    emailTemplates: new EmailTemplates({
      settings: settings.email,
      project: host.project,
      siteUrl,
      mailer: host.mailer,
      log: host.log,
    }),
    passwords: new PasswordHasher(),
    siteWords: [settings.email.smtp.sender_name ?? "", ...new URL(siteUrl).hostname.split(".")],
    rateLimits: new RequestRateLimits(db, keys, settings.rate_limit),
    emailLimits: new EmailLimits({
      db,
      keys,
      devices,
      perNetworkPerHour: settings.rate_limit.email_sent,
      minIntervalMs: settings.email.max_frequency,
    }),
    devices,
    backoff: new SignInBackoff({ db, keys, devices }),
    relyingParty: relyingPartyOf(settings, siteUrl),
    providers: openProviders(host, settings, standIns),
    clientAddress: addressOf,
    clientNetwork: networkOf,
  };
}
