import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Likes or unlikes a submission. Throws the database's error. */
export async function likeSubmission(
  client: BackendClient,
  userId: string,
  submissionId: string,
  liked: boolean,
): Promise<void> {
  const likes = client.from("learning_submission_likes");
  const row = { user_id: userId, submission_id: submissionId };
  const { error } = liked ? await likes.insert(row) : await likes.delete().match(row);
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
