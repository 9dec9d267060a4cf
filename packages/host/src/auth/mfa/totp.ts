import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Keys } from "../../keys.ts";

const stepSeconds = 30;
const secretBytes = 20;
const nonceBytes = 12;
const tagBytes = 16;
/** Marks how a secret is encrypted, so that a later way can be told apart. */
const format = "v1.";

/** A new secret in base32, as authenticator apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: secretBytes }).base32;
}

/** The `otpauth://` address that a QR code carries. */
export function totpUri(secret: string, issuer: string, account: string): string {
  return new TOTP({ secret, issuer, label: account, period: stepSeconds }).toString();
}

/**
 * The time step a code belongs to, one step of clock drift allowed either way.
 * @param nowMs epoch milliseconds.
 * @returns undefined when the code is wrong.
 */
export function stepOfCode(secret: string, code: string, nowMs: number): number | undefined {
  const totp = new TOTP({ secret, period: stepSeconds });
  const drift = totp.validate({ token: code.trim(), timestamp: nowMs, window: 1 });
  return drift === null ? undefined : Math.floor(nowMs / 1000 / stepSeconds) + drift;
}

/** One key for each factor, so that a stored secret is worth nothing in the row of another. */
function keyOf(keys: Pick<Keys, "derive">, factorId: string): Buffer {
  return Buffer.from(keys.derive("totp secret", factorId), "base64url");
}

/** Encrypts a secret for its row in the database. */
export function sealSecret(keys: Pick<Keys, "derive">, factorId: string, secret: string): string {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", keyOf(keys, factorId), nonce);
  const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final()]);
  return format + Buffer.concat([sealed, cipher.getAuthTag()]).toString("base64url");
}

/** @throws {Error} when the row was changed, or sealed under another install secret. */
export function openSecret(keys: Pick<Keys, "derive">, factorId: string, sealed: string): string {
  if (!sealed.startsWith(format)) throw new Error("the secret of a factor has an unknown format");
  const bytes = Buffer.from(sealed.slice(format.length), "base64url");
  const decipher = createDecipheriv(
    "aes-256-gcm",
    keyOf(keys, factorId),
    bytes.subarray(0, nonceBytes),
    { authTagLength: tagBytes },
  );
  decipher.setAuthTag(bytes.subarray(-tagBytes));
  const secret = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([secret, decipher.final()]).toString("utf8");
}
