import { createHmac } from "node:crypto";

/**
 * The `Stripe-Signature` header for a payload: time in epoch seconds and an HMAC-SHA256 over
 * `time.payload`, keyed with the endpoint's whole `whsec_…` secret.
 */
export function signatureHeader(payload: string, secret: string, time: number): string {
  const digest = createHmac("sha256", secret).update(`${time}.${payload}`).digest("hex");
  return `t=${time},v1=${digest}`;
}
