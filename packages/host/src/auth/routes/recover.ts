import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { atLeast, LINK_ANSWER_MS } from "../limits/minimum-duration.ts";
import { record } from "../audit-log.ts";
import { invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { acceptChallenge, acceptEmail } from "./request-fields.ts";
import { challengeFields, readBody, text } from "./request-body.ts";
import { prepareLink, redirectOf } from "../flows/send-link.ts";
import { findUserByEmail } from "../users/users.ts";

const body = z.object({ email: text, ...challengeFields });

/** `POST /recover`: sends a link to choose a new password; the answer is the same for unknown addresses. */
export function recover(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    if (fields.email === "") throw invalid("Password recovery requires an email");
    const email = acceptEmail(fields.email);
    const challenge = acceptChallenge(fields);
    const mayMail = await auth.mails.take(c, "recovery", auth.senderOf(c), email);
    await atLeast(LINK_ANSWER_MS, async () => {
      const user = mayMail ? await findUserByEmail(auth.db.admin, email) : undefined;
      if (!user) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await record(db, "user_recovery_requested", user, auth.addressOf(c));
        const options = { redirectTo: redirectOf(auth, c), challenge };
        return await prepareLink(auth, db, user, "recovery", options);
      });
      send();
    });
    return c.json({});
  };
}
