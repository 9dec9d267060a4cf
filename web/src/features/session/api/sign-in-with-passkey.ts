import type { BackendClient } from "@/lib/backend-client.ts";
import { userBanned } from "@/lib/error-codes.ts";
import { isCeremonyAborted } from "@/lib/passkey-support.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

export type PasskeyRefusal = Refusal<
  "accountSuspended" | "passkeyAborted" | "passkeyUnknown" | "signInFailed"
>;

/** Asks the browser for a passkey and signs in with it. Resolves to the reason it failed, or null when it worked. Never throws. */
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
