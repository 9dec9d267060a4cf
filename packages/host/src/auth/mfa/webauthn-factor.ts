// Security keys and passkeys as second factors (WebAuthn): the options for the browser, and what it answers.

import { z } from "zod";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError, validationFailed } from "../auth-error.ts";
import type { AuthContext } from "../auth-context.ts";
import { creationOptions, verifyNewCredential } from "../passkeys/new-credential.ts";
import { newCredential, usedCredential } from "../passkeys/passkeys.ts";
import { webAuthnLibrary } from "../passkeys/webauthn-library.ts";
import type { User } from "../users/users.ts";
import type { FactorRow, StoredWebAuthnCredential } from "./factors.ts";

/** What the client sends to verify such a factor. */
export const webAuthnAnswer = z.object({
  type: z.string().optional(),
  credential_response: z.unknown().optional(),
});
export type WebAuthnAnswer = z.infer<typeof webAuthnAnswer>;

/** What the client needs for the browser, and the challenge that its answer must hold. */
interface WebAuthnRequest {
  challenge: string;
  webauthn: { type: "create" | "request"; credential_options: { publicKey: object } };
}

const toUrl = (base64: string) => Buffer.from(base64, "base64").toString("base64url");

async function keysOf(db: Queryable, userId: string): Promise<StoredWebAuthnCredential[]> {
  const { rows } = await db.query<{ key: StoredWebAuthnCredential }>(
    `select web_authn_credential as key from auth.mfa_factors
      where user_id = $1 and factor_type = 'webauthn' and web_authn_credential is not null`,
    [userId],
  );
  return rows.map(({ key }) => key);
}

/** The options to make a key for an unverified factor, or to use the key of a verified one. */
export async function webAuthnRequest(
  auth: AuthContext,
  db: Queryable,
  user: User,
  factor: FactorRow,
): Promise<WebAuthnRequest> {
  const key = factor.web_authn_credential;
  if (factor.status === "verified" && key !== null) {
    const { generateAuthenticationOptions } = await webAuthnLibrary();
    const options = await generateAuthenticationOptions({
      rpID: auth.relyingParty.id,
      allowCredentials: [{ id: toUrl(key.id), transports: key.transport }],
      userVerification: "preferred",
    });
    const credential_options = { publicKey: options };
    return { challenge: options.challenge, webauthn: { type: "request", credential_options } };
  }
  const options = await creationOptions(auth, user, {
    excludeCredentials: (await keysOf(db, user.id)).map(({ id, transport }) => ({
      id: toUrl(id),
      transports: transport,
    })),
    // A key that is found without a name would take the place of the account's passkey on the same authenticator.
    authenticatorSelection: { residentKey: "discouraged", userVerification: "preferred" },
  });
  const credential_options = { publicKey: options };
  return { challenge: options.challenge, webauthn: { type: "create", credential_options } };
}

function refused(): AuthError {
  return new AuthError(422, "mfa_verification_failed", "Invalid WebAuthn response");
}

function parse<T>(schema: z.ZodType<T>, answer: WebAuthnAnswer): T {
  const parsed = schema.safeParse(answer.credential_response);
  if (!parsed.success) throw validationFailed("Invalid credential_response");
  return parsed.data;
}

async function acceptNewKey(
  auth: AuthContext,
  db: Queryable,
  { id: factorId }: FactorRow,
  challenge: string,
  answer: WebAuthnAnswer,
): Promise<void> {
  const credential = parse(newCredential, answer);
  const info = await verifyNewCredential(auth, credential, challenge, false);
  if (info === undefined) throw refused();
  const stored: StoredWebAuthnCredential = {
    id: Buffer.from(info.credential.id, "base64url").toString("base64"),
    publicKey: Buffer.from(info.credential.publicKey).toString("base64"),
    attestationType: info.fmt,
    transport: credential.response.transports ?? [],
    flags: {
      userPresent: true,
      userVerified: info.userVerified,
      backupEligible: info.credentialDeviceType === "multiDevice",
      backupState: info.credentialBackedUp,
    },
    authenticator: {
      AAGUID: Buffer.from(info.aaguid.replaceAll("-", ""), "hex").toString("base64"),
      signCount: info.credential.counter,
    },
  };
  await db.query(
    `update auth.mfa_factors set web_authn_credential = $2, web_authn_aaguid = $3, status = 'verified', updated_at = now()
      where id = $1`,
    [factorId, JSON.stringify(stored), info.aaguid],
  );
}

async function acceptKnownKey(
  auth: AuthContext,
  db: Queryable,
  { id: factorId, web_authn_credential: key }: FactorRow,
  challenge: string,
  answer: WebAuthnAnswer,
): Promise<void> {
  const credential = parse(usedCredential, answer);
  if (key === null || credential.id !== toUrl(key.id)) throw refused();
  const { userHandle: _handle, ...response } = credential.response;
  const { verifyAuthenticationResponse } = await webAuthnLibrary();
  const verified = await verifyAuthenticationResponse({
    response: { ...credential, response },
    expectedChallenge: challenge,
    expectedOrigin: auth.relyingParty.origins,
    expectedRPID: auth.relyingParty.id,
    credential: {
      id: toUrl(key.id),
      publicKey: Uint8Array.from(Buffer.from(key.publicKey, "base64")),
      counter: key.authenticator.signCount,
      transports: key.transport,
    },
    requireUserVerification: false,
  }).catch(() => undefined);
  if (verified?.verified !== true) throw refused();
  await db.query(
    `update auth.mfa_factors set updated_at = now(),
       web_authn_credential = jsonb_set(web_authn_credential, '{authenticator,signCount}', to_jsonb($2::bigint))
      where id = $1`,
    [factorId, verified.authenticationInfo.newCounter],
  );
}

/**
 * Accepts the browser's answer to a challenge: it stores the key of an unverified factor, or checks the one that is
 * stored and keeps its count, so that a copied key is noticed.
 * @throws {AuthError} 400 when the answer is malformed, 422 when it is wrong
 */
export async function acceptWebAuthn(
  auth: AuthContext,
  db: Queryable,
  factor: FactorRow,
  challenge: string,
  answer: WebAuthnAnswer | undefined,
): Promise<void> {
  if (answer === undefined) throw validationFailed("WebAuthn config required");
  if (answer.type !== "create" && answer.type !== "request") {
    throw validationFailed("WebAuthn type must be create or request");
  }
  if (answer.credential_response === undefined || answer.credential_response === null) {
    throw validationFailed("credential_response required");
  }
  const isNew = factor.status === "unverified";
  if (isNew !== (answer.type === "create")) throw refused();
  const accept = isNew ? acceptNewKey : acceptKnownKey;
  await accept(auth, db, factor, challenge, answer);
}
