import type { BackendClient } from "@/lib/backend-client.ts";
import { uniqueViolation } from "@/lib/error-codes.ts";
import type { MessageRow, Outgoing } from "../model/message.ts";
import { messageColumns, rowFromColumns } from "./message-row.ts";

const columns =
  "id, user_id, content, parent_message_id, like_count, created_at, edited_at, deleted_at, changed_at";
/** Timeout of an attempt. The same id can be sent again. */
export const sendTimeoutMs = 15_000;

/** Tells those whom the message names. Repeating it tells nobody twice. */
async function tellMentioned(client: BackendClient, message: Outgoing): Promise<void> {
  const members = (message.mentions ?? []).map(({ id }) => id);
  if (members.length === 0) return;
  const { error } = await client
    .rpc("mention_members", { message: message.id, members })
    .abortSignal(AbortSignal.timeout(sendTimeoutMs));
  if (error) throw error;
}

/**
 * Stores a message and answers with its row. A message of this id that is there already was
 * stored by an earlier attempt, and is answered alike. Then tells the members it names. Throws the database's error.
 */
export async function sendMessage(client: BackendClient, message: Outgoing): Promise<MessageRow> {
  const { data, error } = await client
    .from("chat_messages")
    .insert({
      id: message.id,
      user_id: message.author.id,
      chat_room_id: message.roomId,
      content: message.content,
      message_type: message.quote ? "reply" : "message",
      parent_message_id: message.quote?.id ?? null,
    })
    .select(columns)
    .abortSignal(AbortSignal.timeout(sendTimeoutMs))
    .single();
  if (!error) {
    await tellMentioned(client, message);
    return rowFromColumns(messageColumns.parse(data));
  }
  if (error.code !== uniqueViolation) throw error;
  const stored = await client.from("chat_messages").select(columns).eq("id", message.id).single();
  if (stored.error) throw stored.error;
  await tellMentioned(client, message);
  return rowFromColumns(messageColumns.parse(stored.data));
}
