import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Sets or takes the featured mark. Administrators only. Throws the database's error. */
export async function featureSubmission(
  client: BackendClient,
  submissionId: string,
  featured: boolean,
): Promise<void> {
  await callProcedure(client, "feature_submission", { submission_id: submissionId, featured });
}
