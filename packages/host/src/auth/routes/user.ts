// Lets account owners read and change their account (`/user`), with the checks that a new password or address needs.

import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, tooManyRequests } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser, type AuthenticatedUser } from "./authenticate.ts";
import { assertSessionStands } from "../flows/session-checks.ts";
import { prepareEmailChange } from "../flows/email-change.ts";
import { parseCodeChallenge, parseEmail, mergeUserMetadata } from "./request-fields.ts";
import { assertStrongPassword } from "../passwords/password-strength.ts";
import { assertCurrentPassword } from "../passwords/current-password.ts";
import { assertReauthenticated } from "./reauthenticate.ts";
import { challengeFields, jsonObject, readBody, optionalText } from "./request-body.ts";
import { requestedRedirect } from "../flows/send-link.ts";
import { userJson } from "../users/user-json.ts";
import { addEmailIdentity } from "../users/identities.ts";
import { emailExists, findUserByEmail, getUser, replacePassword } from "../users/users.ts";

const body = z.object({
  email: optionalText,
  phone: optionalText,
  password: z.string().nullish(),
  current_password: optionalText,
  nonce: optionalText,
  data: jsonObject,
  app_metadata: jsonObject,
  ...challengeFields,
});

type Changes = z.output<typeof body>;

/** `GET /user`: the account of the access token. */
export function readUser(auth: AuthContext): Handler {
  return async (c) => c.json(userJson((await requireUser(auth, c)).user));
}

/** Checks a new password and returns its hash. */
async function hashNewPassword(
  auth: AuthContext,
  c: Context,
  { user, session }: AuthenticatedUser,
  changes: Changes & { password: string },
): Promise<string> {
  const { password } = changes;
  const owner = { email: user.email ?? "", siteWords: auth.siteWords };
  await assertStrongPassword(password, auth.settings, owner);
  if (auth.settings.email.secure_password_change) {
    await assertReauthenticated(auth, user, session, changes.nonce);
  }
  if (auth.settings.email.require_current_password) {
    await assertCurrentPassword(auth, c, { user, session }, changes.current_password);
  }
  if ((await auth.passwords.check(password, user.encrypted_password)).valid) {
    const message = "New password should be different from the old password.";
    throw new AuthError(422, "same_password", message);
  }
  return await auth.passwords.hash(password);
}

/** Checks a new address and returns it in lower case; undefined when it is the current one. */
async function checkNewEmail(
  auth: AuthContext,
  c: Context,
  { user }: AuthenticatedUser,
  email: string,
): Promise<string | undefined> {
  const newEmail = parseEmail(email);
  if (newEmail === user.email) return undefined;
  const maySendEmail = await auth.emailLimits.take(
    c,
    "email_change",
    auth.clientNetwork(c),
    newEmail,
  );
  if (!maySendEmail) throw tooManyRequests(3600, "over_email_send_rate_limit");
  if (await findUserByEmail(auth.db.admin, newEmail)) throw emailExists();
  return newEmail;
}

function assertAllowed(changes: Changes): void {
  if (changes.app_metadata !== undefined) {
    throw new AuthError(403, "not_admin", "Updating app_metadata requires admin privileges");
  }
  if (changes.phone !== "") {
    throw new AuthError(400, "phone_provider_disabled", "Phone logins are disabled");
  }
}

/** A session without the second factor must not change the password or address of an account that has one. */
function assertSecondFactor({ user, session }: AuthenticatedUser, changes: Changes): void {
  const hasVerifiedFactor = user.factors?.some(({ status }) => status === "verified") === true;
  if (!hasVerifiedFactor || session?.aal === "aal2") return;
  const changesEmail = changes.email !== "" && changes.email.toLowerCase() !== user.email;
  if (!changes.password && !changesEmail) return;
  const message = "AAL2 session is required to update email or password when MFA is enabled.";
  throw new AuthError(401, "insufficient_aal", message);
}

/** `PUT /user`: changes password, metadata or, after confirmation, the address. */
export function updateUser(auth: AuthContext): Handler {
  return async (c) => {
    const caller = await requireUser(auth, c);
    const changes = await readBody(c, body);
    assertAllowed(changes);
    assertSecondFactor(caller, changes);
    const challenge = parseCodeChallenge(changes);
    const { id } = caller.user;
    const newEmail =
      changes.email === "" ? undefined : await checkNewEmail(auth, c, caller, changes.email);
    const { password } = changes;
    const passwordHash =
      typeof password === "string"
        ? await hashNewPassword(auth, c, caller, { ...changes, password })
        : undefined;
    const address = auth.clientAddress(c);
    const send = await inTransaction(auth.db.admin, async (db) => {
      await db.query("select 1 from auth.users where id = $1 for update", [id]);
      const user = await getUser(db, id);
      await assertSessionStands(db, caller);
      if (passwordHash !== undefined) {
        await replacePassword(db, id, passwordHash, caller.session?.id);
        await addEmailIdentity(db, user);
        await recordAuditEvent(db, "user_updated_password", user, address);
      }
      if (changes.data !== undefined) {
        const metadata = mergeUserMetadata(user.raw_user_meta_data ?? {}, changes.data);
        await db.query(
          "update auth.users set raw_user_meta_data = $2, updated_at = now() where id = $1",
          [id, JSON.stringify(metadata)],
        );
      }
      await recordAuditEvent(db, "user_modified", user, address);
      return newEmail === undefined
        ? undefined
        : await prepareEmailChange(auth, db, user, newEmail, {
            redirectTo: requestedRedirect(auth, c),
            challenge,
          });
    });
    send?.();
    const user = await getUser(auth.db.admin, id);
    if (passwordHash !== undefined && user.email !== null) {
      const values = { Email: user.email, Data: user.raw_user_meta_data ?? {} };
      auth.emailTemplates.send("password_changed", user.email, values);
    }
    return c.json(userJson(user));
  };
}
