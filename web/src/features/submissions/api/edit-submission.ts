import type { BackendClient } from "@/lib/backend-client.ts";
import type { SubmissionEdit } from "../model/draft.ts";

/** Changes title and text of the member's own submission. Throws the database's error. */
export async function editSubmission(
  client: BackendClient,
  submissionId: string,
  { title, content }: SubmissionEdit,
): Promise<void> {
  const { error } = await client.rpc("edit_submission", {
    submission_id: submissionId,
    title,
    content,
  });
  if (error) throw error;
}
