import type { BackendClient } from "@/lib/backend-client.ts";
import { messageOf, toAppError } from "@/lib/errors.ts";
import { sessionStrings } from "../strings.ts";

/**
 * Sends the link that confirms an address again. Answers with the message to show, null when sent.
 * @param confirmUrl where the link leads.
 */
export async function resendConfirmation(
  client: BackendClient,
  email: string,
  confirmUrl: string,
): Promise<string | null> {
  try {
    const { error } = await client.auth.resend({
      type: "signup",
      email,
      options: { emailRedirectTo: confirmUrl },
    });
    if (error === null) return null;
    if (toAppError(error).code === "over_email_send_rate_limit") {
      const seconds = /after (\d+) seconds/.exec(error.message)?.[1];
      return sessionStrings.resendTooSoon(seconds === undefined ? undefined : Number(seconds));
    }
    return messageOf(error, sessionStrings.resendFailed);
  } catch (error) {
    return messageOf(error, sessionStrings.resendFailed);
  }
}
