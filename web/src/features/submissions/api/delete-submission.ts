import type { BackendClient } from "@/lib/backend-client.ts";

/** Deletes a submission: the member's own, or any as an administrator. Throws the database's error. */
export async function deleteSubmission(
  client: BackendClient,
  submissionId: string,
  /** Why an administrator takes it away, for its author; null for one's own. */
  explanation: string | null,
): Promise<void> {
  const { error } = await client.rpc("delete_submission", {
    submission_id: submissionId,
    ...(explanation === null ? {} : { explanation }),
  });
  if (error) throw error;
}
