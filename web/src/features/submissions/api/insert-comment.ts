import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Adds a comment. The id is generated in the browser, so that a retry stores it once. */
export async function insertComment(
  client: BackendClient,
  userId: string,
  submissionId: string,
  comment: { readonly id: string; readonly content: string },
): Promise<void> {
  const { error } = await client.from("learning_submission_comments").insert({
    id: comment.id,
    user_id: userId,
    submission_id: submissionId,
    content: comment.content,
  });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
