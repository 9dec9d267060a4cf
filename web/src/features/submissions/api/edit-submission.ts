import type { BackendClient } from "@/lib/backend-client.ts";
import type { SubmissionEdit } from "../model/draft.ts";

/** Changes title and text of the member's own submission, and tells the members it names. Throws the database's error. */
export async function editSubmission(
  client: BackendClient,
  submissionId: string,
  { title, content }: SubmissionEdit,
  mentioned: readonly string[],
): Promise<void> {
  const { error } = await client.rpc("edit_submission", {
    submission_id: submissionId,
    title,
    content,
    ...(mentioned.length > 0 ? { mentioned: [...mentioned] } : {}),
  });
  if (error) throw error;
}
