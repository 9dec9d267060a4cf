// Checks API key, access token and session of a request to `/auth/v1`, and loads the caller's account.

import type { Context, MiddlewareHandler } from "hono";
import { InvalidToken } from "../../keys.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { isUuid } from "../../uuid.ts";
import type { Device } from "../flows/sessions.ts";
import { findUser, isBanned, type User } from "../users/users.ts";

/** The session of an access token. */
export interface CallerSession {
  id: string;
  created_at: Date;
  /** aal2 after a second factor was verified. */
  aal: "aal1" | "aal2" | null;
}

/** The account of a request, and its session if the token names one. */
export interface AuthenticatedUser {
  user: User;
  session: CallerSession | undefined;
}

function badJwt(reason: string): AuthError {
  return new AuthError(403, "bad_jwt", `invalid JWT: ${reason}`);
}

function bearerToken(c: Context): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

/** Rejects requests without a valid API key, like the gateway of a hosted project. */
export function requireApiKey(auth: AuthContext): MiddlewareHandler {
  return async (c, next) => {
    const key = c.req.header("apikey") ?? c.req.query("apikey");
    if (key === undefined) {
      if (bearerToken(c) === undefined) {
        throw new AuthError(401, "no_authorization", "No API key found in request");
      }
    } else if ((await auth.keys.roleOfKey(key)) === undefined) {
      throw new AuthError(401, "no_authorization", "Invalid API key");
    }
    await next();
  };
}

/**
 * The account of the request's access token; its session must still exist.
 * @throws {AuthError} 401 without a token, 403 when the token, account or session is no longer valid.
 */
export async function requireUser(auth: AuthContext, c: Context): Promise<AuthenticatedUser> {
  const token = bearerToken(c);
  if (token === undefined) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const claims = await auth.keys.verify(token).catch((error: unknown) => {
    if (error instanceof InvalidToken) {
      throw badJwt(`unable to parse or verify signature, ${error.message}`);
    }
    throw error;
  });
  const { sub, session_id: sessionId } = claims;
  if (typeof sub !== "string")
    throw new AuthError(403, "bad_jwt", "invalid claim: missing sub claim");
  if (!isUuid(sub)) throw new AuthError(400, "bad_jwt", "invalid claim: sub claim must be a UUID");
  const user = await findUser(auth.db.admin, sub);
  if (!user) {
    throw new AuthError(403, "user_not_found", "User from sub claim in JWT does not exist");
  }
  let session: CallerSession | undefined;
  if (typeof sessionId === "string") {
    if (!isUuid(sessionId)) throw badJwt("session_id claim must be a UUID");
    const { rows } = await auth.db.admin.query<CallerSession>(
      "select id, created_at, aal from auth.sessions where id = $1 and user_id = $2",
      [sessionId, sub],
    );
    session = rows[0];
    if (!session) {
      const message = "Session from session_id claim in JWT does not exist";
      throw new AuthError(403, "session_not_found", message);
    }
  }
  if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
  return { user, session };
}

/** Rejects every caller except the service role. */
export function requireServiceRole(auth: AuthContext): MiddlewareHandler {
  return async (c, next) => {
    const caller = await auth.keys.resolveCaller(c.req.raw).catch((error: unknown) => {
      if (error instanceof InvalidToken) throw badJwt(error.message);
      throw error;
    });
    if (caller.role !== "service_role") throw new AuthError(403, "not_admin", "User not allowed");
    await next();
  };
}

/** The device of a request, as stored with a session. */
export function deviceOf(auth: AuthContext, c: Context): Device {
  return { address: auth.clientAddress(c), userAgent: c.req.header("user-agent") ?? "" };
}
