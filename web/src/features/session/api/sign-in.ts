import type { BackendClient } from "@/lib/backend-client.ts";
import { userBanned } from "@/lib/error-codes.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

export type SignInRefusal =
  | Refusal<"accountSuspended" | "signInFailed">
  /** Too many attempts: when to try again, in the server's words. A link by e-mail works at once. */
  | { readonly advice: string };

/** Signs in. Answers with why not, null when it worked. Never throws. */
export async function signIn(
  client: BackendClient,
  email: string,
  password: string,
): Promise<SignInRefusal | null> {
  try {
    const { error } = await client.auth.signInWithPassword({ email, password });
    if (error === null) return null;
    const advice = retryLaterMessage(error);
    if (advice !== null && error.status === 429) return { advice };
    if (error.code === userBanned) return { code: "accountSuspended" };
    return authRefusal(error, "signInFailed");
  } catch (error) {
    return authRefusal(error, "signInFailed");
  }
}
