import type { BackendClient } from "@/lib/backend-client.ts";

/** Deletes a message for everyone. Throws the database's error. */
export async function deleteMessage(client: BackendClient, messageId: string): Promise<void> {
  const { error } = await client.rpc("delete_message", { message_id: messageId });
  if (error) throw error;
}
