// Creates sessions and builds the token response of a sign-in, including the signed access token.

import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import { hashToken } from "./hash-token.ts";
import { findWeakness } from "../passwords/password-strength.ts";
import { userJson } from "../users/user-json.ts";
import { getUser, type User } from "../users/users.ts";

/** The device a session was created on, as stored with it. */
export interface Device {
  address: string;
  userAgent: string;
}

/** How the user authenticated, the values of the `amr` claim. */
export type AuthenticationMethod =
  | "password"
  | "otp"
  | "magiclink"
  | "recovery"
  | "email/signup"
  | "invite"
  | "email_change"
  | "oauth"
  | "passkey";

/** A session that was just created or refreshed, with its new refresh token. */
export interface IssuedSession {
  sessionId: string;
  userId: string;
  refreshToken: string;
}

/**
 * Derives a refresh token from its session and the hash of the previous token; the token itself is not stored.
 * @returns the token as each data key gives it, that of the current one first
 */
export function deriveRefreshTokens(
  auth: Pick<AuthContext, "keys">,
  sessionId: string,
  parentHash: string | null,
): [string, ...string[]] {
  const [current = "", ...others] = auth.keys.deriveAll(
    "refresh token",
    `${sessionId}:${parentHash ?? ""}`,
  );
  return [current, ...others];
}

/** Creates a session for an account, in the caller's transaction. */
export async function createSession(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  method: AuthenticationMethod,
  device: Device,
): Promise<IssuedSession> {
  const sessionId = randomUUID();
  const [refreshToken] = deriveRefreshTokens(auth, sessionId, null);
  await db.query(
    "insert into auth.sessions (id, user_id, aal, user_agent, ip) values ($1, $2, 'aal1', $3, $4)",
    [
      sessionId,
      userId,
      device.userAgent.slice(0, 512),
      isIP(device.address) ? device.address : null,
    ],
  );
  await db.query(
    "insert into auth.mfa_amr_claims (session_id, authentication_method) values ($1, $2)",
    [sessionId, method],
  );
  await db.query(
    "insert into auth.refresh_tokens (token, user_id, session_id, revoked) values ($1, $2, $3, false)",
    [hashToken(refreshToken), userId, sessionId],
  );
  await db.query(
    "update auth.users set last_sign_in_at = now(), updated_at = now() where id = $1",
    [userId],
  );
  await db.query("update auth.identities set last_sign_in_at = now() where user_id = $1", [userId]);
  return { sessionId, userId, refreshToken };
}

async function claimsOf(auth: AuthContext, db: Queryable, user: User, sessionId: string) {
  const { rows } = await db.query<{ aal: string | null; amr: unknown[] | null }>(
    `select s.aal,
            (select json_agg(json_build_object('method', a.authentication_method,
                      'timestamp', extract(epoch from a.updated_at)::int) order by a.updated_at desc)
               from auth.mfa_amr_claims a where a.session_id = s.id) as amr
       from auth.sessions s where s.id = $1`,
    [sessionId],
  );
  const issuedAt = Math.floor(auth.now() / 1000);
  return {
    iss: auth.apiUrl,
    sub: user.id,
    aud: user.aud ?? "",
    exp: issuedAt + auth.settings.jwt_expiry,
    iat: issuedAt,
    email: user.email ?? "",
    phone: user.phone ?? "",
    app_metadata: user.raw_app_meta_data ?? {},
    user_metadata: user.raw_user_meta_data ?? {},
    role: user.role ?? "",
    aal: rows[0]?.aal ?? "aal1",
    amr: rows[0]?.amr ?? [],
    session_id: sessionId,
    is_anonymous: user.is_anonymous,
  };
}

/** The token response: an access token, the refresh token and the account. */
export async function sessionJson(
  auth: AuthContext,
  issued: IssuedSession,
  password?: string,
): Promise<Record<string, unknown>> {
  const user = await getUser(auth.db.admin, issued.userId);
  const claims = await claimsOf(auth, auth.db.admin, user, issued.sessionId);
  // Tells the client that the password no longer meets the rules; signing in still works.
  const weak = password === undefined ? undefined : findWeakness(password, auth.settings);
  return {
    access_token: await auth.keys.sign(claims),
    token_type: "bearer",
    expires_in: auth.settings.jwt_expiry,
    expires_at: claims.exp,
    refresh_token: issued.refreshToken,
    user: userJson(user),
    ...(weak ? { weak_password: weak } : {}),
  };
}
