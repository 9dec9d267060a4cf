// Creates the links that accounts get by e-mail (confirmation, invitation, sign-in, recovery) and their `/verify` URLs.

import type { Context } from "hono";
import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import type { EmailKind } from "../mail/default-email-templates.ts";
import type { CodeChallenge } from "../routes/request-fields.ts";
import { createFlowState } from "./flow-state.ts";
import { createOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import type { AuthenticationMethod } from "./sessions.ts";
import type { User } from "../users/users.ts";

/** Values of the `type` parameter of a link. */
export type LinkType = "signup" | "invite" | "magiclink" | "recovery" | "email_change";

interface LinkKind {
  email: EmailKind;
  token: TokenType;
  sentAt: "confirmation_sent_at" | "recovery_sent_at";
  method: AuthenticationMethod;
}

/** Properties of the links sent to an account's own address; see `email-change.ts` for a change of address. */
export const linkKinds: Readonly<Record<Exclude<LinkType, "email_change">, LinkKind>> = {
  signup: {
    email: "confirmation",
    token: "confirmation_token",
    sentAt: "confirmation_sent_at",
    method: "email/signup",
  },
  invite: {
    email: "invite",
    token: "confirmation_token",
    sentAt: "confirmation_sent_at",
    method: "invite",
  },
  magiclink: {
    email: "magic_link",
    token: "recovery_token",
    sentAt: "recovery_sent_at",
    method: "magiclink",
  },
  recovery: {
    email: "recovery",
    token: "recovery_token",
    sentAt: "recovery_sent_at",
    method: "recovery",
  },
};

/** The redirect target of the request if it is allowed, else the site URL. */
export function requestedRedirect(auth: AuthContext, c: Context): string {
  return auth.redirectUrls.resolve(c.req.query("redirect_to") ?? c.req.header("redirect_to"));
}

/** The URL of a link in an e-mail. Its host comes from configuration only. */
export function buildVerifyUrl(
  auth: AuthContext,
  type: LinkType,
  token: string,
  redirectTo: string,
): string {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo });
  return `${auth.apiUrl}/verify?${query.toString()}`;
}

/**
 * Creates a link for an account's own address, in the caller's transaction.
 * @returns a function that sends the e-mail; call it after the commit.
 */
export async function prepareLink(
  auth: AuthContext,
  db: Queryable,
  user: Pick<User, "id" | "email" | "raw_user_meta_data">,
  type: Exclude<LinkType, "email_change">,
  options: {
    redirectTo: string;
    challenge?: CodeChallenge | undefined;
    /** The sign-up whose password takes effect when this link is opened. */
    signUp?: { passwordHash: string | null; metadata: Record<string, unknown> } | undefined;
  },
): Promise<() => void> {
  const kind = linkKinds[type];
  const email = user.email ?? "";
  const { challenge } = options;
  const { token, code } = await createOneTimeToken(auth, db, {
    userId: user.id,
    type: kind.token,
    relatesTo: email,
    withCode: auth.emailTemplates.showsCode(kind.email),
    flow: challenge && (await createFlowState(db, user.id, kind.method, challenge)),
    signUp: options.signUp,
  });
  await db.query(`update auth.users set ${kind.sentAt} = now() where id = $1`, [user.id]);
  return () =>
    auth.emailTemplates.send(kind.email, email, {
      ConfirmationURL: buildVerifyUrl(auth, type, token, options.redirectTo),
      Token: code ?? "",
      TokenHash: token,
      RedirectTo: options.redirectTo,
      Email: email,
      Data: user.raw_user_meta_data ?? {},
    });
}
