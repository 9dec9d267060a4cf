// Time-based one-time passwords (RFC 6238) and the encryption of their secrets at rest.

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { DerivedKeys } from "../../data-keys.ts";

const stepSeconds = 30;
const secretBytes = 20;
const nonceBytes = 12;
const tagBytes = 16;
/** Version prefix of encrypted secrets, so that later formats can be distinguished. */
const format = "v1.";

/** A new secret in base32, the format of authenticator apps. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth://` URI of the QR code. */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ secret, issuer, label: account, period: stepSeconds }).toString();
}

/**
 * The time step a code is valid for, with one step of clock drift in either direction.
 * @param nowMs epoch milliseconds.
 * @returns undefined when the code is wrong.
 */
export function matchTimeStep(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret, period: stepSeconds });
  const drift = totp.validate({ token: code.trim(), timestamp: nowMs, window: 1 });
  return drift === null ? undefined : Math.floor(nowMs / 1000 / stepSeconds) + drift;
}

/** Each factor has its own key, so that an encrypted secret is useless in another row. */
const purpose = "totp secret";

/** Encrypts a secret for storage in the row of its factor. */
export function encryptSecret(
  keys: Pick<DerivedKeys, "derive">,
  factorId: string,
  secret: string,
): string {
  const nonce = randomBytes(nonceBytes);
  const key = Buffer.from(keys.derive(purpose, factorId), "base64url");
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const encrypted = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final()]);
  return format + Buffer.concat([encrypted, cipher.getAuthTag()]).toString("base64url");
}

function decryptWith(key: string, encrypted: string): string {
  const bytes = Buffer.from(encrypted.slice(format.length), "base64url");
  const decipher = createDecipheriv(
    "aes-256-gcm",
    Buffer.from(key, "base64url"),
    bytes.subarray(0, nonceBytes),
    { authTagLength: tagBytes },
  );
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([secret, decipher.final()]).toString("utf8");
}

/** Whether a stored secret opens with the key that was derived for its factor. */
export function isEncryptedWith(key: string, encrypted: string): boolean {
  try {
    return encrypted.startsWith(format) && decryptWith(key, encrypted) !== "";
  } catch {
    return false;
  }
}

/** @throws {Error} when the value was modified, or encrypted with a data key that is not known any more. */
export function decryptSecret(
  keys: Pick<DerivedKeys, "deriveAll">,
  factorId: string,
  encrypted: string,
): string {
  if (!encrypted.startsWith(format))
    throw new Error("the secret of a factor has an unknown format");
  const [current = "", ...others] = keys.deriveAll(purpose, factorId);
  const key = others.find((other) => isEncryptedWith(other, encrypted)) ?? current;
  return decryptWith(key, encrypted);
}
