// Passwordless sign-in by e-mail, which supabase-js calls `signInWithOtp`.

import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { withMinimumDuration, linkResponseMs } from "../limits/minimum-duration.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { parseCodeChallenge, parseEmail, mergeUserMetadata } from "./request-fields.ts";
import { challengeFields, jsonObject, readBody, optionalText } from "./request-body.ts";
import { prepareLink, requestedRedirect } from "../flows/send-link.ts";
import { findUserByEmail, insertUser, isEmailTaken, type User } from "../users/users.ts";

const body = z.object({
  email: optionalText,
  phone: optionalText,
  create_user: z.boolean().nullish(),
  data: jsonObject,
  ...challengeFields,
});

/** Creates an account without a password for a new address; opening the link confirms it. */
async function createAccount(
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
 * `POST /otp` and `POST /magiclink`: sends a sign-in link. An unknown address gets a new account, unless `create_user`
 * is false; then nothing is sent and the response is the same.
 */
export function sendMagicLink(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    if (fields.phone !== "") {
      throw new AuthError(400, "phone_provider_disabled", "Unsupported phone provider");
    }
    if (fields.email === "") throw validationFailed("One of email or phone must be set");
    if (!auth.settings.email.enable_signup) {
      throw new AuthError(422, "email_provider_disabled", "Email logins are disabled");
    }
    const email = parseEmail(fields.email);
    const metadata = mergeUserMetadata({}, fields.data ?? {});
    const options = {
      redirectTo: requestedRedirect(auth, c),
      challenge: parseCodeChallenge(fields),
    };
    const maySendEmail = await auth.emailLimits.take(c, "magiclink", auth.clientNetwork(c), email);
    const mayCreate = auth.settings.enable_signup && fields.create_user !== false;
    await withMinimumDuration(linkResponseMs, async () => {
      if (!maySendEmail) return;
      const existing = await findUserByEmail(auth.db.admin, email);
      const user = existing ?? (mayCreate ? await createAccount(auth, email, metadata) : undefined);
      if (!user) return;
      const send = await inTransaction(auth.db.admin, async (db) => {
        await recordAuditEvent(db, "user_recovery_requested", user, auth.clientAddress(c));
        return await prepareLink(auth, db, user, "magiclink", options);
      });
      send();
    });
    return c.json({});
  };
}
