import type { BackendClient } from "@/lib/backend-client.ts";
import { sessionStrings } from "../strings.ts";
import { authMessageOf } from "../model/auth-message.ts";
import { passwordError, type PasswordError } from "../model/password-error.ts";

/** Asks for a link to choose a new password. Answers with the message to show, null when sent. */
export async function requestPasswordLink(
  client: BackendClient,
  email: string,
  linkTarget: string,
): Promise<string | null> {
  try {
    const { error } = await client.auth.resetPasswordForEmail(email, { redirectTo: linkTarget });
    return error ? authMessageOf(error, sessionStrings.recoverFailed) : null;
  } catch (error) {
    return authMessageOf(error, sessionStrings.recoverFailed);
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
    return error ? passwordError(error, sessionStrings.passwordUpdateFailed) : null;
  } catch (error) {
    return passwordError(error, sessionStrings.passwordUpdateFailed);
  }
}
