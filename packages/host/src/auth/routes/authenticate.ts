import type { Context, MiddlewareHandler } from "hono";
import { InvalidToken } from "../../keys.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { isUuid } from "./request-fields.ts";
import type { Device } from "../flows/sessions.ts";
import { findUser, isBanned, type User } from "../users/users.ts";

/** The session an access token belongs to. */
export interface CallerSession {
  id: string;
  created_at: Date;
  /** aal2 once a second factor was verified in it. */
  aal: "aal1" | "aal2" | null;
}

/** The account behind a request, and its session where the token names one. */
export interface SignedIn {
  user: User;
  session: CallerSession | undefined;
}

function badToken(reason: string): AuthError {
  return new AuthError(403, "bad_jwt", `invalid JWT: ${reason}`);
}

function bearerOf(c: Context): string | undefined {
  return /^bearer\s+(\S+)\s*$/i.exec(c.req.header("authorization") ?? "")?.[1];
}

/** Turns away requests without a good API key, as the gateway of a hosted project does. */
export function requireApiKey(auth: AuthContext): MiddlewareHandler {
  return async (c, next) => {
    const key = c.req.header("apikey") ?? c.req.query("apikey");
    if (key === undefined) {
      if (bearerOf(c) === undefined) {
        throw new AuthError(401, "no_authorization", "No API key found in request");
      }
    } else if ((await auth.keys.roleOfKey(key)) === undefined) {
      throw new AuthError(401, "no_authorization", "Invalid API key");
    }
    await next();
  };
}

/**
 * The account of the access token in the request; its session must still exist.
 * @throws {AuthError} 401 without a token, 403 when the token, account or session is no good any more.
 */
export async function requireUser(auth: AuthContext, c: Context): Promise<SignedIn> {
  const token = bearerOf(c);
  if (token === undefined) {
    throw new AuthError(401, "no_authorization", "This endpoint requires a valid Bearer token");
  }
  const claims = await auth.keys.verify(token).catch((error: unknown) => {
    if (error instanceof InvalidToken) {
      throw badToken(`unable to parse or verify signature, ${error.message}`);
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
    if (!isUuid(sessionId)) throw badToken("session_id claim must be a UUID");
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

/** Lets the service role through and nobody else. */
export function requireServiceRole(auth: AuthContext): MiddlewareHandler {
  return async (c, next) => {
    const caller = await auth.keys.resolveCaller(c.req.raw).catch((error: unknown) => {
      if (error instanceof InvalidToken) throw badToken(error.message);
      throw error;
    });
    if (caller.role !== "service_role") throw new AuthError(403, "not_admin", "User not allowed");
    await next();
  };
}

/** What a session remembers of the request that opens it. */
export function deviceOf(auth: AuthContext, c: Context): Device {
  return { address: auth.addressOf(c), userAgent: c.req.header("user-agent") ?? "" };
}
