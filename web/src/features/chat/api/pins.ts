import type { BackendClient } from "@/lib/backend-client.ts";
import { authorFrom } from "./message-row.ts";

/** A message at the top of its room. */
export interface Pin {
  readonly messageId: string;
  readonly authorId: string;
  readonly author: string;
  /** The beginning of the text. */
  readonly content: string;
}

/** Reads the pinned messages of a room, newest pin first. Throws the database's error. */
export async function fetchPins(client: BackendClient, roomId: string): Promise<readonly Pin[]> {
  const { data, error } = await client.rpc("room_pins", { room_id: roomId });
  if (error) throw error;
  return data.map((row) => ({
    messageId: row.message_id,
    authorId: row.user_id,
    author: authorFrom(row.user_id, {
      first_name: row.author_first_name,
      last_name: row.author_last_name,
    }).name,
    content: row.content,
  }));
}

/** Pins a message to its room or takes it down. Administrators only. Throws the database's error. */
export async function setPinned(
  client: BackendClient,
  messageId: string,
  pinned: boolean,
): Promise<void> {
  const { error } = await client.rpc(pinned ? "pin_message" : "unpin_message", {
    message_id: messageId,
  });
  if (error) throw error;
}
