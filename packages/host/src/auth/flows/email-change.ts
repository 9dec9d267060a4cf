import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import type { Challenge } from "../routes/request-fields.ts";
import { startFlow } from "./flow-state.ts";
import { makeOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { linkTo } from "./send-link.ts";
import {
  emailExists,
  getUser,
  isEmailTaken,
  setEmailIdentity,
  voidLinks,
  type User,
} from "../users/users.ts";

/** Which address has agreed to a change so far, in `email_change_confirm_status`. */
const agreed = { email_change_token_new: 1, email_change_token_current: 2 } as const;
type Side = keyof typeof agreed;

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
  options: {
    redirectTo: string;
    challenge?: Challenge | undefined;
    /** True to send links for a change that waits already; anybody may ask for that, so it voids nothing. */
    again?: boolean;
  },
): Promise<() => void> {
  const { redirectTo, again = false } = options;
  const { challenge } = options;
  const oldEmail = user.email ?? "";
  const post: (() => void)[] = [];
  const prepare = async (type: TokenType, to: string) => {
    const { token, code } = await makeOneTimeToken(auth, db, {
      userId: user.id,
      type,
      relatesTo: to,
      withCode: auth.letters.showsCode("email_change"),
      flow: challenge && (await startFlow(db, user.id, "email_change", challenge)),
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
  if (!again) {
    await db.query(
      `delete from auth.one_time_tokens where user_id = $1
          and token_type in ('email_change_token_new', 'email_change_token_current')`,
      [user.id],
    );
  }
  await prepare("email_change_token_new", newEmail);
  if (auth.settings.email.double_confirm_changes && oldEmail !== "") {
    await prepare("email_change_token_current", oldEmail);
  }
  await db.query(
    `update auth.users set email_change = $2, email_change_sent_at = now(), updated_at = now(),
       email_change_confirm_status = case when $3 then email_change_confirm_status else 0 end where id = $1`,
    [user.id, newEmail, again],
  );
  return () => post.forEach((send) => send());
}

/**
 * Counts the consent of one address to a change, in the caller's transaction, and changes the address once
 * both have agreed.
 * @param side the kind of link that was opened.
 * @param flow its PKCE flow, where it has one.
 * @returns false while the other address still has to confirm; else how to tell the old address.
 * @throws {AuthError} when the new address was taken by another account meanwhile.
 */
export async function confirmEmailChange(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  side: Side,
  flow: string | null = null,
): Promise<false | (() => void)> {
  await db.query("select 1 from auth.users where id = $1 for update", [userId]);
  const user = await getUser(db, userId);
  const newEmail = user.email_change ?? "";
  if (newEmail === "") {
    throw new AuthError(403, "otp_expired", "Email link is invalid or has expired");
  }
  const needsBoth =
    !auth.autoconfirm && auth.settings.email.double_confirm_changes && (user.email ?? "") !== "";
  const status = user.email_change_confirm_status;
  if (needsBoth && (status === 0 || status === agreed[side])) {
    await db.query("update auth.users set email_change_confirm_status = $2 where id = $1", [
      userId,
      agreed[side],
    ]);
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
  await voidLinks(db, userId, flow);
  const oldEmail = user.email ?? "";
  return () => {
    if (oldEmail === "") return;
    const values = { Email: newEmail, OldEmail: oldEmail, Data: user.raw_user_meta_data ?? {} };
    auth.letters.post("email_changed", oldEmail, values);
  };
}
