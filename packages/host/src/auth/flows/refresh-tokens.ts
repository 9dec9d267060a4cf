// Exchanges refresh tokens for new ones and detects stolen ones by their reuse.

import { isIP } from "node:net";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { hashToken } from "./hash-token.ts";
import { deriveRefreshTokens, type Device, type IssuedSession } from "./sessions.ts";
import { isBanned } from "../users/users.ts";

interface PresentedToken {
  revoked: boolean;
  /** True while a token that was already used may still be used again. */
  in_reuse_window: boolean;
  user_id: string;
  email: string | null;
  banned_until: Date | null;
  timed_out: boolean;
  inactive: boolean;
}

function invalidRefreshToken(code: string, message: string): AuthError {
  return new AuthError(400, code, `Invalid Refresh Token: ${message}`);
}

/** Finds the session of a token and locks it, so that refreshes of one session run one after the other. */
async function lockSession(db: Queryable, tokenHash: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id from auth.sessions s
      where s.id = (select t.session_id from auth.refresh_tokens t where t.token = $1) for update`,
    [tokenHash],
  );
  const id = rows[0]?.id;
  if (id === undefined)
    throw invalidRefreshToken("refresh_token_not_found", "Refresh Token Not Found");
  return id;
}

/** Reads the token after its session is locked: it may have changed while waiting for the lock. */
async function readPresentedToken(
  auth: AuthContext,
  db: Queryable,
  tokenHash: string,
): Promise<PresentedToken> {
  const { sessions, refresh_token_reuse_interval: window } = auth.settings;
  const { rows } = await db.query<PresentedToken>(
    `select t.revoked, u.id as user_id, u.email, u.banned_until,
            t.updated_at > now() - make_interval(secs => $2) as in_reuse_window,
            coalesce(s.created_at < now() - make_interval(secs => $3), false)
              or coalesce(s.not_after < now(), false) as timed_out,
            coalesce(coalesce(s.refreshed_at at time zone 'utc', s.created_at)
              < now() - make_interval(secs => $4), false) as inactive
       from auth.refresh_tokens t
       join auth.sessions s on s.id = t.session_id
       join auth.users u on u.id = s.user_id
      where t.token = $1`,
    [
      tokenHash,
      window,
      sessions.timebox === undefined ? null : sessions.timebox / 1000,
      sessions.inactivity_timeout === undefined ? null : sessions.inactivity_timeout / 1000,
    ],
  );
  const token = rows[0];
  if (!token) throw invalidRefreshToken("refresh_token_not_found", "Refresh Token Not Found");
  return token;
}

interface StoredToken {
  /** Its hash. */
  token: string;
  parent: string | null;
}

/** The current token of a session, as it is stored: the last one issued. */
async function currentToken(db: Queryable, sessionId: string): Promise<StoredToken> {
  const { rows } = await db.query<StoredToken>(
    "select token, parent from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1",
    [sessionId],
  );
  const current = rows[0];
  if (!current) throw invalidRefreshToken("refresh_token_not_found", "Refresh Token Not Found");
  return current;
}

/** The text of a stored token. A token of a data key that is not known any more cannot be given out again. */
function textOf(auth: AuthContext, sessionId: string, { token, parent }: StoredToken): string {
  const text = deriveRefreshTokens(auth, sessionId, parent).find(
    (candidate) => hashToken(candidate) === token,
  );
  if (text === undefined) throw invalidRefreshToken("refresh_token_already_used", "Already Used");
  return text;
}

async function rotate(
  auth: AuthContext,
  db: Queryable,
  sessionId: string,
  userId: string,
  tokenHash: string,
): Promise<string> {
  const [next] = deriveRefreshTokens(auth, sessionId, tokenHash);
  await db.query(
    "update auth.refresh_tokens set revoked = true, updated_at = now() where token = $1",
    [tokenHash],
  );
  await db.query(
    `insert into auth.refresh_tokens (token, user_id, session_id, revoked, parent)
     values ($1, $2, $3, false, $4)`,
    [hashToken(next), userId, sessionId, tokenHash],
  );
  // Tokens used long ago are no longer needed to detect reuse.
  await db.query(
    `delete from auth.refresh_tokens
      where session_id = $1 and revoked and updated_at < now() - interval '90 days'`,
    [sessionId],
  );
  return next;
}

/** Replaces the current token of a session that the caller has locked. @returns the next token */
export async function rotateCurrentToken(
  auth: AuthContext,
  db: Queryable,
  sessionId: string,
  userId: string,
): Promise<string> {
  const current = await currentToken(db, sessionId);
  return await rotate(auth, db, sessionId, userId, current.token);
}

/**
 * Exchanges a refresh token for the next one. A token reused within the reuse window gets the current token of its
 * session (two tabs, a lost response); reused later it counts as stolen and ends the session.
 * @throws {AuthError} 400 when the token is unknown or used, its session has expired or its account is banned.
 */
export async function exchangeRefreshToken(
  auth: AuthContext,
  token: string,
  device: Device,
): Promise<IssuedSession> {
  const tokenHash = hashToken(token);
  const outcome = await inTransaction(auth.db.admin, async (db) => {
    const sessionId = await lockSession(db, tokenHash);
    const presented = await readPresentedToken(auth, db, tokenHash);
    const { user_id: userId, email } = presented;
    if (isBanned(presented, auth.now())) throw invalidRefreshToken("user_banned", "User Banned");
    if (presented.timed_out) throw invalidRefreshToken("session_expired", "Session Expired");
    if (presented.inactive)
      throw invalidRefreshToken("session_expired", "Session Expired (Inactivity)");
    if (presented.revoked && !presented.in_reuse_window) {
      if (auth.settings.enable_refresh_token_rotation) {
        await recordAuditEvent(db, "token_reused", { id: userId, email }, device.address, {
          sessionId,
        });
        await db.query("delete from auth.sessions where id = $1", [sessionId]);
      }
      // Returned, not thrown: the deletion of the session must be committed.
      return invalidRefreshToken("refresh_token_already_used", "Already Used");
    }
    const refreshToken = presented.revoked
      ? textOf(auth, sessionId, await currentToken(db, sessionId))
      : await rotate(auth, db, sessionId, userId, tokenHash);
    await db.query(
      `update auth.sessions set refreshed_at = now() at time zone 'utc', updated_at = now(), user_agent = $2,
         ip = coalesce($3, ip) where id = $1`,
      [sessionId, device.userAgent.slice(0, 512), isIP(device.address) ? device.address : null],
    );
    return { sessionId, userId, refreshToken };
  });
  if (outcome instanceof AuthError) throw outcome;
  return outcome;
}
