import type { BackendClient } from "@/lib/backend-client.ts";
import type { BrowserStorage } from "@/lib/browser-storage.ts";
import { toAppError } from "@/lib/errors.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

/** Where the client keeps the verifier of the latest link that was asked for. */
const verifierKey = /^sb-.*-auth-token-code-verifier$/;

/** The verifiers that links asked for before need in order to sign in, by key. */
function readVerifiers(storage: BrowserStorage): ReadonlyMap<string, string> {
  const keys = storage.keys().filter((key) => verifierKey.test(key));
  return new Map(keys.map((key) => [key, storage.getItem(key) ?? ""]));
}

/** Why the link was not sent, or how long to wait for another one; undefined when the server did not say. */
export type ResendRefusal = Refusal<"resendFailed"> | { readonly waitSeconds: number | undefined };

/**
 * Sends the link that confirms an address again. Answers with why it was not sent, null when it was. When it was not
 * sent the earlier link still signs in: the client replaces its verifier before it asks, so it is put back.
 * @param confirmUrl where the link leads.
 */
export async function resendConfirmation(
  client: BackendClient,
  email: string,
  confirmUrl: string,
  storage: BrowserStorage,
): Promise<ResendRefusal | null> {
  const before = readVerifiers(storage);
  const error = await resend(client, email, confirmUrl);
  if (error === null) return null;
  for (const [key, verifier] of before) storage.setItem(key, verifier);
  return refusalOf(error);
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

function refusalOf(error: unknown): ResendRefusal {
  const { code, message } = toAppError(error);
  if (code !== "over_email_send_rate_limit") return authRefusal(error, "resendFailed");
  const seconds = /after (\d+) seconds/.exec(message)?.[1];
  return { waitSeconds: seconds === undefined ? undefined : Number(seconds) };
}
