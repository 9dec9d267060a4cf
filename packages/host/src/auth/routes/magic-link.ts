import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { atLeast, LINK_ANSWER_MS } from "../limits/minimum-duration.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { acceptChallenge, acceptEmail, mergeMetadata } from "./request-fields.ts";
import { challengeFields, jsonObject, readBody, text } from "./request-body.ts";
import { prepareLink, redirectOf } from "../flows/send-link.ts";
import { findUserByEmail, insertUser, isEmailTaken, type User } from "../users/users.ts";

const body = z.object({
  email: text,
  phone: text,
  create_user: z.boolean().nullish(),
  data: jsonObject,
  ...challengeFields,
});

/** An account without a password, for an address that has none yet; whoever opens the link owns it. */
async function makeAccount(
  auth: AuthContext,
  email: string,
  metadata: Record<string, unknown>,
): Promise<User | undefined> {
  try {
    await inTransaction(
      auth.db.admin,
      async (db) => await insertUser(db, { email, metadata, passwordHash: null }),
    );
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
  }
  return await findUserByEmail(auth.db.admin, email);
}

/**
 * `POST /otp` and `POST /magiclink`: sends a link that signs in. An unknown address gets an account, unless
 * `create_user` is false; then nothing is sent and the answer is the same.
 */
export function sendMagicLink(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    if (fields.phone !== "") {
      throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
    }
    if (fields.email === "") throw invalid("One of email or phone must be set");
    if (!auth.settings.email.enable_signup) {
      throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
    }
    const email = acceptEmail(fields.email);
    const metadata = mergeMetadata({}, fields.data ?? {});
    const options = { redirectTo: redirectOf(auth, c), challenge: acceptChallenge(fields) };
    const mayMail = await auth.mails.take(c, "magiclink", auth.senderOf(c), email);
    const mayCreate = auth.settings.enable_signup && fields.create_user !== false;
    await atLeast(LINK_ANSWER_MS, async () => {
      if (!mayMail) return;
      const existing = await findUserByEmail(auth.db.admin, email);
      const user = existing ?? (mayCreate ? await makeAccount(auth, email, metadata) : undefined);
      if (!user) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await record(db, "user_recovery_requested", user, auth.addressOf(c));
        return await prepareLink(auth, db, user, "magiclink", options);
      });
      send();
    });
    return c.json({});
  };
}
