import type { BackendClient } from "@/lib/backend-client.ts";
import { messageOf, waitAdvice } from "@/lib/errors.ts";
import { sessionMessages } from "../messages.ts";

/** Signs in. Answers with the message to show, null when it worked. Never throws. */
export async function signIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<string | null> {
  try {
    const { error } = await client.auth.signInWithPassword({ email, password });
    if (error === null) return null;
    const advice = waitAdvice(error);
    if (advice !== null && error.status === 429) return `${advice} ${sessionMessages.signInByLink}`;
    return messageOf(error, sessionMessages.signInFailed);
  } catch (error) {
    return messageOf(error, sessionMessages.signInFailed);
  }
}
