import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import type { SubmissionType } from "../model/submission-type.ts";

export interface NewSubmission {
  /** Made by the sender, so that sending it again after a lost answer makes no second one. */
  readonly id: string;
  readonly type: SubmissionType;
  readonly title: string;
  readonly content: string;
  readonly imageUrl: string | null;
}

/** Shares a submission. Throws the database's error. */
export async function insertSubmission(
  client: BackendClient,
  userId: string,
  { id, type, title, content, imageUrl }: NewSubmission,
): Promise<void> {
  const { error } = await client.from("learning_submissions").insert({
    id,
    user_id: userId,
    submission_type: type,
    title: title.trim(),
    content: content.trim(),
    image_url: imageUrl,
  });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
