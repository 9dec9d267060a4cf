import type { BackendClient } from "@/lib/backend-client.ts";
import { userBanned } from "@/lib/error-codes.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { sessionStrings } from "../strings.ts";
import { authMessageOf } from "../model/auth-message.ts";

/** Signs in. Answers with the message to show, null when it worked. Never throws. */
export async function signIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<string | null> {
  try {
    const { error } = await client.auth.signInWithPassword({ email, password });
    if (error === null) return null;
    const advice = retryLaterMessage(error);
    if (advice !== null && error.status === 429) return `${advice} ${sessionStrings.signInByLink}`;
    if (error.code === userBanned) return sessionStrings.accountSuspended;
    return authMessageOf(error, sessionStrings.signInFailed);
  } catch (error) {
    return authMessageOf(error, sessionStrings.signInFailed);
  }
}
