import type { BackendClient } from "@/lib/backend-client.ts";
import { firstFactorRefused } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { isCeremonyAborted } from "@/lib/passkey-support.ts";
import type { Refusal } from "@/lib/refusal.ts";
import { authRefusal } from "../model/auth-message.ts";

/**
 * Has the browser answer a challenge of a security key: by making the key of a factor that is new, and by using it later.
 * Throws the browser's error or the auth server's. The client's own `webauthn.register` takes keys of another device alone,
 * and would leave out the fingerprint or face of this one.
 */
export async function answerKeyChallenge(client: BackendClient, factorId: string): Promise<void> {
  const site = { rpId: window.location.hostname, rpOrigins: [window.location.origin] };
  const asked = await client.auth.mfa.challenge({ factorId, webauthn: site });
  if (asked.error) throw asked.error;
  const { id: challengeId, webauthn } = asked.data;
  // The library knows of ways to reach a key that the DOM's types don't list yet.
  const credential =
    webauthn.type === "create"
      ? await navigator.credentials.create(webauthn.credential_options as CredentialCreationOptions)
      : await navigator.credentials.get(webauthn.credential_options as CredentialRequestOptions);
  if (credential === null) throw new DOMException("", "NotAllowedError");
  const { error } = await client.auth.mfa.verify({
    factorId,
    challengeId,
    // The browser answers with the kind of credential that it was asked for.
    webauthn: { ...site, type: webauthn.type, credential_response: credential as never },
  });
  if (error) throw error;
}

type KeyRefusalCode =
  | "keyAborted"
  | "keyWrong"
  | "keyTooLate"
  | "keyTooMany"
  | "keysOff"
  | "firstFactorRefused"
  | "keyFailed";

/** Why a security key was not accepted. */
export type KeyRefusal = Refusal<KeyRefusalCode>;

const refusalCodes: Readonly<Record<string, KeyRefusalCode>> = {
  mfa_verification_failed: "keyWrong",
  mfa_challenge_expired: "keyTooLate",
  over_request_rate_limit: "keyTooMany",
  mfa_webauthn_verify_not_enabled: "keysOff",
  [firstFactorRefused]: "firstFactorRefused",
};

/** Why the challenge of a security key was not answered. */
export function keyRefusal(error: unknown): KeyRefusal {
  if (isCeremonyAborted(error)) return { code: "keyAborted" };
  const known = refusalCodes[toAppError(error).code];
  return known === undefined ? authRefusal(error, "keyFailed") : { code: known };
}

/** Asks for a security key of the account. Answers with why it was not accepted, null when it was. */
export async function verifyKey(
  client: BackendClient,
  factorId: string,
): Promise<KeyRefusal | null> {
  try {
    await answerKeyChallenge(client, factorId);
    return null;
  } catch (error) {
    if (!isCeremonyAborted(error)) console.error("The security key was not accepted", error);
    return keyRefusal(error);
  }
}
