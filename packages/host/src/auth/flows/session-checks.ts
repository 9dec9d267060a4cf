// What a session must still be when it changes the ways into its account.

import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthenticatedUser, CallerSession } from "../routes/authenticate.ts";

/**
 * Requires that the session has not ended since the request began: meanwhile the owner may have signed it out or set a new
 * password. Call it with the account's row locked.
 * @throws {AuthError} 403 for one that has ended.
 */
export async function assertSessionStands(
  db: Queryable,
  { user, session }: AuthenticatedUser,
): Promise<void> {
  if (session === undefined) return;
  const { rowCount } = await db.query(
    "select 1 from auth.sessions where id = $1 and user_id = $2",
    [session.id, user.id],
  );
  if (rowCount === 1) return;
  const message = "Session from session_id claim in JWT does not exist";
  throw new AuthError(403, "session_not_found", message);
}

/**
 * Requires that the session's holder has shown who they are within the last ten minutes, in whichever way. A session alone, which
 * may be a stolen one, does not add a way in that outlives it.
 * @throws {AuthError} 400 otherwise.
 */
export async function assertRecentSignIn(
  db: Queryable,
  session: CallerSession | undefined,
): Promise<void> {
  const { rowCount } = await db.query(
    `select 1 from auth.mfa_amr_claims where session_id = $1
        and greatest(created_at, updated_at) > now() - interval '10 minutes' limit 1`,
    [session?.id ?? null],
  );
  if (rowCount === 1) return;
  throw new AuthError(400, "reauthentication_needed", "Sign in again first");
}
