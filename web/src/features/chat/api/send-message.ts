import { mentionedIds } from "@/features/mentions/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import type { MessageRow, Outgoing } from "../model/message.ts";
import { uploadMessagePicture } from "./message-pictures.ts";
import { messageColumns, rowFromColumns } from "./message-row.ts";

const columns = `id, user_id, content, parent_message_id, like_count, created_at, edited_at, deleted_at, changed_at,
  picture, picture_width, picture_height, picture_alt`;
/** Timeout of an attempt. The same id can be sent again. */
export const sendTimeoutMs = 15_000;

/** Uploads the picture of a message and answers with the columns that attach it. */
async function pictureColumns(client: BackendClient, message: Outgoing) {
  const { picture } = message;
  if (!picture) return {};
  return {
    picture: await uploadMessagePicture(client, message, picture),
    picture_width: picture.width,
    picture_height: picture.height,
    picture_alt: picture.alt,
  };
}

/**
 * Stores a message, after its picture, and answers with its row. A message of this id that is there already was
 * stored by an earlier attempt, and is answered alike. The members it names are told with it. Throws the database's error.
 */
export async function sendMessage(client: BackendClient, message: Outgoing): Promise<MessageRow> {
  const attached = await pictureColumns(client, message);
  const mentioned = mentionedIds(message.content, message.mentions ?? []);
  const { data, error } = await client
    .from("chat_messages")
    .insert({
      id: message.id,
      user_id: message.author.id,
      chat_room_id: message.roomId,
      content: message.content,
      message_type: message.quote ? "reply" : "message",
      parent_message_id: message.quote?.id ?? null,
      ...(mentioned.length > 0 ? { mentioned: [...mentioned] } : {}),
      ...attached,
    })
    .select(columns)
    .abortSignal(AbortSignal.timeout(sendTimeoutMs))
    .single();
  if (!error) return rowFromColumns(messageColumns.parse(data));
  if (error.code !== uniqueViolation) throw error;
  const stored = await client.from("chat_messages").select(columns).eq("id", message.id).single();
  if (stored.error) throw stored.error;
  return rowFromColumns(messageColumns.parse(stored.data));
}
