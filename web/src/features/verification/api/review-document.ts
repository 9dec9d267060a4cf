import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

export type Verdict =
  { readonly kind: "approved" } | { readonly kind: "rejected"; readonly reason: string };

/** Decides about a waiting document. Administrators only. Throws the database's error. */
export async function reviewDocument(
  client: BackendClient,
  verificationId: string,
  verdict: Verdict,
): Promise<void> {
  await callProcedure(client, "review_verification", {
    verification_id: verificationId,
    verdict: verdict.kind,
    reason: verdict.kind === "rejected" ? verdict.reason : null,
  });
}
