import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import { toComment, type Comment } from "../model/comment.ts";

const row = z.object({ id: z.string(), comments: z.array(z.unknown()) });

/** The first comment of each of these submissions that has one, by the submission's id. Throws the database's error. */
export async function fetchFirstComments(
  client: BackendClient,
  submissionIds: readonly string[],
): Promise<ReadonlyMap<string, Comment>> {
  const { data, error } = await client
    .from("learning_submissions")
    .select(
      "id, comments:learning_submission_comments(id, user_id, content, created_at, author:profiles!learning_submission_comments_user_id_fkey(id, first_name, last_name, role, occupation, avatar_url))",
    )
    .in("id", submissionIds)
    .order("created_at", { referencedTable: "comments" })
    .order("id", { referencedTable: "comments" })
    .limit(1, { referencedTable: "comments" });
  if (error) throw error;
  const found = new Map<string, Comment>();
  for (const value of data) {
    const parsed = row.safeParse(value);
    const comment = parsed.success ? toComment(parsed.data.comments[0]) : null;
    if (parsed.success && comment !== null) found.set(parsed.data.id, comment);
  }
  return found;
}
