import type { BackendClient } from "@/lib/backend-client.ts";

/** Replaces the text of the member's own message. Throws the database's error. */
export async function editMessage(
  client: BackendClient,
  messageId: string,
  content: string,
): Promise<void> {
  const { error } = await client.rpc("edit_message", {
    message_id: messageId,
    new_content: content,
  });
  if (error) throw error;
}
