import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid, tooMany } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser, type CallerSession } from "./authenticate.ts";
import { makeOneTimeToken, useCode } from "../flows/one-time-tokens.ts";
import type { User } from "../users/users.ts";

/** A session younger than this has just shown who it is. */
const FRESH_MS = 24 * 3_600_000;

/** `GET /reauthenticate`: sends the caller a short code to show with a new password. */
export function reauthenticate(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireUser(auth, c);
    const { email } = user;
    if (!email)
      throw invalid("Reauthentication requires the user to have an email or a phone number");
    if (!user.email_confirmed_at) {
      throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
    }
    const mayMail = await auth.mails.take(c, "reauthentication", auth.senderOf(c), email);
    if (!mayMail) throw tooMany(3600, "over_email_send_rate_limit");
    const { code } = await inTransaction(auth.db.admin, async (db) => {
      await record(db, "user_reauthenticate_requested", user, auth.addressOf(c));
      await db.query("update auth.users set reauthentication_sent_at = now() where id = $1", [
        user.id,
      ]);
      return await makeOneTimeToken(auth, db, {
        userId: user.id,
        type: "reauthentication_token",
        relatesTo: email,
        withCode: true,
      });
    });
    const values = { Token: code ?? "", Email: email, Data: user.raw_user_meta_data ?? {} };
    auth.letters.post("reauthentication", email, values);
    return c.json({});
  };
}

/**
 * Lets a password change through from a fresh session, or with a code sent by `reauthenticate`.
 * @throws {AuthError} 400 without either, 422 when the code is wrong.
 */
export async function assertReauthenticated(
  auth: AuthContext,
  user: User,
  session: CallerSession | undefined,
  nonce: string,
): Promise<void> {
  if (session && auth.now() - session.created_at.getTime() < FRESH_MS) return;
  if (nonce === "") {
    const message = "Password update requires reauthentication";
    throw new AuthError(400, "reauthentication_needed", message);
  }
  const used = await useCode(auth, auth.db.admin, user.email ?? "", nonce, [
    "reauthentication_token",
  ]);
  if (used?.user_id !== user.id) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
}
