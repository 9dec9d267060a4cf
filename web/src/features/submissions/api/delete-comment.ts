import type { BackendClient } from "@/lib/backend-client.ts";
import { callProcedure } from "@/lib/call-procedure.ts";

/** Takes back a comment: one's own, or any as an administrator. Throws the database's error. */
export async function deleteComment(client: BackendClient, commentId: string): Promise<void> {
  await callProcedure(client, "delete_comment", { comment_id: commentId });
}
