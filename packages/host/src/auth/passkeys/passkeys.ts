// Reads, stores and deletes rows of `auth.webauthn_credentials`.

import type { WebAuthnCredential } from "@simplewebauthn/server";
import { z } from "zod";
import type { Queryable } from "../../postgres/database.ts";
import { AuthError } from "../auth-error.ts";

/** COSE algorithms that are accepted: EdDSA, ES256 and RS256. */
export const passkeyAlgorithms = [-8, -7, -257];

/** Most passkeys of one account. */
export const maxPasskeys = 10;

/** A passkey as stored. */
export interface StoredPasskey {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  /** A bigint, which the driver gives as text. */
  sign_count: string;
  transports: string[];
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

/** A passkey as the API returns it. */
export function passkeyJson(passkey: StoredPasskey): Record<string, unknown> {
  return {
    id: passkey.id,
    ...(passkey.friendly_name !== "" && { friendly_name: passkey.friendly_name }),
    created_at: passkey.created_at,
    ...(passkey.last_used_at !== null && { last_used_at: passkey.last_used_at }),
  };
}

/** The passkeys of an account, the oldest first. */
export async function listPasskeys(db: Queryable, userId: string): Promise<StoredPasskey[]> {
  const { rows } = await db.query<StoredPasskey>(
    "select * from auth.webauthn_credentials where user_id = $1 order by created_at, id",
    [userId],
  );
  return rows;
}

/** Finds a passkey by the id its authenticator gave it, and locks it until the transaction ends. */
export async function lockPasskey(
  db: Queryable,
  credentialId: string,
): Promise<StoredPasskey | undefined> {
  const { rows } = await db.query<StoredPasskey>(
    "select * from auth.webauthn_credentials where credential_id = $1 for update",
    [Buffer.from(credentialId, "base64url")],
  );
  return rows[0];
}

/** The form in which `@simplewebauthn/server` takes a passkey. */
export function asCredential(passkey: StoredPasskey): WebAuthnCredential {
  return {
    id: passkey.credential_id.toString("base64url"),
    publicKey: Uint8Array.from(passkey.public_key),
    counter: Number(passkey.sign_count),
    transports: passkey.transports,
  };
}

/** 404 for a passkey that doesn't exist or belongs to another account. */
export function passkeyNotFound(): AuthError {
  return new AuthError(404, "validation_failed", "Passkey not found");
}

/** 400 for an authenticator's response that fails verification. */
export function passkeyRefused(): AuthError {
  return new AuthError(400, "webauthn_verification_failed", "Credential verification failed");
}

const base64url = z
  .string()
  .min(1)
  .max(16_384)
  .regex(/^[\w-]+$/);
const common = {
  id: base64url,
  rawId: base64url,
  type: z.literal("public-key"),
};
// What an authenticator adds on its own is not read.
const extensions = z.unknown().transform(() => ({}));

/** What an authenticator answers when it has made a key. */
export const newCredential = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(32)).max(10).nullish().catch([]),
  }),
  clientExtensionResults: extensions,
});

/** What an authenticator answers when it has used a key. */
export const usedCredential = z.object({
  ...common,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
  clientExtensionResults: extensions,
});

/** What a client sends after making a passkey. */
export const newPasskeyBody = z.object({ challenge_id: z.string(), credential: newCredential });

/** What a client sends after asking a passkey. */
export const usedPasskeyBody = z.object({ challenge_id: z.string(), credential: usedCredential });
