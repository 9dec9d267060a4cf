import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { withMinimumDuration, linkResponseMs } from "../limits/minimum-duration.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { parseCodeChallenge, parseEmail } from "./request-fields.ts";
import { challengeFields, readBody, optionalText } from "./request-body.ts";
import { prepareLink, requestedRedirect } from "../flows/send-link.ts";
import { findUserByEmail } from "../users/users.ts";

const body = z.object({ email: optionalText, ...challengeFields });

/** `POST /recover`: sends a password reset link; the response is the same for unknown addresses. */
export function recover(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    if (fields.email === "") throw validationFailed("Password recovery requires an email");
    const email = parseEmail(fields.email);
    const challenge = parseCodeChallenge(fields);
    const maySendEmail = await auth.emailLimits.take(c, "recovery", auth.clientNetwork(c), email);
    await withMinimumDuration(linkResponseMs, async () => {
      const user = maySendEmail ? await findUserByEmail(auth.db.admin, email) : undefined;
      if (!user) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await recordAuditEvent(db, "user_recovery_requested", user, auth.clientAddress(c));
        const options = { redirectTo: requestedRedirect(auth, c), challenge };
        return await prepareLink(auth, db, user, "recovery", options);
      });
      send();
    });
    return c.json({});
  };
}
