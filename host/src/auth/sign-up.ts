import { randomUUID } from "node:crypto";
import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../postgres/database.ts";
import { record } from "./audit.ts";
import { AuthError, invalid } from "./auth-error.ts";
import type { AuthContext } from "./auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import { acceptChallenge, acceptEmail, mergeMetadata, type Challenge } from "./fields.ts";
import { assertStrong } from "./password-strength.ts";
import { challengeFields, jsonObject, readBody, text } from "./request-body.ts";
import { prepareLink, redirectOf } from "./send-link.ts";
import { openSession, sessionJson, type Device, type Grant } from "./sessions.ts";
import { userJson } from "./user-json.ts";
import { findUserByEmail, getUser, insertUser, isEmailTaken, type NewUser } from "./users.ts";

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
  options: { redirectTo: string; challenge: Challenge | undefined; address: string },
): Promise<Record<string, unknown>> {
  const invite = async (id: string) => {
    const send = await inTransaction(auth.db.admin, async (db) => {
      const account = await getUser(db, id);
      await record(db, "user_confirmation_requested", account, options.address);
      return await prepareLink(auth, db, account, "signup", options);
    });
    send();
    return await getUser(auth.db.admin, id);
  };
  try {
    const id = await inTransaction(auth.db.admin, async (db) => await insertUser(db, user));
    return userJson(await invite(id));
  } catch (error) {
    if (!isEmailTaken(error)) throw error;
  }
  const existing = await findUserByEmail(auth.db.admin, user.email);
  if (!existing || existing.email_confirmed_at) {
    if (existing) await record(auth.db.admin, "user_repeated_signup", existing, options.address);
    return lookalike(user.email, user.metadata);
  }
  // Nothing of the waiting account changes: this caller has not shown that the address is theirs.
  return userJson({ ...(await invite(existing.id)), raw_user_meta_data: user.metadata });
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
    assertStrong(fields.password, settings);
    const challenge = acceptChallenge(fields);
    const email = acceptEmail(fields.email);
    const metadata = mergeMetadata({}, fields.data ?? {});
    if (!auth.autoconfirm) {
      await auth.limits.take("mail", auth.senderOf(c));
      await auth.frequency.take("signup", email);
    }
    const user = { email, metadata, passwordHash: await auth.passwords.hash(fields.password) };
    const device = deviceOf(auth, c);
    if (auth.autoconfirm)
      return c.json(await sessionJson(auth, await signUpAtOnce(auth, user, device)));
    const options = { redirectTo: redirectOf(auth, c), challenge, address: device.address };
    return c.json(await signUpWithLink(auth, user, options));
  };
}
