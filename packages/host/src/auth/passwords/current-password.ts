// Asks for the current password, or for a new sign-in, before a password is set.

import type { Context } from "hono";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { assertRecentSignIn } from "../flows/session-checks.ts";
import type { AuthenticatedUser } from "../routes/authenticate.ts";

function currentPasswordError(code: string): AuthError {
  return new AuthError(400, code, "Current password required when setting new password.");
}

/** True for a session created by a recovery link or code within the last hour that has not set a password yet. */
async function isRecoverySession(auth: AuthContext, sessionId: string): Promise<boolean> {
  const { rowCount } = await auth.db.admin.query(
    `select 1 from auth.mfa_amr_claims where session_id = $1 and authentication_method = 'recovery'
        and created_at > now() - interval '1 hour'`,
    [sessionId],
  );
  return rowCount === 1;
}

/**
 * Requires the current password for a password change, except in a new session from a recovery link. An account without a
 * password gets its first one from a session that has just signed in. Wrong guesses count like wrong guesses at sign-in.
 * @throws {AuthError} 400 without the current password or with a wrong one, 429 after too many wrong ones.
 */
export async function assertCurrentPassword(
  auth: AuthContext,
  c: Context,
  { user, session }: AuthenticatedUser,
  current: string,
): Promise<void> {
  if (session && (await isRecoverySession(auth, session.id))) return;
  if (user.encrypted_password === null || user.encrypted_password === "") {
    await assertRecentSignIn(auth.db.admin, session);
    return;
  }
  if (current === "") throw currentPasswordError("current_password_required");
  const attempt = await auth.backoff.begin(c, user.email ?? "", auth.clientNetwork(c));
  const { valid } = await auth.passwords.check(current, user.encrypted_password);
  if (!valid) throw currentPasswordError("current_password_invalid");
  await attempt.succeeded();
}
