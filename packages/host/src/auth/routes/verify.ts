import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { record } from "../audit-log.ts";
import { AuthError, invalid } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import { confirmEmailChange } from "../flows/email-change.ts";
import { acceptEmail } from "./request-fields.ts";
import { issueCode } from "../flows/flow-state.ts";
import {
  PKCE_PREFIX,
  useCode,
  useLink,
  type TokenType,
  type UsedToken,
} from "../flows/one-time-tokens.ts";
import { readBody, text } from "./request-body.ts";
import { redirectOf } from "../flows/send-link.ts";
import { isContested } from "../flows/sign-up-attempts.ts";
import { openSession, sessionJson, type Grant, type Method } from "../flows/sessions.ts";
import { acceptSignUp, confirmUser, getUser, isBanned } from "../users/users.ts";
import { redirectWith, redirectWithError, type LinkOutcome } from "../flows/verify-redirect.ts";

const TOKEN_TYPES: Readonly<Record<string, readonly TokenType[]>> = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  recovery: ["recovery_token"],
  magiclink: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_new", "email_change_token_current"],
};

const HALF_WAY =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

const body = z.object({ type: text, token: text, token_hash: text, email: text, phone: text });

function tokenTypes(type: string): readonly TokenType[] {
  if (type === "") throw invalid("Verify requires a verification type");
  if (type === "sms" || type === "phone_change") {
    throw new AuthError(400, "phone_provider_disabled", "Phone logins are disabled");
  }
  const types = Object.hasOwn(TOKEN_TYPES, type) ? TOKEN_TYPES[type] : undefined;
  if (!types) throw invalid("Invalid email verification type");
  return types;
}

function expired(message: string): AuthError {
  return new AuthError(403, "otp_expired", message);
}

/** How the opener of a link or code shows who they are; a recovery may set a password without the old one. */
function methodOf(type: string): Method {
  return type === "recovery" ? "recovery" : "otp";
}

/** What a used token led to: whose it was, and what to do after the commit. */
interface Fulfilled {
  email: string;
  after: () => void;
  /** Password of a contested sign-up, for whoever redeems the code of its link. */
  heldPassword?: string | null;
}

/**
 * Does what a used token stands for, in the caller's transaction.
 * @returns false while a change of address waits for its other half.
 */
async function fulfil(
  auth: AuthContext,
  db: Queryable,
  used: UsedToken,
  address: string,
): Promise<false | Fulfilled> {
  const user = await getUser(db, used.user_id);
  if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
  const { token_type: kind } = used;
  if (kind === "email_change_token_new" || kind === "email_change_token_current") {
    await record(db, "user_modified", user, address);
    const after = await confirmEmailChange(auth, db, user.id, kind, used.flow_state_id);
    return after && { email: user.email_change ?? "", after };
  }
  if (!user.email_confirmed_at) {
    const contested = await isContested(db, user.id);
    await confirmUser(db, user.id);
    // The password of the sign-up whose link this is counts, and no other; a recovery or magic link belongs to no
    // sign-up, so no password is left. Where several have claimed the address, its owner may have opened the link
    // of a stranger: the password waits until the browser that chose it redeems the code.
    const { password_hash: passwordHash, user_metadata: metadata } = used;
    await acceptSignUp(db, user.id, { passwordHash: contested ? null : passwordHash, metadata });
    await record(db, "user_signedup", user, address, { provider: "email" });
    if (contested) {
      return { email: user.email ?? "", after: () => undefined, heldPassword: passwordHash };
    }
  } else {
    await record(db, "login", user, address, { provider: "email" });
  }
  return { email: user.email ?? "", after: () => undefined };
}

/**
 * Uses the token of a link for what it is worth: a session, half a change of address, or, for a PKCE link in
 * a browser, a code to be exchanged for a session.
 */
async function openLink(
  auth: AuthContext,
  c: Context,
  link: { token: string; type: string; wantsCode: boolean },
): Promise<LinkOutcome> {
  const { token, type } = link;
  const types = tokenTypes(type);
  const device = deviceOf(auth, c);
  const [outcome, done] = await inTransaction(auth.db.admin, async (db) => {
    const used = await useLink(auth, db, token, types);
    if (!used) throw expired("Email link is invalid or has expired");
    const fulfilled = await fulfil(auth, db, used, device.address);
    if (fulfilled === false) return [{ message: HALF_WAY }, undefined] as const;
    if (link.wantsCode) {
      return [
        { code: await issueCode(db, used.flow_state_id, fulfilled.heldPassword) },
        fulfilled,
      ] as const;
    }
    const grant = await openSession(auth, db, used.user_id, methodOf(type), device);
    return [{ grant }, fulfilled] as const;
  });
  done?.after();
  // Only the owner of the mailbox can open the link, also when a stranger asked for it.
  if (done) await auth.devices.remember(c, done.email);
  return "grant" in outcome ? { session: await sessionJson(auth, outcome.grant) } : outcome;
}

/** `GET /verify`: what a link in an e-mail opens; leads on to the site with a session, a code or an error. */
export function openVerifyLink(auth: AuthContext): Handler {
  return async (c) => {
    const type = c.req.query("type") ?? "";
    const token = c.req.query("token") ?? "";
    const redirectTo = redirectOf(auth, c);
    if (type === "") throw invalid("Verify requires a verification type");
    if (token === "") throw invalid("Verify requires a token or a token hash");
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
    // Mail scanners look links up before their reader does; looking must not use them up.
    if (c.req.method === "HEAD") return c.body(null, 200);
    const wantsCode = token.startsWith(PKCE_PREFIX);
    try {
      await auth.limits.take("verify", auth.senderOf(c));
      const outcome = await openLink(auth, c, { token, type, wantsCode });
      return c.redirect(redirectWith(redirectTo, outcome, type, wantsCode), 303);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return c.redirect(redirectWithError(redirectTo, error, wantsCode), 303);
    }
  };
}

/** Uses a short code sent to an address. */
async function enterCode(
  auth: AuthContext,
  c: Context,
  fields: z.output<typeof body>,
): Promise<Grant | undefined> {
  if (fields.email === "") {
    throw invalid("Only an email address or phone number should be provided on verify");
  }
  const types = tokenTypes(fields.type);
  const device = deviceOf(auth, c);
  const used = await useCode(auth, auth.db.admin, acceptEmail(fields.email), fields.token, types);
  if (!used) throw expired("Token has expired or is invalid");
  const [grant, done] = await inTransaction(auth.db.admin, async (db) => {
    const fulfilled = await fulfil(auth, db, used, device.address);
    if (fulfilled === false) return [undefined, undefined] as const;
    const method = methodOf(fields.type);
    return [await openSession(auth, db, used.user_id, method, device), fulfilled] as const;
  });
  done?.after();
  if (done) await auth.devices.remember(c, done.email);
  return grant;
}

/** `POST /verify`: the same for programs, with `token_hash`, or with `email` and the short code. */
export function verify(auth: AuthContext): Handler {
  return async (c) => {
    await auth.limits.take("verify", auth.senderOf(c));
    const fields = await readBody(c, body);
    if ((fields.token === "") === (fields.token_hash === "")) {
      throw invalid("Verify requires either a token or a token hash");
    }
    const halfWay = { msg: HALF_WAY, code: "200" };
    if (fields.token !== "") {
      const grant = await enterCode(auth, c, fields);
      return c.json(grant ? await sessionJson(auth, grant) : halfWay);
    }
    if (fields.email !== "" || fields.phone !== "") {
      throw invalid("Only the token_hash and type should be provided");
    }
    const { token_hash: token, type } = fields;
    const outcome = await openLink(auth, c, { token, type, wantsCode: false });
    return c.json("session" in outcome ? outcome.session : halfWay);
  };
}
