import { createECDH } from "node:crypto";
import type { Keys } from "basehost";

/** The key pair by which push services know this product (VAPID). */
export interface PushKeys {
  /** Point of the curve P-256, 65 bytes in base64url. */
  publicKey: string;
  /** 32 bytes in base64url. */
  privateKey: string;
}

/** The public key of a private one. Throws when it is no key of the curve. */
export function publicKeyOf(privateKey: string): string {
  const pair = createECDH("prime256v1");
  pair.setPrivateKey(Buffer.from(privateKey, "base64url"));
  return pair.getPublicKey("base64url");
}

/**
 * The pair of an install that sets none: it follows from the install's secret, as the API keys do, so that it is the same
 * after a restart, on every host and in a restored backup.
 */
export function derivedPushKeys(keys: Pick<Keys, "derive">): PushKeys {
  // One of four billion numbers is no key of the curve.
  for (let attempt = 0; ; attempt += 1) {
    const privateKey = keys.derive("vapid", `${attempt}`);
    try {
      return { privateKey, publicKey: publicKeyOf(privateKey) };
    } catch (error) {
      if (attempt > 9) throw error;
    }
  }
}
