import type { BackendClient } from "@/lib/backend-client.ts";

/** Deletes a comment: the member's own, or any as an administrator. Throws the database's error. */
export async function deleteComment(client: BackendClient, commentId: string): Promise<void> {
  const { error } = await client.rpc("delete_comment", { comment_id: commentId });
  if (error) throw error;
}
