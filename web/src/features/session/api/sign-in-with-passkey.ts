import type { BackendClient } from "@/lib/backend-client.ts";
import { userBanned } from "@/lib/error-codes.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

/** True where the browser knows passkeys. */
export function knowsPasskeys(): boolean {
  return "PublicKeyCredential" in window;
}

/**
 * True for an error of the browser's own: the member turned back, waited too long, or has no passkey for this site here. It
 * does not say which.
 */
export function isCeremonyAborted(error: unknown): boolean {
  const { name, code, cause } = error as { name?: unknown; code?: unknown; cause?: unknown };
  if (name === "NotAllowedError" || name === "AbortError") return true;
  if (code === "ERROR_CEREMONY_ABORTED") return true;
  return cause instanceof Error && isCeremonyAborted(cause);
}

export type PasskeyRefusal = Refusal<
  "accountSuspended" | "passkeyAborted" | "passkeyUnknown" | "signInFailed"
>;

/** Asks the browser for a passkey and signs in with it. Answers with why not, null when it worked. Never throws. */
export async function signInWithPasskey(client: BackendClient): Promise<PasskeyRefusal | null> {
  try {
    const { error } = await client.auth.signInWithPasskey();
    if (error === null) return null;
    if (isCeremonyAborted(error)) return { code: "passkeyAborted" };
    const { code } = error as { code?: unknown };
    if (code === userBanned) return { code: "accountSuspended" };
    if (code === "webauthn_verification_failed") return { code: "passkeyUnknown" };
    return authRefusal(error, "signInFailed");
  } catch (error) {
    return authRefusal(error, "signInFailed");
  }
}
