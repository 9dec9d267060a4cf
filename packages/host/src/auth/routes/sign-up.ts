// Sign-up with e-mail and password; with confirmation on, the response does not reveal whether the address is taken.

import { randomUUID } from "node:crypto";
import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import {
  parseCodeChallenge,
  parseEmail,
  mergeUserMetadata,
  type CodeChallenge,
} from "./request-fields.ts";
import { assertStrongPassword } from "../passwords/password-strength.ts";
import { challengeFields, jsonObject, readBody, optionalText } from "./request-body.ts";
import { prepareLink, requestedRedirect } from "../flows/send-link.ts";
import { createSession, sessionJson, type Device, type IssuedSession } from "../flows/sessions.ts";
import { markContested, markContestedAddress } from "../flows/sign-up-attempts.ts";
import { userJson } from "../users/user-json.ts";
import {
  findUserByEmail,
  getUser,
  insertUser,
  isEmailTaken,
  type NewUser,
  type User,
} from "../users/users.ts";

const body = z.object({
  email: optionalText,
  phone: optionalText,
  password: optionalText,
  data: jsonObject,
  ...challengeFields,
});

/** Creates a confirmed account and its first session. */
async function signUpConfirmed(
  auth: AuthContext,
  user: NewUser,
  device: Device,
): Promise<IssuedSession> {
  try {
    return await inTransaction(auth.db.admin, async (db) => {
      const id = await insertUser(db, { ...user, confirmed: true, isUnproved: true });
      const actor = { id, email: user.email };
      await recordAuditEvent(db, "user_signedup", actor, device.address, { provider: "email" });
      return await createSession(auth, db, id, "password", device);
    });
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    throw new AuthError(422, "user_already_exists", "User already registered");
  }
}

/** The response to a sign-up with an address in use: it looks like a new account, so that it reveals nothing. */
function obfuscatedUserJson(
  email: string,
  metadata: Record<string, unknown>,
): Record<string, unknown> {
  const now = new Date();
  return {
    id: randomUUID(),
    aud: "authenticated",
    role: "",
    email,
    phone: "",
    confirmation_sent_at: now,
    app_metadata: { provider: "email", providers: ["email"] },
    user_metadata: metadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}

/**
 * Whether an unconfirmed account has this address and this password already, such as after a second press of the button: that
 * claims nothing else. Asked where a claim would be marked, because the first press may only then have made the account. It takes
 * as long for an address without one.
 */
async function isRepeated(auth: AuthContext, email: string, password: string): Promise<boolean> {
  const account = await findUserByEmail(auth.db.admin, email);
  const unconfirmed = account?.email_confirmed_at ? undefined : account;
  return (await auth.passwords.check(password, unconfirmed?.encrypted_password)).valid;
}

/**
 * Counts the confirmation e-mail of a sign-up. One that is refused has still claimed the address: the only link on its
 * way is then another sign-up's, and its reader must not get that one's password. One that repeats the first has not.
 * @throws {AuthError} 429 as {@link EmailLimits.take}.
 */
async function mayConfirm(
  auth: AuthContext,
  c: Context,
  email: string,
  password: string,
): Promise<boolean> {
  try {
    return await auth.emailLimits.take(c, "signup", auth.clientNetwork(c), email);
  } catch (error) {
    if (error instanceof AuthError && !(await isRepeated(auth, email, password))) {
      await markContestedAddress(auth.db.admin, email);
    }
    throw error;
  }
}

/** Creates an unconfirmed account and sends its confirmation link. */
async function signUpWithLink(
  auth: AuthContext,
  user: NewUser,
  password: string,
  options: {
    redirectTo: string;
    challenge: CodeChallenge | undefined;
    address: string;
    /** False when the recipient's e-mail limit is reached: the response is the same, and nothing is sent. */
    maySendEmail: boolean;
  },
): Promise<Record<string, unknown>> {
  const signUp = { passwordHash: user.passwordHash, metadata: user.metadata };
  const prepareConfirmation = async (db: Queryable, account: User) => {
    await recordAuditEvent(db, "user_confirmation_requested", account, options.address);
    return await prepareLink(auth, db, account, "signup", { ...options, signUp });
  };
  try {
    const [id, send] = await inTransaction(auth.db.admin, async (db) => {
      const userId = await insertUser(db, user);
      return [
        userId,
        options.maySendEmail ? await prepareConfirmation(db, await getUser(db, userId)) : undefined,
      ];
    });
    send?.();
    return userJson(await getUser(auth.db.admin, id));
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
  }
  const existing = await findUserByEmail(auth.db.admin, user.email);
  if (!existing) return obfuscatedUserJson(user.email, user.metadata);
  const isSame = await isRepeated(auth, user.email, password);
  const send = await inTransaction(auth.db.admin, async (db) => {
    await db.query("select 1 from auth.users where id = $1 for update", [existing.id]);
    const account = await getUser(db, existing.id);
    if (account.email_confirmed_at) {
      await recordAuditEvent(db, "user_repeated_signup", account, options.address);
      return "confirmed";
    }
    // The unconfirmed account is not changed: this caller has not proved ownership of the address.
    if (!isSame) await markContested(db, account.id);
    if (!options.maySendEmail) return undefined;
    return await prepareConfirmation(db, account);
  });
  if (send === "confirmed") return obfuscatedUserJson(user.email, user.metadata);
  send?.();
  const account = await getUser(auth.db.admin, existing.id);
  return userJson({ ...account, raw_user_meta_data: user.metadata });
}

/** `POST /signup`: creates an account with e-mail and password. */
export function signUpHandler(auth: AuthContext): Handler {
  return async (c) => {
    const { settings } = auth;
    if (!settings.enable_signup) {
      throw new AuthError(422, "signup_disabled", "Signups not allowed for this instance");
    }
    const fields = await readBody(c, body);
    if (fields.phone !== "") {
      throw new AuthError(400, "phone_provider_disabled", "Phone signups are disabled");
    }
    if (fields.email === "") {
      const message = "Anonymous sign-ins are disabled";
      throw new AuthError(422, "anonymous_provider_disabled", message);
    }
    if (!settings.email.enable_signup) {
      throw new AuthError(400, "email_provider_disabled", "Email signups are disabled");
    }
    await auth.rateLimits.take("signUp", auth.clientNetwork(c));
    if (fields.password === "") throw validationFailed("Signup requires a valid password");
    const email = parseEmail(fields.email);
    const { siteWords } = auth;
    await assertStrongPassword(fields.password, settings, { email, siteWords });
    const challenge = parseCodeChallenge(fields);
    const metadata = mergeUserMetadata({}, fields.data ?? {});
    const { password } = fields;
    const maySendEmail = auth.autoconfirm || (await mayConfirm(auth, c, email, password));
    const user = { email, metadata, passwordHash: await auth.passwords.hash(fields.password) };
    const device = deviceOf(auth, c);
    if (auth.autoconfirm) {
      const grant = await signUpConfirmed(auth, user, device);
      await auth.devices.remember(c, email);
      return c.json(await sessionJson(auth, grant));
    }
    const { address } = device;
    const options = { redirectTo: requestedRedirect(auth, c), challenge, address, maySendEmail };
    return c.json(await signUpWithLink(auth, user, password, options));
  };
}
