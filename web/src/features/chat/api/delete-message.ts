import type { BackendClient } from "@/lib/backend-client.ts";

/** Deletes a message for everyone. Throws the database's error. */
export async function deleteMessage(
  client: BackendClient,
  messageId: string,
  /** Why an administrator takes it away, for its author; null for one's own. */
  explanation: string | null,
): Promise<void> {
  const { error } = await client.rpc("delete_message", {
    message_id: messageId,
    ...(explanation === null ? {} : { explanation }),
  });
  if (error) throw error;
}
