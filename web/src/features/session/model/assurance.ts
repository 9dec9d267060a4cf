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

/** The `aal` claim of an access token; undefined when it has none. The server checks tokens, not this. */
export function assuranceLevel(accessToken: string): string | undefined {
  try {
    const payload = (accessToken.split(".")[1] ?? "").replaceAll("-", "+").replaceAll("_", "/");
    const claims = JSON.parse(atob(payload)) as { aal?: unknown };
    return typeof claims.aal === "string" ? claims.aal : undefined;
  } catch {
    return undefined;
  }
}

/** True while a password was accepted but the code of the second factor is still to be entered. */
export function isSecondFactorDue(session: Session): boolean {
  return verifiedFactors(session).length > 0 && assuranceLevel(session.access_token) !== "aal2";
}
