import { randomUUID } from "node:crypto";
import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import { acceptChallenge, acceptEmail, mergeMetadata, type Challenge } from "./request-fields.ts";
import { assertStrong } from "../passwords/password-strength.ts";
import { challengeFields, jsonObject, readBody, text } from "./request-body.ts";
import { prepareLink, redirectOf } from "../flows/send-link.ts";
import { openSession, sessionJson, type Device, type Grant } from "../flows/sessions.ts";
import { markContested } from "../flows/sign-up-attempts.ts";
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
  email: text,
  phone: text,
  password: text,
  data: jsonObject,
  ...challengeFields,
});

/** Makes an account that may be used at once, and its first session. */
async function signUpAtOnce(auth: AuthContext, user: NewUser, device: Device): Promise<Grant> {
  try {
    return await inTransaction(auth.db.admin, async (db) => {
      const id = await insertUser(db, { ...user, confirmed: true });
      const actor = { id, email: user.email };
      await record(db, "user_signedup", actor, device.address, { provider: "email" });
      return await openSession(auth, db, id, "password", device);
    });
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
    throw new AuthError(422, "user_already_exists", "User already registered");
  }
}

/** What a stranger sees who signs up with an address that is in use: an account that looks new. */
function lookalike(email: string, metadata: Record<string, unknown>): Record<string, unknown> {
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

/** Makes an account that waits for its link to be opened. */
async function signUpWithLink(
  auth: AuthContext,
  user: NewUser,
  options: {
    redirectTo: string;
    challenge: Challenge | undefined;
    address: string;
    /** False when the recipient has had enough e-mails: the answer is the same, and nothing is sent. */
    mayMail: boolean;
  },
): Promise<Record<string, unknown>> {
  const signUp = { passwordHash: user.passwordHash, metadata: user.metadata };
  const invite = async (db: Queryable, account: User) => {
    await record(db, "user_confirmation_requested", account, options.address);
    return await prepareLink(auth, db, account, "signup", { ...options, signUp });
  };
  try {
    const [id, send] = await inTransaction(auth.db.admin, async (db) => {
      const made = await insertUser(db, user);
      return [made, options.mayMail ? await invite(db, await getUser(db, made)) : undefined];
    });
    send?.();
    return userJson(await getUser(auth.db.admin, id));
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
  }
  const existing = await findUserByEmail(auth.db.admin, user.email);
  if (!existing) return lookalike(user.email, user.metadata);
  const send = await inTransaction(auth.db.admin, async (db) => {
    await db.query("select 1 from auth.users where id = $1 for update", [existing.id]);
    const account = await getUser(db, existing.id);
    if (account.email_confirmed_at) {
      await record(db, "user_repeated_signup", account, options.address);
      return "confirmed";
    }
    // Nothing of the waiting account changes: this caller has not shown that the address is theirs.
    await markContested(db, account.id);
    if (!options.mayMail) return undefined;
    return await invite(db, account);
  });
  if (send === "confirmed") return lookalike(user.email, user.metadata);
  send?.();
  const account = await getUser(auth.db.admin, existing.id);
  return userJson({ ...account, raw_user_meta_data: user.metadata });
}

/** `POST /signup`: a new account with e-mail and password. */
export function signUp(auth: AuthContext): Handler {
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
    await auth.limits.take("signUp", auth.senderOf(c));
    if (fields.password === "") throw invalid("Signup requires a valid password");
    const { siteWords } = auth;
    await assertStrong(fields.password, settings, { email: fields.email.toLowerCase(), siteWords });
    const challenge = acceptChallenge(fields);
    const email = acceptEmail(fields.email);
    const metadata = mergeMetadata({}, fields.data ?? {});
    const mayMail =
      auth.autoconfirm || (await auth.mails.take(c, "signup", auth.senderOf(c), email));
    const user = { email, metadata, passwordHash: await auth.passwords.hash(fields.password) };
    const device = deviceOf(auth, c);
    if (auth.autoconfirm) {
      const grant = await signUpAtOnce(auth, user, device);
      await auth.devices.remember(c, email);
      return c.json(await sessionJson(auth, grant));
    }
    const { address } = device;
    const options = { redirectTo: redirectOf(auth, c), challenge, address, mayMail };
    return c.json(await signUpWithLink(auth, user, options));
  };
}
