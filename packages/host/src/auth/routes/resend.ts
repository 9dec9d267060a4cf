import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { atLeast, LINK_ANSWER_MS } from "../limits/minimum-duration.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { prepareEmailChange } from "../flows/email-change.ts";
import { acceptChallenge, acceptEmail } from "./request-fields.ts";
import { challengeFields, readBody, text } from "./request-body.ts";
import { redirectOf } from "../flows/send-link.ts";
import { prepareSignUpLink } from "../flows/sign-up-attempts.ts";
import { findUserByEmail } from "../users/users.ts";

const body = z.object({ type: text, email: text, phone: text, ...challengeFields });

/** `POST /resend`: another confirmation link, where one is waited for; the answer is always the same. */
export function resend(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    const { type } = fields;
    if (type === "sms" || type === "phone_change" || fields.phone !== "") {
      throw new AuthError(400, "phone_provider_disabled", "Phone logins are disabled");
    }
    if (type !== "signup" && type !== "email_change") {
      throw invalid("Missing one of these types: signup, email_change, sms, phone_change");
    }
    if (fields.email === "") throw invalid("Type provided requires an email address");
    const email = acceptEmail(fields.email);
    const options = { redirectTo: redirectOf(auth, c), challenge: acceptChallenge(fields) };
    const mayMail = await auth.mails.take(c, type, auth.senderOf(c), email);
    await atLeast(LINK_ANSWER_MS, async () => {
      if (!mayMail) return;
      const user = await findUserByEmail(auth.db.admin, email);
      const newEmail = user?.email_change ?? "";
      if (!user || (type === "signup" ? user.email_confirmed_at : newEmail === "")) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await record(db, "user_confirmation_requested", user, auth.addressOf(c));
        return type === "signup"
          ? await prepareSignUpLink(auth, db, user, options)
          : await prepareEmailChange(auth, db, user, newEmail, { ...options, again: true });
      });
      send();
    });
    return c.json({});
  };
}
