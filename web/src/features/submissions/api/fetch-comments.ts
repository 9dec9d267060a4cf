import type { BackendClient } from "@/lib/backend-client.ts";
import { commentPageSize, toComment, type Comment } from "../model/comment.ts";
import { olderThan, type Cursor } from "../model/feed.ts";

/** Reads a page of comments, newest first. Throws the database's error. */
export async function fetchComments(
  client: BackendClient,
  submissionId: string,
  after: Cursor | null,
): Promise<Comment[]> {
  let query = client
    .from("learning_submission_comments")
    .select(
      "id, user_id, content, created_at, author:profiles!learning_submission_comments_user_id_fkey(id, first_name, last_name, role, occupation, avatar_url)",
    )
    .eq("submission_id", submissionId)
    .order("created_at", { ascending: false })
    .order("id", { ascending: false })
    .limit(commentPageSize);
  if (after !== null) query = query.or(olderThan(after));
  const { data, error } = await query;
  if (error) throw error;
  return data.map(toComment).filter((each) => each !== null);
}
