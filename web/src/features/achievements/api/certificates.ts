import type { BackendClient } from "@/lib/backend-client.ts";
import { callFunction } from "@/lib/call-function.ts";
import {
  certificateSchema,
  verifiedSchema,
  type Certificate,
  type VerifiedCertificate,
} from "../model/certificate.ts";

/** One's own certificate, or null. Throws the database's error. */
export async function fetchCertificate(
  client: BackendClient,
  id: string,
): Promise<Certificate | null> {
  const { data, error } = await client.rpc("my_certificate", { certificate_id: id });
  if (error) throw error;
  return certificateSchema.parse(data);
}

/** What the certificate with a code says, or null. Throws when there is no answer, or too many were asked for. */
export async function verifyCertificate(
  client: BackendClient,
  code: string,
): Promise<VerifiedCertificate | null> {
  const { status, body } = await callFunction(client, "verify-certificate", { code });
  if (status === 400) return null;
  if (status !== 200) throw new Error(`verify-certificate answered ${status}`);
  return verifiedSchema.parse(body["certificate"]);
}

/** Revokes a certificate. Administrators only. Throws the database's error. */
export async function revokeCertificate(
  client: BackendClient,
  code: string,
  reason: string,
): Promise<void> {
  const { error } = await client.rpc("revoke_certificate", { code, reason });
  if (error) throw error;
}
