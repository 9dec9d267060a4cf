import type { BackendClient } from "@/lib/backend-client.ts";
import type { BrowserStorage } from "@/lib/browser-storage.ts";
import { toAppError } from "@/lib/errors.ts";
import { sessionStrings } from "../strings.ts";
import { authMessageOf } from "../model/auth-message.ts";

/** Where the client keeps the verifier of the latest link that was asked for. */
const verifierKey = /^sb-.*-auth-token-code-verifier$/;

/** The verifiers that links asked for before need in order to sign in, by key. */
function readVerifiers(storage: BrowserStorage): ReadonlyMap<string, string> {
  const keys = storage.keys().filter((key) => verifierKey.test(key));
  return new Map(keys.map((key) => [key, storage.getItem(key) ?? ""]));
}

/**
 * Sends the link that confirms an address again. Answers with the message to show, null when sent. When it was not
 * sent the earlier link still signs in: the client replaces its verifier before it asks, so it is put back.
 * @param confirmUrl where the link leads.
 */
export async function resendConfirmation(
  client: BackendClient,
  email: string,
  confirmUrl: string,
  storage: BrowserStorage,
): Promise<string | null> {
  const before = readVerifiers(storage);
  const error = await resend(client, email, confirmUrl);
  if (error === null) return null;
  for (const [key, verifier] of before) storage.setItem(key, verifier);
  return messageFor(error);
}

/** The error, or null when the link was sent. */
async function resend(client: BackendClient, email: string, confirmUrl: string): Promise<unknown> {
  try {
    const options = { emailRedirectTo: confirmUrl };
    return (await client.auth.resend({ type: "signup", email, options })).error;
  } catch (error) {
    return error ?? new Error("The link was not sent.");
  }
}

function messageFor(error: unknown): string {
  const { code, message } = toAppError(error);
  if (code !== "over_email_send_rate_limit")
    return authMessageOf(error, sessionStrings.resendFailed);
  const seconds = /after (\d+) seconds/.exec(message)?.[1];
  return sessionStrings.resendTooSoon(seconds === undefined ? undefined : Number(seconds));
}
