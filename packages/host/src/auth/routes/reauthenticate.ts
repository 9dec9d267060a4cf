// Confirms a password change with a code sent by e-mail when the session is older than a day.

import type { Handler } from "hono";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed, tooManyRequests } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser, type CallerSession } from "./authenticate.ts";
import { createOneTimeToken, consumeOtp } from "../flows/one-time-tokens.ts";
import type { User } from "../users/users.ts";

/** A session younger than this needs no reauthentication. */
const freshSessionMs = 24 * 3_600_000;

/** `GET /reauthenticate`: sends the caller a short code, needed to set a new password. */
export function reauthenticate(auth: AuthContext): Handler {
  return async (c) => {
    const { user } = await requireUser(auth, c);
    const { email } = user;
    if (!email)
      throw validationFailed(
        "Reauthentication requires the user to have an email or a phone number",
      );
    if (!user.email_confirmed_at) {
      throw new AuthError(422, "email_not_confirmed", "Please verify your email first.");
    }
    const maySendEmail = await auth.emailLimits.take(
      c,
      "reauthentication",
      auth.clientNetwork(c),
      email,
    );
    if (!maySendEmail) throw tooManyRequests(3600, "over_email_send_rate_limit");
    const { code } = await inTransaction(auth.db.admin, async (db) => {
      await recordAuditEvent(db, "user_reauthenticate_requested", user, auth.clientAddress(c));
      await db.query("update auth.users set reauthentication_sent_at = now() where id = $1", [
        user.id,
      ]);
      return await createOneTimeToken(auth, db, {
        userId: user.id,
        type: "reauthentication_token",
        relatesTo: email,
        withCode: true,
      });
    });
    const values = { Token: code ?? "", Email: email, Data: user.raw_user_meta_data ?? {} };
    auth.emailTemplates.send("reauthentication", email, values);
    return c.json({});
  };
}

/**
 * Requires a recent session or a code sent by `reauthenticate` for a password change.
 * @throws {AuthError} 400 without either, 422 when the code is wrong.
 */
export async function assertReauthenticated(
  auth: AuthContext,
  user: User,
  session: CallerSession | undefined,
  nonce: string,
): Promise<void> {
  if (session && auth.now() - session.created_at.getTime() < freshSessionMs) return;
  if (nonce === "") {
    const message = "Password update requires reauthentication";
    throw new AuthError(400, "reauthentication_needed", message);
  }
  const used = await consumeOtp(auth, auth.db.admin, user.email ?? "", nonce, [
    "reauthentication_token",
  ]);
  if (used?.user_id !== user.id) {
    throw new AuthError(422, "reauthentication_not_valid", "Nonce has expired or is invalid");
  }
}
