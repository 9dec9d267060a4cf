import type { Session } from "@supabase/supabase-js";

/** A second factor that counts. */
export interface VerifiedFactor {
  readonly id: string;
  /** The name its owner gave it; may be empty. */
  readonly name: string;
}

/** The verified authenticator apps of the account behind a session. */
export function verifiedFactors(session: Session): readonly VerifiedFactor[] {
  return (session.user.factors ?? [])
    .filter(({ status, factor_type: type }) => status === "verified" && type === "totp")
    .map(({ id, friendly_name: name }) => ({ id, name: name ?? "" }));
}

/** What the app reads of an access token. The server checks tokens, not this. */
interface TokenClaims {
  readonly aal?: string;
  readonly amr?: readonly { readonly method?: string }[];
}

/** The claims of an access token; none when it cannot be read. */
function claimsOf(accessToken: string): TokenClaims {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    return JSON.parse(atob(payload)) as TokenClaims;
  } catch {
    return {};
  }
}

/** The `aal` claim of an access token; undefined when it has none. */
export function assuranceLevel(accessToken: string): string | undefined {
  const { aal } = claimsOf(accessToken);
  return typeof aal === "string" ? aal : undefined;
}

/** Ways in which the holder of a session has shown who they are, such as `password` and `recovery`. */
export function methodsOf(session: Session): readonly string[] {
  return (claimsOf(session.access_token).amr ?? []).map(({ method = "" }) => method);
}

/** True while the account has a one-time password that has to be replaced first. */
export function mustChoosePassword(session: Session): boolean {
  return "password_expires_at" in session.user.app_metadata;
}

/** True while a password was accepted but the code of the second factor is still to be entered. */
export function isSecondFactorRequired(session: Session): boolean {
  return verifiedFactors(session).length > 0 && assuranceLevel(session.access_token) !== "aal2";
}
