// Creates links for the service role: `/admin/generate_link` returns one, `/invite` sends it as an invitation.

import { randomBytes } from "node:crypto";
import type { Handler } from "hono";
import { z } from "zod";
import { inTransaction, type Queryable } from "../../postgres/database.ts";
import { recordAuditEvent } from "../audit-log.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { parseEmail, mergeUserMetadata } from "./request-fields.ts";
import { createOneTimeToken, type TokenType } from "../flows/one-time-tokens.ts";
import { assertStrongPassword } from "../passwords/password-strength.ts";
import { jsonObject, readBody, optionalText } from "./request-body.ts";
import {
  linkKinds,
  buildVerifyUrl,
  prepareLink,
  requestedRedirect,
  type LinkType,
} from "../flows/send-link.ts";
import { userJson } from "../users/user-json.ts";
import {
  emailExists,
  findUserByEmail,
  getUser,
  insertUser,
  isEmailTaken,
  type User,
} from "../users/users.ts";

const body = z.object({
  type: optionalText,
  email: optionalText,
  new_email: optionalText,
  password: optionalText,
  data: jsonObject,
  redirect_to: optionalText,
});
const inviteBody = z.object({ email: optionalText, data: jsonObject });

const linkTypes = [
  "signup",
  "invite",
  "magiclink",
  "recovery",
  "email_change_current",
  "email_change_new",
] as const;
type GeneratedLinkType = (typeof linkTypes)[number];

function userNotFound(): AuthError {
  return new AuthError(404, "user_not_found", "User with this email not found");
}

/** The account for a link, created if the link type allows it, and the password hash the link confirms. */
async function accountFor(
  auth: AuthContext,
  type: GeneratedLinkType,
  email: string,
  fields: { password: string; data: Record<string, unknown> | undefined },
): Promise<{ account: User; passwordHash: string | null }> {
  const existing = await findUserByEmail(auth.db.admin, email);
  if ((type === "signup" || type === "invite") && existing?.email_confirmed_at) throw emailExists();
  if (!existing && (type === "recovery" || type.startsWith("email_change"))) throw userNotFound();
  let passwordHash: string | null = null;
  if (type === "signup") {
    if (fields.password === "") throw validationFailed("Signup requires a valid password");
    await assertStrongPassword(fields.password, auth.settings, {
      email,
      siteWords: auth.siteWords,
    });
    passwordHash = await auth.passwords.hash(fields.password);
  }
  if (existing) return { account: existing, passwordHash };
  const user = {
    email,
    metadata: mergeUserMetadata({}, fields.data ?? {}),
    passwordHash:
      passwordHash ?? (await auth.passwords.hash(randomBytes(32).toString("base64url"))),
  };
  try {
    const id = await inTransaction(auth.db.admin, async (db) => await insertUser(db, user));
    return { account: await getUser(auth.db.admin, id), passwordHash };
  } catch (error) {
    throw isEmailTaken(error) ? emailExists() : error;
  }
}

/** Notes on the account what the link is about to change. @returns kind and recipient of the token. */
async function prepareAccount(
  auth: AuthContext,
  db: Queryable,
  user: User,
  type: GeneratedLinkType,
  newEmail: string,
): Promise<{ token: TokenType; relatesTo: string; linkType: LinkType }> {
  const email = user.email ?? "";
  if (type !== "email_change_current" && type !== "email_change_new") {
    const kind = linkKinds[type];
    await db.query(`update auth.users set ${kind.sentAt} = now() where id = $1`, [user.id]);
    if (type === "invite") {
      await db.query("update auth.users set invited_at = now() where id = $1", [user.id]);
    }
    return { token: kind.token, relatesTo: email, linkType: type };
  }
  if (type === "email_change_current" && !auth.settings.email.double_confirm_changes) {
    throw validationFailed("Enable secure email change to generate link for current email");
  }
  const wanted = parseEmail(newEmail);
  const holder = await findUserByEmail(db, wanted);
  if (holder && holder.id !== user.id) throw emailExists();
  await db.query(
    `update auth.users set email_change = $2, email_change_sent_at = now(), email_change_confirm_status = 0
      where id = $1`,
    [user.id, wanted],
  );
  const isNew = type === "email_change_new";
  const token = isNew ? "email_change_token_new" : "email_change_token_current";
  return { token, relatesTo: isNew ? wanted : email, linkType: "email_change" };
}

/** `POST /admin/generate_link`: returns a link that the caller sends itself. */
export function generateLink(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, body);
    const email = parseEmail(fields.email);
    const type = linkTypes.find((known) => known === fields.type);
    if (!type) throw validationFailed("Invalid email action link type requested");
    const redirectTo = auth.redirectUrls.resolve(fields.redirect_to || c.req.query("redirect_to"));
    const { account, passwordHash } = await accountFor(auth, type, email, fields);
    const signUp =
      type === "signup"
        ? {
            passwordHash,
            metadata: mergeUserMetadata(account.raw_user_meta_data ?? {}, fields.data ?? {}),
          }
        : undefined;
    const created = await inTransaction(auth.db.admin, async (db) => {
      const {
        token: tokenType,
        relatesTo,
        linkType,
      } = await prepareAccount(auth, db, account, type, fields.new_email);
      const { token, code } = await createOneTimeToken(auth, db, {
        userId: account.id,
        type: tokenType,
        relatesTo,
        withCode: true,
        signUp,
      });
      await recordAuditEvent(db, "user_recovery_requested", "service_role", auth.clientAddress(c), {
        user_id: account.id,
        type,
      });
      return { token, code, linkType };
    });
    return c.json({
      ...userJson(await getUser(auth.db.admin, account.id)),
      action_link: buildVerifyUrl(auth, created.linkType, created.token, redirectTo),
      email_otp: created.code,
      hashed_token: created.token,
      verification_type: type,
      redirect_to: redirectTo,
    });
  };
}

/** `POST /invite`: creates an account for an address and sends an invitation. */
export function invite(auth: AuthContext): Handler {
  return async (c) => {
    const fields = await readBody(c, inviteBody);
    const email = parseEmail(fields.email);
    const wanted = { password: "", data: fields.data };
    const { account } = await accountFor(auth, "invite", email, wanted);
    const send = await inTransaction(auth.db.admin, async (db) => {
      await db.query("update auth.users set invited_at = now() where id = $1", [account.id]);
      const traits = { user_id: account.id, user_email: email };
      await recordAuditEvent(db, "user_invited", "service_role", auth.clientAddress(c), traits);
      return await prepareLink(auth, db, account, "invite", {
        redirectTo: requestedRedirect(auth, c),
      });
    });
    send();
    return c.json(userJson(await getUser(auth.db.admin, account.id)));
  };
}
