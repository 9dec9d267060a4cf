// Signs JWTs, and finds the one key that a JWT may be verified with.

import { createHmac, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { isEqualConstantTime } from "./constant-time.ts";
import type { SigningAlgorithm, SigningKeys } from "./signing-keys.ts";

/** The algorithm of the JWT secret. */
const secretAlgorithm = "HS256";
/** Headers of genuine tokens have three short fields. */
const maxHeaderLength = 1024;

/** The key that a token may be verified with, and the only algorithm that it allows. */
export interface VerificationKey {
  key: KeyObject | Uint8Array;
  algorithm: SigningAlgorithm | typeof secretAlgorithm;
}

interface TokenHeader {
  alg?: unknown;
  kid?: unknown;
}

function headerOf(token: string): TokenHeader | undefined {
  const end = token.indexOf(".");
  if (end > maxHeaderLength) return undefined;
  try {
    const header: unknown = JSON.parse(Buffer.from(token.slice(0, end), "base64url").toString());
    return typeof header === "object" && header !== null ? header : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a secret made the signature; rejects forged tokens for a fraction of the cost of a full check. */
function isSignedWith(secret: Uint8Array, token: string): boolean {
  const end = token.lastIndexOf(".");
  const signature = Buffer.from(token.slice(end + 1), "base64url");
  const expected = createHmac("sha256", secret).update(token.slice(0, end)).digest();
  return isEqualConstantTime(signature, expected);
}

/** The first of `secrets` that signed a token with HS256, as a key for the full check. */
export function secretOf(
  token: string,
  secrets: readonly Uint8Array[],
): VerificationKey | undefined {
  const key = secrets.find((secret) => isSignedWith(secret, token));
  return key && { key, algorithm: secretAlgorithm };
}

/** Signs claims with a secret; the caller sets `exp` (epoch seconds). */
export async function signWithSecret(
  claims: Record<string, unknown>,
  secret: Uint8Array,
): Promise<string> {
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: secretAlgorithm, typ: "JWT" })
    .sign(secret);
}

/** Signs and verifies the access tokens of an install. */
export class JwtSignatures {
  readonly #secrets: readonly [Uint8Array, ...Uint8Array[]];
  readonly #signingKeys: SigningKeys;

  /** @param secrets the JWT secret, then those that are accepted besides */
  constructor(secrets: readonly [Uint8Array, ...Uint8Array[]], signingKeys: SigningKeys) {
    this.#secrets = secrets;
    this.#signingKeys = signingKeys;
  }

  /** Signs with the signing key in use, or with the JWT secret where there is none. */
  async sign(claims: Record<string, unknown>): Promise<string> {
    const { signer } = this.#signingKeys;
    if (signer === undefined) return await signWithSecret(claims, this.#secrets[0]);
    return await new SignJWT(claims)
      .setProtectedHeader({ alg: signer.alg, kid: signer.kid, typ: "JWT" })
      .sign(signer.privateKey);
  }

  /**
   * The key a token may be verified with. The kind of key follows from the install's own keys and never from the token
   * alone: a token with a `kid` needs the key of that name and its algorithm, one without needs HS256 and a secret.
   * @returns undefined when there is none
   */
  keyOf(token: string): VerificationKey | undefined {
    const header = headerOf(token);
    if (header === undefined) return undefined;
    if (header.kid === undefined) {
      return header.alg === secretAlgorithm ? secretOf(token, this.#secrets) : undefined;
    }
    if (typeof header.kid !== "string") return undefined;
    const known = this.#signingKeys.keys.get(header.kid);
    if (known === undefined || header.alg !== known.alg) return undefined;
    return { key: known.publicKey, algorithm: known.alg };
  }
}
