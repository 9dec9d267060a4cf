import type { Session } from "@supabase/supabase-js";

/** A second factor that counts. */
export interface VerifiedFactor {
  readonly id: string;
  /** An authenticator app, or a security key or passkey. */
  readonly kind: "app" | "key";
  /** The name its owner gave it; may be empty. */
  readonly name: string;
  /** Epoch milliseconds. */
  readonly addedAt: number;
}

/** How the auth server calls the kinds that the app can ask for. */
const kinds: Readonly<Record<string, VerifiedFactor["kind"]>> = { totp: "app", webauthn: "key" };

/** The verified second factors of the account behind a session, the oldest first. */
export function verifiedFactors(session: Session): readonly VerifiedFactor[] {
  return (session.user.factors ?? []).flatMap(
    ({ id, status, factor_type: type, friendly_name: name, created_at: addedAt }) => {
      const kind = kinds[type];
      if (status !== "verified" || kind === undefined) return [];
      return [{ id, kind, name: name ?? "", addedAt: Date.parse(addedAt) }];
    },
  );
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

/** True while a password was accepted but the second factor is still to be shown. */
export function isSecondFactorRequired(session: Session): boolean {
  return verifiedFactors(session).length > 0 && assuranceLevel(session.access_token) !== "aal2";
}
