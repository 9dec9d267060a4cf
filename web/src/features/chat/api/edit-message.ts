import type { BackendClient } from "@/lib/backend-client.ts";

/** Replaces the text of the member's own message, and tells the members it names. Throws the database's error. */
export async function editMessage(
  client: BackendClient,
  messageId: string,
  content: string,
  mentioned: readonly string[] = [],
): Promise<void> {
  const { error } = await client.rpc("edit_message", {
    message_id: messageId,
    new_content: content,
    ...(mentioned.length > 0 ? { mentioned: [...mentioned] } : {}),
  });
  if (error) throw error;
}
