// The grants of `POST /token`: a password, a refresh token, the code that completes PKCE, and a provider's ID token.

import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import { exchangeAuthCode } from "../flows/flow-state.ts";
import { exchangeRefreshToken } from "../flows/refresh-tokens.ts";
import { notifyOfIdentity } from "./identities.ts";
import { signInWithIdToken } from "./id-token.ts";
import { linkToAccount } from "../users/provider-sign-in.ts";
import { readBody, optionalText } from "./request-body.ts";
import { createSession, sessionJson } from "../flows/sessions.ts";
import {
  findUserByEmail,
  getUser,
  isBanned,
  isPasswordExpired,
  type User,
} from "../users/users.ts";

const passwordBody = z.object({ email: optionalText, phone: optionalText, password: optionalText });
const refreshBody = z.object({ refresh_token: optionalText });
const codeBody = z.object({ auth_code: optionalText, code_verifier: optionalText });

function wrongCredentials(): AuthError {
  return new AuthError(400, "invalid_credentials", "Invalid login credentials");
}

/** Replaces an outdated hash, unless the password has changed in the meantime. @returns the stored hash */
async function rehashPassword(
  auth: AuthContext,
  user: User,
  password: string,
): Promise<string | null> {
  const hash = await auth.passwords.hash(password);
  const { rowCount } = await auth.db.admin.query(
    "update auth.users set encrypted_password = $3 where id = $1 and encrypted_password = $2",
    [user.id, user.encrypted_password, hash],
  );
  return rowCount === 1 ? hash : user.encrypted_password;
}

async function signInWithPassword(auth: AuthContext, c: Context): Promise<Response> {
  const network = auth.clientNetwork(c);
  await auth.rateLimits.take("signIn", network);
  const fields = await readBody(c, passwordBody);
  if (fields.phone !== "") {
    throw new AuthError(422, "phone_provider_disabled", "Phone logins are disabled");
  }
  if (fields.email === "") throw validationFailed("missing email or phone");
  const email = fields.email.toLowerCase();
  const attempt = await auth.backoff.begin(c, email, network);
  const user = await findUserByEmail(auth.db.admin, email);
  const check = await auth.passwords.check(fields.password, user?.encrypted_password);
  // Other errors of an account are only reported after the correct password.
  if (!user || !check.valid) throw wrongCredentials();
  await attempt.succeeded();
  if (isBanned(user, auth.now())) throw new AuthError(400, "user_banned", "User is banned");
  if (!user.email_confirmed_at) {
    throw new AuthError(400, "email_not_confirmed", "Email not confirmed");
  }
  if (isPasswordExpired(user, auth.now())) {
    const message = "This one-time password has expired. Ask for a new one.";
    throw new AuthError(400, "one_time_password_expired", message);
  }
  const hash = check.needsRehash
    ? await rehashPassword(auth, user, fields.password)
    : user.encrypted_password;
  const device = deviceOf(auth, c);
  const issued = await inTransaction(auth.db.admin, async (db) => {
    // If the password has changed since the check, no session may be created.
    const { rowCount } = await db.query(
      "select 1 from auth.users where id = $1 and encrypted_password = $2 for update",
      [user.id, hash],
    );
    if (rowCount !== 1) throw wrongCredentials();
    await recordAuditEvent(db, "login", user, device.address, { provider: "email" });
    return await createSession(auth, db, user.id, "password", device);
  });
  await auth.devices.remember(c, email);
  return c.json(await sessionJson(auth, issued, fields.password));
}

async function refreshSession(auth: AuthContext, c: Context): Promise<Response> {
  const { refresh_token: token } = await readBody(c, refreshBody);
  if (token === "") throw validationFailed("refresh_token required");
  const issued = await exchangeRefreshToken(auth, token, deviceOf(auth, c)).catch(
    async (error: unknown) => {
      // Only unknown tokens count, so that a flood of them does not end the sessions behind the same address.
      if (error instanceof AuthError && error.code === "refresh_token_not_found") {
        await auth.rateLimits.take("refresh", auth.clientNetwork(c));
      }
      throw error;
    },
  );
  return c.json(await sessionJson(auth, issued));
}

async function exchangeCode(auth: AuthContext, c: Context): Promise<Response> {
  await auth.rateLimits.take("signIn", auth.clientNetwork(c));
  const { auth_code: code, code_verifier: verifier } = await readBody(c, codeBody);
  if (code === "" || verifier === "") {
    throw validationFailed("invalid request: both auth code and code verifier should be non-empty");
  }
  const device = deviceOf(auth, c);
  const [issued, email, linked] = await inTransaction(auth.db.admin, async (db) => {
    const { userId, method, passwordHash, provider, toLink } = await exchangeAuthCode(
      db,
      code,
      verifier,
    );
    if (passwordHash !== null) {
      // Keep a password that was set after the link was opened.
      await db.query(
        "update auth.users set encrypted_password = $2 where id = $1 and encrypted_password is null",
        [userId, passwordHash],
      );
    }
    const user = await getUser(db, userId);
    if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
    // Only now: this is the browser of the account that asked for it, not one that was led to the provider by a link.
    if (toLink) await linkToAccount(auth, db, userId, toLink, device.address);
    else await recordAuditEvent(db, "login", user, device.address, { provider });
    const session = await createSession(auth, db, userId, method, device);
    return [session, user.email ?? "", toLink && { user, provider }] as const;
  });
  if (linked) notifyOfIdentity(auth, "identity_linked", linked.user, linked.provider);
  await auth.devices.remember(c, email);
  return c.json(await sessionJson(auth, issued));
}

/** `POST /token?grant_type=`: exchanges a password, refresh token, auth code or ID token for a session. */
export function token(auth: AuthContext): Handler {
  return async (c) => {
    switch (c.req.query("grant_type") ?? "") {
      case "password":
        return await signInWithPassword(auth, c);
      case "refresh_token":
        return await refreshSession(auth, c);
      case "pkce":
        return await exchangeCode(auth, c);
      case "id_token":
        return await signInWithIdToken(auth, c);
      case "web3":
        throw new AuthError(400, "web3_provider_disabled", "Web3 provider is disabled");
      default:
        throw new AuthError(400, "invalid_credentials", "unsupported_grant_type");
    }
  };
}
