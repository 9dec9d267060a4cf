import type { Context } from "hono";
import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import type { LetterKind } from "../mail/default-email-templates.ts";
import type { Challenge } from "../routes/request-fields.ts";
import { startFlow } from "./flow-state.ts";
import { makeOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import type { Method } from "./sessions.ts";
import type { User } from "../users/users.ts";

/** Words of the `type` parameter of a link. */
export type LinkType = "signup" | "invite" | "magiclink" | "recovery" | "email_change";

interface LinkKind {
  letter: LetterKind;
  token: TokenType;
  sentAt: "confirmation_sent_at" | "recovery_sent_at";
  method: Method;
}

/** What the links to an account's own address are made of; a change of address has two of its own. */
export const LINK_KINDS: Readonly<Record<Exclude<LinkType, "email_change">, LinkKind>> = {
  signup: {
    letter: "confirmation",
    token: "confirmation_token",
    sentAt: "confirmation_sent_at",
    method: "email/signup",
  },
  invite: {
    letter: "invite",
    token: "confirmation_token",
    sentAt: "confirmation_sent_at",
    method: "invite",
  },
  magiclink: {
    letter: "magic_link",
    token: "recovery_token",
    sentAt: "recovery_sent_at",
    method: "magiclink",
  },
  recovery: {
    letter: "recovery",
    token: "recovery_token",
    sentAt: "recovery_sent_at",
    method: "recovery",
  },
};

/** Where the request wants its reader sent afterwards, when that is allowed; else the site. */
export function redirectOf(auth: AuthContext, c: Context): string {
  return auth.redirects.resolve(c.req.query("redirect_to") ?? c.req.header("redirect_to"));
}

/** The address of a link in an e-mail. Its host comes from configuration alone. */
export function linkTo(
  auth: AuthContext,
  type: LinkType,
  token: string,
  redirectTo: string,
): string {
  const query = new URLSearchParams({ token, type, redirect_to: redirectTo });
  return `${auth.apiUrl}/verify?${query.toString()}`;
}

/**
 * Makes a link to an account's own address, in the caller's transaction.
 * @returns sends the e-mail; to be called after the commit.
 */
export async function prepareLink(
  auth: AuthContext,
  db: Queryable,
  user: Pick<User, "id" | "email" | "raw_user_meta_data">,
  type: Exclude<LinkType, "email_change">,
  options: {
    redirectTo: string;
    challenge?: Challenge | undefined;
    /** The sign-up whose password counts once this link is opened. */
    signUp?: { passwordHash: string | null; metadata: Record<string, unknown> } | undefined;
  },
): Promise<() => void> {
  const kind = LINK_KINDS[type];
  const email = user.email ?? "";
  const { challenge } = options;
  const { token, code } = await makeOneTimeToken(auth, db, {
    userId: user.id,
    type: kind.token,
    relatesTo: email,
    withCode: auth.letters.showsCode(kind.letter),
    flow: challenge && (await startFlow(db, user.id, kind.method, challenge)),
    signUp: options.signUp,
  });
  await db.query(`update auth.users set ${kind.sentAt} = now() where id = $1`, [user.id]);
  return () =>
    auth.letters.post(kind.letter, email, {
      ConfirmationURL: linkTo(auth, type, token, options.redirectTo),
      Token: code ?? "",
      TokenHash: token,
      RedirectTo: options.redirectTo,
      Email: email,
      Data: user.raw_user_meta_data ?? {},
    });
}
