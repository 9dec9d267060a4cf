// Describes the auth service to clients and monitoring: `/settings`, `/health` and `/.well-known/jwks.json`.

import type { Handler } from "hono";
import type { AuthContext } from "../auth-context.ts";

const otherProviders = [
  "anonymous_users",
  "apple",
  "azure",
  "bitbucket",
  "discord",
  "facebook",
  "snapchat",
  "figma",
  "fly",
  "github",
  "gitlab",
  "google",
  "keycloak",
  "kakao",
  "linkedin",
  "linkedin_oidc",
  "notion",
  "spotify",
  "slack",
  "slack_oidc",
  "workos",
  "twitch",
  "twitter",
  "phone",
  "zoom",
] as const;

/** `GET /settings`: the enabled sign-in methods. */
export function showSettings({ settings, autoconfirm, providers }: AuthContext): Handler {
  const off = Object.fromEntries(otherProviders.map((name) => [name, false]));
  const on = Object.fromEntries([...providers.keys()].map((name) => [name, true]));
  return (c) =>
    c.json({
      external: { ...off, ...on, email: settings.email.enable_signup },
      disable_signup: !settings.enable_signup,
      mailer_autoconfirm: autoconfirm,
      phone_autoconfirm: false,
      sms_provider: "",
      saml_enabled: false,
      saml_private_key_next_configured: false,
      passkeys_enabled: settings.passkey.enabled,
    });
}

/** `GET /health`: name and version, as monitoring of hosted projects expects them. */
export function showHealth(): Handler {
  return (c) =>
    c.json({
      version: "v2.196.0",
      name: "GoTrue",
      description: "GoTrue is a user registration and authentication API",
    });
}

/** `GET /.well-known/jwks.json`: the public halves of the signing keys; empty where the JWT secret signs. */
export function showKeySet({ keys }: AuthContext): Handler {
  return (c) => c.json({ keys: keys.publicJwks }, 200, { "cache-control": "public, max-age=600" });
}
