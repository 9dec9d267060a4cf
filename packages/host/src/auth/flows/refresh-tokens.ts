import { isIP } from "node:net";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { record } from "../audit-log.ts";
import { hashToken } from "./hash-token.ts";
import { refreshTokenOf, type Device, type Grant } from "./sessions.ts";
import { isBanned } from "../users/users.ts";

interface Presented {
  revoked: boolean;
  /** True while a token that was already used may still be shown without suspicion. */
  in_reuse_window: boolean;
  user_id: string;
  email: string | null;
  banned_until: Date | null;
  timed_out: boolean;
  inactive: boolean;
}

function refused(code: string, message: string): AuthError {
  return new AuthError(400, code, `Invalid Refresh Token: ${message}`);
}

/** Finds the session of a token and holds it, so that refreshes of one session come one after the other. */
async function holdSession(db: Queryable, tokenHash: string): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `select s.id from auth.sessions s
      where s.id = (select t.session_id from auth.refresh_tokens t where t.token = $1) for update`,
    [tokenHash],
  );
  const id = rows[0]?.id;
  if (id === undefined) throw refused("refresh_token_not_found", "Refresh Token Not Found");
  return id;
}

/** Reads the token after its session is held: what was true before the wait need not be true now. */
async function readToken(auth: AuthContext, db: Queryable, tokenHash: string): Promise<Presented> {
  const { sessions, refresh_token_reuse_interval: window } = auth.settings;
  const { rows } = await db.query<Presented>(
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
  if (!token) throw refused("refresh_token_not_found", "Refresh Token Not Found");
  return token;
}

/** The living token of a session: the descendant of every token it ever had. */
async function livingToken(auth: AuthContext, db: Queryable, sessionId: string): Promise<string> {
  const { rows } = await db.query<{ parent: string | null }>(
    "select parent from auth.refresh_tokens where session_id = $1 and not revoked order by id desc limit 1",
    [sessionId],
  );
  const living = rows[0];
  if (!living) throw refused("refresh_token_not_found", "Refresh Token Not Found");
  return refreshTokenOf(auth, sessionId, living.parent);
}

async function rotate(
  auth: AuthContext,
  db: Queryable,
  sessionId: string,
  userId: string,
  tokenHash: string,
): Promise<string> {
  const next = refreshTokenOf(auth, sessionId, tokenHash);
  await db.query(
    "update auth.refresh_tokens set revoked = true, updated_at = now() where token = $1",
    [tokenHash],
  );
  await db.query(
    `insert into auth.refresh_tokens (token, user_id, session_id, revoked, parent)
     values ($1, $2, $3, false, $4)`,
    [hashToken(next), userId, sessionId, tokenHash],
  );
  // Long-used tokens are worth nothing to a thief any more, nor to us.
  await db.query(
    `delete from auth.refresh_tokens
      where session_id = $1 and revoked and updated_at < now() - interval '90 days'`,
    [sessionId],
  );
  return next;
}

/** Replaces the living token of a session, which the caller holds. @returns the next one. */
export async function rotateLiving(
  auth: AuthContext,
  db: Queryable,
  sessionId: string,
  userId: string,
): Promise<string> {
  const living = await livingToken(auth, db, sessionId);
  return await rotate(auth, db, sessionId, userId, hashToken(living));
}

/**
 * Exchanges a refresh token for the next one. A token shown twice within the reuse window gets the living
 * token of its session (two tabs, a lost answer); shown later it is taken for stolen and ends the session.
 * @throws {AuthError} 400 when the token is unknown, used, or its session or account is over.
 */
export async function refresh(auth: AuthContext, token: string, device: Device): Promise<Grant> {
  const tokenHash = hashToken(token);
  const outcome = await inTransaction(auth.db.admin, async (db) => {
    const sessionId = await holdSession(db, tokenHash);
    const presented = await readToken(auth, db, tokenHash);
    const { user_id: userId, email } = presented;
    if (isBanned(presented, auth.now())) throw refused("user_banned", "User Banned");
    if (presented.timed_out) throw refused("session_expired", "Session Expired");
    if (presented.inactive) throw refused("session_expired", "Session Expired (Inactivity)");
    if (presented.revoked && !presented.in_reuse_window) {
      if (auth.settings.enable_refresh_token_rotation) {
        await record(db, "token_reused", { id: userId, email }, device.address, { sessionId });
        await db.query("delete from auth.sessions where id = $1", [sessionId]);
      }
      // Returned rather than thrown: the end of the session must be committed.
      return refused("refresh_token_already_used", "Already Used");
    }
    const refreshToken = presented.revoked
      ? await livingToken(auth, db, sessionId)
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
