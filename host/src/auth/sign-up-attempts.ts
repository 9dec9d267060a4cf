import type { Queryable } from "../postgres/database.ts";
import type { AuthContext } from "./auth-context.ts";
import type { Challenge } from "./fields.ts";
import { prepareLink } from "./send-link.ts";
import type { User } from "./users.ts";

/**
 * Several people may sign up with one address before anyone has shown that it is theirs. Each sign-up's password
 * is bound to its own link: the link that is opened decides, and the others are void.
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
  const { rowCount } = await db.query("select 1 from host.contested_sign_ups where user_id = $1", [
    user.id,
  ]);
  const signUp: SignUpAttempt = {
    passwordHash: rowCount === 0 ? user.encrypted_password : null,
    metadata: user.raw_user_meta_data ?? {},
  };
  return await prepareLink(auth, db, user, "signup", { ...options, signUp });
}
