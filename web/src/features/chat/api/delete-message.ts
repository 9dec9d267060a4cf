import type { BackendClient } from "@/lib/backend-client.ts";

/** Takes the words of one's own message away for everybody. Throws the database's error. */
export async function deleteMessage(client: BackendClient, messageId: string): Promise<void> {
  const { error } = await client.rpc("delete_message", { message_id: messageId });
  if (error) throw error;
}
