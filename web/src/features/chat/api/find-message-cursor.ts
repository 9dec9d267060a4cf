import type { BackendClient } from "@/lib/backend-client.ts";
import { isUuid } from "@/lib/uuid.ts";
import type { MessageCursor } from "../model/message.ts";

/**
 * Finds the position of a message in the history; null when the room has no such message. Throws
 * the database's error.
 */
export async function findMessageCursor(
  client: BackendClient,
  roomId: string,
  messageId: string,
): Promise<MessageCursor | null> {
  if (!isUuid(messageId)) return null;
  const { data, error } = await client
    .from("chat_messages")
    .select("id, created_at")
    .eq("chat_room_id", roomId)
    .eq("id", messageId)
    .maybeSingle();
  if (error) throw error;
  return data ? { id: data.id, createdAtRaw: data.created_at } : null;
}
