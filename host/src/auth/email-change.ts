import type { Queryable } from "../postgres/database.ts";
import { AuthError } from "./auth-error.ts";
import type { AuthContext } from "./auth-context.ts";
import type { Challenge } from "./fields.ts";
import { startFlow } from "./flow-state.ts";
import { makeOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { linkTo } from "./send-link.ts";
import { emailExists, getUser, isEmailTaken, setEmailIdentity, type User } from "./users.ts";

/**
 * Makes the links that confirm a change of address, in the caller's transaction: one to the new address and,
 * where changes are confirmed twice, one to the old.
 * @returns sends the e-mails; to be called after the commit.
 */
export async function prepareEmailChange(
  auth: AuthContext,
  db: Queryable,
  user: User,
  newEmail: string,
  options: { redirectTo: string; challenge?: Challenge | undefined },
): Promise<() => void> {
  const { redirectTo } = options;
  const oldEmail = user.email ?? "";
  const post: (() => void)[] = [];
  const prepare = async (type: TokenType, to: string) => {
    const { token, code } = await makeOneTimeToken(auth, db, {
      userId: user.id,
      type,
      relatesTo: to,
      withCode: auth.letters.showsCode("email_change"),
      pkce: options.challenge !== undefined,
    });
    post.push(() =>
      auth.letters.post("email_change", to, {
        ConfirmationURL: linkTo(auth, "email_change", token, redirectTo),
        Token: code ?? "",
        TokenHash: token,
        RedirectTo: redirectTo,
        Email: oldEmail,
        NewEmail: newEmail,
        Data: user.raw_user_meta_data ?? {},
      }),
    );
  };
  await db.query(
    "delete from auth.one_time_tokens where user_id = $1 and token_type = 'email_change_token_current'",
    [user.id],
  );
  await prepare("email_change_token_new", newEmail);
  if (auth.settings.email.double_confirm_changes && oldEmail !== "") {
    await prepare("email_change_token_current", oldEmail);
  }
  if (options.challenge) await startFlow(db, user.id, "email_change", options.challenge);
  await db.query(
    `update auth.users set email_change = $2, email_change_sent_at = now(), email_change_confirm_status = 0,
       updated_at = now() where id = $1`,
    [user.id, newEmail],
  );
  return () => post.forEach((send) => send());
}

/**
 * Counts one confirmation of a change of address, in the caller's transaction, and changes the address
 * once there are enough.
 * @returns false while the other address still has to confirm; else how to tell the old address.
 * @throws {AuthError} when the new address was taken by another account meanwhile.
 */
export async function confirmEmailChange(
  auth: AuthContext,
  db: Queryable,
  userId: string,
): Promise<false | (() => void)> {
  await db.query("select 1 from auth.users where id = $1 for update", [userId]);
  const user = await getUser(db, userId);
  const newEmail = user.email_change ?? "";
  if (newEmail === "") {
    throw new AuthError(403, "otp_expired", "Email link is invalid or has expired");
  }
  const needsBoth =
    !auth.autoconfirm && auth.settings.email.double_confirm_changes && (user.email ?? "") !== "";
  if (needsBoth && user.email_change_confirm_status === 0) {
    await db.query("update auth.users set email_change_confirm_status = 1 where id = $1", [userId]);
    return false;
  }
  try {
    await db.query(
      `update auth.users set email = $2, email_change = '', email_change_sent_at = null,
         email_change_confirm_status = 0, email_confirmed_at = now(), updated_at = now() where id = $1`,
      [userId, newEmail],
    );
  } catch (error) {
    throw isEmailTaken(error) ? emailExists() : error;
  }
  await setEmailIdentity(db, userId, newEmail, true);
  // Links on their way to the old address open this account no more.
  await db.query("delete from auth.one_time_tokens where user_id = $1", [userId]);
  const oldEmail = user.email ?? "";
  return () => {
    if (oldEmail === "") return;
    const values = { Email: newEmail, OldEmail: oldEmail, Data: user.raw_user_meta_data ?? {} };
    auth.letters.post("email_changed", oldEmail, values);
  };
}
