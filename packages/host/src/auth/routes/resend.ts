// Sends a confirmation link again without revealing whether the address has an account.

import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { withMinimumDuration, linkResponseMs } from "../limits/minimum-duration.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { prepareEmailChange } from "../flows/email-change.ts";
import { parseCodeChallenge, parseEmail } from "./request-fields.ts";
import { challengeFields, readBody, optionalText } from "./request-body.ts";
import { requestedRedirect } from "../flows/send-link.ts";
import { prepareSignUpLink } from "../flows/sign-up-attempts.ts";
import { findUserByEmail } from "../users/users.ts";

const body = z.object({
  type: optionalText,
  email: optionalText,
  phone: optionalText,
  ...challengeFields,
});

/** `POST /resend`: sends the confirmation link again if one is pending; the response is always the same. */
export function resend(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    const { type } = fields;
    if (type === "sms" || type === "phone_change" || fields.phone !== "") {
      throw new AuthError(400, "phone_provider_disabled", "Phone logins are disabled");
    }
    if (type !== "signup" && type !== "email_change") {
      throw validationFailed("Missing one of these types: signup, email_change, sms, phone_change");
    }
    if (fields.email === "") throw validationFailed("Type provided requires an email address");
    const email = parseEmail(fields.email);
    const options = {
      redirectTo: requestedRedirect(auth, c),
      challenge: parseCodeChallenge(fields),
    };
    const maySendEmail = await auth.emailLimits.take(c, type, auth.clientNetwork(c), email);
    await withMinimumDuration(linkResponseMs, async () => {
      if (!maySendEmail) return;
      const user = await findUserByEmail(auth.db.admin, email);
      const newEmail = user?.email_change ?? "";
      if (!user || (type === "signup" ? user.email_confirmed_at : newEmail === "")) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await recordAuditEvent(db, "user_confirmation_requested", user, auth.clientAddress(c));
        return type === "signup"
          ? await prepareSignUpLink(auth, db, user, options)
          : await prepareEmailChange(auth, db, user, newEmail, { ...options, isResend: true });
      });
      send();
    });
    return c.json({});
  };
}
