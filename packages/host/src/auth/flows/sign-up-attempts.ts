// Prevents account pre-hijacking, in which a stranger signs up with the victim's address and later knows the password.

import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import type { CodeChallenge } from "../routes/request-fields.ts";
import { prepareLink } from "./send-link.ts";
import { findUserByEmail, type User } from "../users/users.ts";

/**
 * Several people may sign up with one address before it is confirmed. Each sign-up's password is bound to its own
 * link, and takes effect when the browser that signed up exchanges the code of that link: opening the link proves
 * ownership of the address, not who chose the password. A link without PKCE then confirms without a password.
 */
export interface SignUpAttempt {
  passwordHash: string | null;
  metadata: Record<string, unknown>;
}

/** Marks an unconfirmed account as claimed by another sign-up, in the caller's transaction. */
export async function markContested(db: Queryable, userId: string): Promise<void> {
  await db.query(
    "insert into host.contested_sign_ups (user_id) values ($1) on conflict (user_id) do nothing",
    [userId],
  );
}

/** The same by address; does nothing unless an unconfirmed account has it. */
export async function markContestedAddress(db: Queryable, email: string): Promise<void> {
  const account = await findUserByEmail(db, email);
  if (account && !account.email_confirmed_at) await markContested(db, account.id);
}

/** True when more than one sign-up has claimed an unconfirmed account. */
export async function isContested(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query("select 1 from host.contested_sign_ups where user_id = $1", [
    userId,
  ]);
  return rowCount !== 0;
}

/**
 * Creates another confirmation link for an unconfirmed account, in the caller's transaction. It carries the
 * account's password only while a single sign-up has claimed the address, because anyone may request such a link.
 * @returns a function that sends the e-mail; call it after the commit.
 */
export async function prepareSignUpLink(
  auth: AuthContext,
  db: Queryable,
  user: User,
  options: { redirectTo: string; challenge?: CodeChallenge | undefined },
): Promise<() => void> {
  const signUp: SignUpAttempt = {
    passwordHash: (await isContested(db, user.id)) ? null : user.encrypted_password,
    metadata: user.raw_user_meta_data ?? {},
  };
  return await prepareLink(auth, db, user, "signup", { ...options, signUp });
}
