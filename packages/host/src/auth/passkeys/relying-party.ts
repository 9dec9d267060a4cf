// The domain and the origins that passkeys and security keys are for.

import { isIP } from "node:net";
import { BootError } from "../../boot-error.ts";
import type { AuthSettings } from "../settings.ts";

/** The relying party of passkeys: a domain, and the origins whose pages may use them. */
export interface RelyingParty {
  name: string;
  id: string;
  origins: string[];
}

/**
 * What `[auth.webauthn]` says, and otherwise the site itself.
 * @throws {BootError} for an origin outside the domain, where browsers would refuse every passkey.
 */
export function relyingPartyOf(settings: AuthSettings, siteUrl: string): RelyingParty {
  const site = new URL(siteUrl);
  const { rp_id: id = site.hostname, rp_origins: origins = [site.origin] } = settings.webauthn;
  const name = settings.webauthn.rp_display_name ?? settings.email.smtp.sender_name ?? site.host;
  const { passkey, mfa } = settings;
  const isUsed = passkey.enabled || mfa.web_authn.enroll_enabled || mfa.web_authn.verify_enabled;
  for (const origin of isUsed ? origins : []) {
    const { hostname } = new URL(origin);
    if (hostname !== id && !(hostname.endsWith(`.${id}`) && isIP(id) === 0)) {
      throw new BootError(`auth.webauthn.rp_origins: ${origin} is not of the domain ${id}`);
    }
  }
  return { name, id, origins: origins.map((origin) => new URL(origin).origin) };
}
