import type { BackendClient } from "@/lib/backend-client.ts";
import { feedPageSize, olderThan, type Cursor } from "../model/feed.ts";
import { toSubmission, type Submission } from "../model/submission.ts";
import type { SubmissionType } from "../model/submission-type.ts";

/** The row with its author. Members can read only their own likes, so there is one or none. */
export const submissionColumns =
  "id, user_id, submission_type, title, content, image_url, is_featured, like_count, comment_count, created_at, edited_at, author:profiles!learning_submissions_user_id_fkey(id, first_name, last_name, role, occupation, avatar_url), likes:learning_submission_likes(user_id)";

/** Reads a page of the feed, newest first. Throws the database's error. */
export async function fetchSubmissions(
  client: BackendClient,
  type: SubmissionType | null,
  after: Cursor | null,
): Promise<Submission[]> {
  let query = client
    .from("learning_submissions")
    .select(submissionColumns)
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(feedPageSize);
  if (type !== null) query = query.eq("submission_type", type);
  if (after !== null) query = query.or(olderThan(after));
  const { data, error } = await query;
  if (error) throw error;
  return data.map(toSubmission).filter((each) => each !== null);
}
