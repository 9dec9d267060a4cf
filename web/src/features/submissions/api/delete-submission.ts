import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Takes back a submission: one's own, or any as an administrator. Throws the database's error. */
export async function deleteSubmission(client: BackendClient, submissionId: string): Promise<void> {
  await callProcedure(client, "delete_submission", { submission_id: submissionId });
}
