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
  /** Ids of the members whom the text names. */
  readonly mentioned: readonly string[];
}

/** Shares a submission, and tells the members it names. Throws the database's error. */
export async function insertSubmission(
  client: BackendClient,
  userId: string,
  { id, type, title, content, imageUrl, mentioned }: NewSubmission,
): Promise<void> {
  const { error } = await client.from("learning_submissions").insert({
    id,
    user_id: userId,
    submission_type: type,
    title: title.trim(),
    content: content.trim(),
    image_url: imageUrl,
    ...(mentioned.length > 0 ? { mentioned: [...mentioned] } : {}),
  });
  if (error && toAppError(error).code !== uniqueViolation) throw error;
}
