import type { BackendClient } from "@/lib/backend-client.ts";

/** Deletes a comment: the member's own, or any as an administrator. Throws the database's error. */
export async function deleteComment(
  client: BackendClient,
  commentId: string,
  /** Why an administrator takes it away, for its author; null for one's own. */
  explanation: string | null,
): Promise<void> {
  const { error } = await client.rpc("delete_comment", {
    comment_id: commentId,
    ...(explanation === null ? {} : { explanation }),
  });
  if (error) throw error;
}
