// Redeems e-mail links and short codes, opened in a browser (GET) or sent as JSON (POST).

import type { Context, Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { deviceOf } from "./authenticate.ts";
import { confirmEmailChange } from "../flows/email-change.ts";
import { parseEmail } from "./request-fields.ts";
import { issueAuthCode } from "../flows/flow-state.ts";
import {
  pkcePrefix,
  consumeOtp,
  consumeLinkToken,
  type TokenType,
  type ConsumedToken,
} from "../flows/one-time-tokens.ts";
import { readBody, optionalText } from "./request-body.ts";
import { requestedRedirect } from "../flows/send-link.ts";
import { isContested } from "../flows/sign-up-attempts.ts";
import {
  createSession,
  sessionJson,
  type AuthenticationMethod,
  type IssuedSession,
} from "../flows/sessions.ts";
import { applySignUp, confirmUser, getUser, isBanned } from "../users/users.ts";
import { successRedirect, errorRedirect, type VerifyResult } from "../flows/verify-redirect.ts";

const tokenTypesByLinkType: Readonly<Record<string, readonly TokenType[]>> = {
  signup: ["confirmation_token"],
  invite: ["confirmation_token"],
  recovery: ["recovery_token"],
  magiclink: ["recovery_token"],
  email: ["confirmation_token", "recovery_token"],
  email_change: ["email_change_token_new", "email_change_token_current"],
};

const halfConfirmedMessage =
  "Confirmation link accepted. Please proceed to confirm link sent to the other email";

const body = z.object({
  type: optionalText,
  token: optionalText,
  token_hash: optionalText,
  email: optionalText,
  phone: optionalText,
});

function tokenTypes(type: string): readonly TokenType[] {
  if (type === "") throw validationFailed("Verify requires a verification type");
  if (type === "sms" || type === "phone_change") {
    throw new AuthError(400, "phone_provider_disabled", "Phone logins are disabled");
  }
  const types = Object.hasOwn(tokenTypesByLinkType, type) ? tokenTypesByLinkType[type] : undefined;
  if (!types) throw validationFailed("Invalid email verification type");
  return types;
}

function expired(message: string): AuthError {
  return new AuthError(403, "otp_expired", message);
}

/** The authentication method of a link or code; a recovery session may set a password without the current one. */
function methodFor(type: string): AuthenticationMethod {
  return type === "recovery" ? "recovery" : "otp";
}

/** The effect of a consumed token: the account's address, and a callback for after the commit. */
interface AppliedToken {
  email: string;
  afterCommit: () => void;
  /** Password hash of a contested sign-up; it takes effect when the code of its link is exchanged. */
  pendingPasswordHash?: string | null;
}

/**
 * Applies a consumed token, in the caller's transaction.
 * @returns false while a change of address waits for the other address.
 */
async function applyToken(
  auth: AuthContext,
  db: Queryable,
  used: ConsumedToken,
  address: string,
): Promise<false | AppliedToken> {
  const user = await getUser(db, used.user_id);
  if (isBanned(user, auth.now())) throw new AuthError(403, "user_banned", "User is banned");
  const { token_type: kind } = used;
  if (kind === "email_change_token_new" || kind === "email_change_token_current") {
    await recordAuditEvent(db, "user_modified", user, address);
    const afterCommit = await confirmEmailChange(auth, db, user.id, kind, used.flow_state_id);
    return afterCommit && { email: user.email_change ?? "", afterCommit };
  }
  if (!user.email_confirmed_at) {
    const contested = await isContested(db, user.id);
    await confirmUser(db, user.id);
    // Only the password of the link's own sign-up takes effect; a recovery or magic link belongs to no sign-up, so it
    // leaves no password. If several sign-ups have claimed the address, the owner may have opened another person's
    // link: the password then takes effect only when the browser that chose it exchanges the code.
    const { password_hash: passwordHash, user_metadata: metadata } = used;
    await applySignUp(db, user.id, { passwordHash: contested ? null : passwordHash, metadata });
    await recordAuditEvent(db, "user_signedup", user, address, { provider: "email" });
    if (contested) {
      return {
        email: user.email ?? "",
        afterCommit: () => undefined,
        pendingPasswordHash: passwordHash,
      };
    }
  } else {
    await recordAuditEvent(db, "login", user, address, { provider: "email" });
  }
  return { email: user.email ?? "", afterCommit: () => undefined };
}

/**
 * Redeems the token of a link: for a session, half of a change of address, or, for a PKCE link in a browser, a code
 * to be exchanged for a session.
 */
async function redeemLink(
  auth: AuthContext,
  c: Context,
  link: { token: string; type: string; wantsCode: boolean },
): Promise<VerifyResult> {
  const { token, type } = link;
  const types = tokenTypes(type);
  const device = deviceOf(auth, c);
  const [outcome, done] = await inTransaction(auth.db.admin, async (db) => {
    const used = await consumeLinkToken(auth, db, token, types);
    if (!used) throw expired("Email link is invalid or has expired");
    const applied = await applyToken(auth, db, used, device.address);
    if (applied === false) return [{ message: halfConfirmedMessage }, undefined] as const;
    if (link.wantsCode) {
      return [
        { code: await issueAuthCode(db, used.flow_state_id, applied.pendingPasswordHash) },
        applied,
      ] as const;
    }
    const issued = await createSession(auth, db, used.user_id, methodFor(type), device);
    return [{ issued }, applied] as const;
  });
  done?.afterCommit();
  // Only the owner of the mailbox can open the link, even if someone else requested it.
  if (done) await auth.devices.remember(c, done.email);
  return "issued" in outcome ? { session: await sessionJson(auth, outcome.issued) } : outcome;
}

/** `GET /verify`: the target of links in e-mails; redirects to the site with a session, a code or an error. */
export function openVerifyLink(auth: AuthContext): Handler {
  return async (c) => {
    const type = c.req.query("type") ?? "";
    const token = c.req.query("token") ?? "";
    const redirectTo = requestedRedirect(auth, c);
    if (type === "") throw validationFailed("Verify requires a verification type");
    if (token === "") throw validationFailed("Verify requires a token or a token hash");
    c.header("referrer-policy", "no-referrer");
    c.header("cache-control", "no-store");
    // Mail scanners look links up before their reader does; looking must not use them up.
    if (c.req.method === "HEAD") return c.body(null, 200);
    const wantsCode = token.startsWith(pkcePrefix);
    try {
      await auth.rateLimits.take("verify", auth.clientNetwork(c));
      const outcome = await redeemLink(auth, c, { token, type, wantsCode });
      return c.redirect(successRedirect(redirectTo, outcome, type, wantsCode), 303);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return c.redirect(errorRedirect(redirectTo, error, wantsCode), 303);
    }
  };
}

const e164 = /^[1-9]\d{1,14}$/;

/** No account has a phone, so a code for one is answered as a code that was never sent. */
function refusePhone(phone: string): AuthError {
  if (e164.test(phone.replaceAll(" ", "").replace(/^\+/, ""))) {
    return expired("Token has expired or is invalid");
  }
  return validationFailed("Invalid phone number format (E.164 required)");
}

/** Redeems a short code sent to an address. */
async function redeemOtp(
  auth: AuthContext,
  c: Context,
  fields: z.output<typeof body>,
): Promise<IssuedSession | undefined> {
  if (fields.email === "" && fields.phone !== "") throw refusePhone(fields.phone);
  if (fields.email === "" || fields.phone !== "") {
    throw validationFailed("Only an email address or phone number should be provided on verify");
  }
  const types = tokenTypes(fields.type);
  const device = deviceOf(auth, c);
  const used = await consumeOtp(auth, auth.db.admin, parseEmail(fields.email), fields.token, types);
  if (!used) throw expired("Token has expired or is invalid");
  const [issued, done] = await inTransaction(auth.db.admin, async (db) => {
    const applied = await applyToken(auth, db, used, device.address);
    if (applied === false) return [undefined, undefined] as const;
    const method = methodFor(fields.type);
    return [await createSession(auth, db, used.user_id, method, device), applied] as const;
  });
  done?.afterCommit();
  if (done) await auth.devices.remember(c, done.email);
  return issued;
}

/** `POST /verify`: the JSON form, with `token_hash`, or with `email` and the short code. */
export function verify(auth: AuthContext): Handler {
  return async (c) => {
    await auth.rateLimits.take("verify", auth.clientNetwork(c));
    const fields = await readBody(c, body);
    if ((fields.token === "") === (fields.token_hash === "")) {
      throw validationFailed("Verify requires either a token or a token hash");
    }
    const halfConfirmed = { msg: halfConfirmedMessage, code: "200" };
    if (fields.token !== "") {
      const issued = await redeemOtp(auth, c, fields);
      return c.json(issued ? await sessionJson(auth, issued) : halfConfirmed);
    }
    if (fields.email !== "" || fields.phone !== "") {
      throw validationFailed("Only the token_hash and type should be provided");
    }
    const { token_hash: token, type } = fields;
    const outcome = await redeemLink(auth, c, { token, type, wantsCode: false });
    return c.json("session" in outcome ? outcome.session : halfConfirmed);
  };
}
