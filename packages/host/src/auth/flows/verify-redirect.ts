// Builds the URLs that `GET /verify` redirects to, with the session, code or error where supabase-js looks for it.

import type { AuthError } from "../auth-error.ts";

/** The result of opening a link. */
export type VerifyResult =
  { session: Readonly<Record<string, unknown>> } | { code: string } | { message: string };

const oauthErrors: Readonly<Record<number, string>> = {
  400: "invalid_request",
  401: "unauthorized_client",
  403: "access_denied",
  500: "server_error",
  503: "temporarily_unavailable",
};

/** The `sb` field tells the official client that the fragment is meant for it. */
function withFragment(target: URL, fields: Readonly<Record<string, string>>): string {
  target.hash = new URLSearchParams({ ...fields, sb: "" }).toString();
  return target.href;
}

/** The redirect URL after success. Tokens are in the fragment, which browsers do not send to servers. */
export function successRedirect(
  redirectTo: string,
  outcome: VerifyResult,
  type: string,
  pkce: boolean,
): string {
  const target = new URL(redirectTo);
  if ("code" in outcome) {
    target.searchParams.set("code", outcome.code);
    return target.href;
  }
  if ("message" in outcome) {
    if (pkce) target.searchParams.set("message", outcome.message);
    return withFragment(target, { message: outcome.message });
  }
  const fields: Record<string, string> = type === "" ? {} : { type };
  const names = ["access_token", "expires_at", "expires_in", "refresh_token", "token_type"];
  for (const name of names) fields[name] = String(outcome.session[name]);
  return withFragment(target, fields);
}

/** A redirect URL with fields in the query and, for older clients, in the fragment too. */
export function fieldsRedirect(
  redirectTo: string,
  fields: Readonly<Record<string, string>>,
): string {
  const target = new URL(redirectTo);
  for (const [key, value] of Object.entries(fields)) target.searchParams.set(key, value);
  return withFragment(target, fields);
}

/** The redirect URL after an error. @param name of the error in OAuth, where it does not follow from the status */
export function errorRedirect(
  redirectTo: string,
  error: AuthError,
  pkce: boolean,
  name = oauthErrors[error.status],
): string {
  const fields = {
    ...(name === undefined ? {} : { error: name }),
    error_code: error.code,
    error_description: error.message,
  };
  return pkce ? fieldsRedirect(redirectTo, fields) : withFragment(new URL(redirectTo), fields);
}
