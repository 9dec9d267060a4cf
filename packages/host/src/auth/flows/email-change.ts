// Changes an account's e-mail address once the new address, and by default the old one too, has confirmed it.

import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import type { CodeChallenge } from "../routes/request-fields.ts";
import { createFlowState } from "./flow-state.ts";
import { createOneTimeToken, type TokenType } from "./one-time-tokens.ts";
import { buildVerifyUrl } from "./send-link.ts";
import {
  emailExists,
  getUser,
  isEmailTaken,
  setEmailIdentity,
  invalidateLinks,
  type User,
} from "../users/users.ts";

/** Values of `email_change_confirm_status`: which address has confirmed so far. */
const confirmedStatus = { email_change_token_new: 1, email_change_token_current: 2 } as const;
type ConfirmedSide = keyof typeof confirmedStatus;

/**
 * Creates the links that confirm a change of address, in the caller's transaction: one for the new address and, with
 * `double_confirm_changes`, one for the current address.
 * @returns a function that sends the e-mails; call it after the commit.
 */
export async function prepareEmailChange(
  auth: AuthContext,
  db: Queryable,
  user: User,
  newEmail: string,
  options: {
    redirectTo: string;
    challenge?: CodeChallenge | undefined;
    /** True to send new links for a pending change. Anyone may request that, so earlier links stay valid. */
    isResend?: boolean;
  },
): Promise<() => void> {
  const { redirectTo, isResend = false } = options;
  const { challenge } = options;
  const oldEmail = user.email ?? "";
  const sends: (() => void)[] = [];
  const prepare = async (type: TokenType, to: string) => {
    const { token, code } = await createOneTimeToken(auth, db, {
      userId: user.id,
      type,
      relatesTo: to,
      withCode: auth.emailTemplates.showsCode("email_change"),
      flow: challenge && (await createFlowState(db, user.id, "email_change", challenge)),
    });
    sends.push(() =>
      auth.emailTemplates.send("email_change", to, {
        ConfirmationURL: buildVerifyUrl(auth, "email_change", token, redirectTo),
        Token: code ?? "",
        TokenHash: token,
        RedirectTo: redirectTo,
        Email: oldEmail,
        NewEmail: newEmail,
        Data: user.raw_user_meta_data ?? {},
      }),
    );
  };
  if (!isResend) {
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
    [user.id, newEmail, isResend],
  );
  return () => sends.forEach((send) => send());
}

/**
 * Records that one address confirmed a change, in the caller's transaction, and changes the address once both
 * have confirmed.
 * @param side the type of the token that was used.
 * @param flow the PKCE flow of the link, if it has one.
 * @returns false while the other address must still confirm; else a function that notifies the old address.
 * @throws {AuthError} when another account has taken the new address in the meantime.
 */
export async function confirmEmailChange(
  auth: AuthContext,
  db: Queryable,
  userId: string,
  side: ConfirmedSide,
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
  if (needsBoth && (status === 0 || status === confirmedStatus[side])) {
    await db.query("update auth.users set email_change_confirm_status = $2 where id = $1", [
      userId,
      confirmedStatus[side],
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
  // Where addresses count without confirmation, the link to the old one says nothing of the new one.
  await setEmailIdentity(db, userId, newEmail, needsBoth || side === "email_change_token_new");
  // Links sent to the old address must no longer work.
  await invalidateLinks(db, userId, flow);
  const oldEmail = user.email ?? "";
  return () => {
    if (oldEmail === "") return;
    const values = { Email: newEmail, OldEmail: oldEmail, Data: user.raw_user_meta_data ?? {} };
    auth.emailTemplates.send("email_changed", oldEmail, values);
  };
}
