import type { Queryable } from "../../postgres/database.ts";
import type { AuthContext } from "../auth-context.ts";
import type { Challenge } from "../routes/request-fields.ts";
import { prepareLink } from "./send-link.ts";
import type { User } from "../users/users.ts";

/**
 * Several people may sign up with one address before anyone has shown that it is theirs. Each sign-up's password
 * is bound to its own link, and counts once the browser that signed up has redeemed the code of that link: opening
 * it shows whose the address is, not who chose the password. A link without PKCE confirms with no password then.
 */
export interface SignUpAttempt {
  passwordHash: string | null;
  metadata: Record<string, unknown>;
}

/** Notes, in the caller's transaction, that an unconfirmed account was signed up for once more. */
export async function markContested(db: Queryable, userId: string): Promise<void> {
  await db.query(
    "insert into host.contested_sign_ups (user_id) values ($1) on conflict (user_id) do nothing",
    [userId],
  );
}

/** True when more than one sign-up has claimed an unconfirmed account. */
export async function isContested(db: Queryable, userId: string): Promise<boolean> {
  const { rowCount } = await db.query("select 1 from host.contested_sign_ups where user_id = $1", [
    userId,
  ]);
  return rowCount !== 0;
}

/**
 * Makes another confirmation link for an unconfirmed account, in the caller's transaction. It carries the
 * account's password only while one sign-up alone has claimed the address; anybody may ask for such a link.
 * @returns sends the e-mail; to be called after the commit.
 */
export async function prepareSignUpLink(
  auth: AuthContext,
  db: Queryable,
  user: User,
  options: { redirectTo: string; challenge?: Challenge | undefined },
): Promise<() => void> {
  const signUp: SignUpAttempt = {
    passwordHash: (await isContested(db, user.id)) ? null : user.encrypted_password,
    metadata: user.raw_user_meta_data ?? {},
  };
  return await prepareLink(auth, db, user, "signup", { ...options, signUp });
}
