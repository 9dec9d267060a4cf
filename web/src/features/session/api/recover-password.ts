import type { BackendClient } from "@/lib/backend-client.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";
import { passwordError, type PasswordError } from "../model/password-error.ts";

/** Asks for a link to choose a new password. Answers with why it was not sent, null when it was. */
export async function requestPasswordLink(
  client: BackendClient,
  email: string,
  linkTarget: string,
): Promise<Refusal<"recoverFailed"> | null> {
  try {
    const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: linkTarget });
    return error ? authRefusal(error, "recoverFailed") : null;
  } catch (error) {
    return authRefusal(error, "recoverFailed");
  }
}

/**
 * Sets a new password for the signed-in user. Answers with why not, null when set.
 * @param current the password until now; null in a session that a recovery link began.
 */
export async function updatePassword(
  client: BackendClient,
  password: string,
  current: string | null,
): Promise<PasswordError | null> {
  try {
    const { error } = await client.auth.updateUser({
      password,
      ...(current === null ? {} : { current_password: current }),
    });
    return error ? passwordError(error, "passwordUpdateFailed") : null;
  } catch (error) {
    return passwordError(error, "passwordUpdateFailed");
  }
}
