import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Adds a comment, and tells the members it names. The id is generated in the browser, so that a retry stores it once. */
export async function insertComment(
  client: BackendClient,
  userId: string,
  submissionId: string,
  comment: {
    readonly id: string;
    readonly content: string;
    /** Ids of the members whom the text names. */
    readonly mentioned: readonly string[];
  },
): Promise<void> {
  const { error } = await client.from("learning_submission_comments").insert({
    id: comment.id,
    user_id: userId,
    submission_id: submissionId,
    content: comment.content,
    ...(comment.mentioned.length > 0 ? { mentioned: [...comment.mentioned] } : {}),
  });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
