// Asks an authenticator for a new key and checks what it answers, for passkeys and for security keys as second factor.

import type {
  generateRegistrationOptions,
  VerifiedRegistrationResponse,
} from "@simplewebauthn/server";
import type { z } from "zod";
import type { AuthContext } from "../auth-context.ts";
import type { User } from "../users/users.ts";
import { passkeyAlgorithms, type newCredential } from "./passkeys.ts";
import { webAuthnLibrary } from "./webauthn-library.ts";

type Options = Awaited<ReturnType<typeof generateRegistrationOptions>>;
type Asked = Parameters<typeof generateRegistrationOptions>[0];

/** What the browser asks an authenticator with. `excludeCredentials` are the keys that the account has already. */
export async function creationOptions(
  auth: AuthContext,
  user: User,
  asked: Pick<Asked, "excludeCredentials" | "authenticatorSelection">,
): Promise<Options> {
  const name = user.email ?? user.id;
  const library = await webAuthnLibrary();
  return await library.generateRegistrationOptions({
    rpName: auth.relyingParty.name,
    rpID: auth.relyingParty.id,
    userName: name,
    userDisplayName: name,
    userID: new TextEncoder().encode(user.id),
    attestationType: "none",
    supportedAlgorithmIDs: passkeyAlgorithms,
    ...asked,
  });
}

/** @returns the new key; undefined when the answer is not one to this challenge, for this site */
export async function verifyNewCredential(
  auth: AuthContext,
  credential: z.output<typeof newCredential>,
  challenge: string,
  requireUserVerification: boolean,
): Promise<VerifiedRegistrationResponse["registrationInfo"]> {
  const { transports, ...response } = credential.response;
  const { verifyRegistrationResponse } = await webAuthnLibrary();
  const verified = await verifyRegistrationResponse({
    response: { ...credential, response: { ...response, transports: transports ?? [] } },
    expectedChallenge: challenge,
    expectedOrigin: auth.relyingParty.origins,
    expectedRPID: auth.relyingParty.id,
    requireUserVerification,
    supportedAlgorithmIDs: passkeyAlgorithms,
  }).catch(() => undefined);
  return verified?.registrationInfo;
}
