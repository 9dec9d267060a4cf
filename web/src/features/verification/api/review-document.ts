import type { BackendClient } from "@/lib/backend-client.ts";

export type ReviewDecision =
  { readonly kind: "approved" } | { readonly kind: "rejected"; readonly reason: string };

/** Which version of the document the reviewer saw. */
export interface ReviewedDocument {
  readonly version: string | null;
  /** Of the bytes on the screen, in hex; null when nothing was shown. */
  readonly sha256: string | null;
}

/** Decides about a waiting document. Administrators only. Throws the database's error. */
export async function reviewDocument(
  client: BackendClient,
  verificationId: string,
  decision: ReviewDecision,
  seen: ReviewedDocument,
): Promise<void> {
  const { error } = await client.rpc("review_verification", {
    verification_id: verificationId,
    decision: decision.kind,
    ...(decision.kind === "rejected" && { reason: decision.reason }),
    ...(seen.version !== null && { document_version: seen.version }),
    ...(seen.sha256 !== null && { document_sha256: seen.sha256 }),
  });
  if (error) throw error;
}
