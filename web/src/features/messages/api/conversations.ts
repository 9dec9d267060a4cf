import type { BackendClient } from "@/lib/backend-client.ts";
import {
  conversationFrom,
  linesFrom,
  type ConversationLine,
  type DirectConversation,
} from "../model/conversation.ts";

/** How many conversations one request brings. */
export const conversationPageSize = 30;

/** The conversation with a member, by the id of either; null without such a member. Throws the database's error. */
export async function fetchConversation(
  client: BackendClient,
  id: string,
): Promise<DirectConversation | null> {
  const { data, error } = await client.rpc("direct_conversation", { id });
  if (error) throw error;
  return conversationFrom(data);
}

/** The member's conversations after one of them, newest first. Throws the database's error. */
export async function fetchConversations(
  client: BackendClient,
  after: ConversationLine | null,
): Promise<readonly ConversationLine[]> {
  const { data, error } = await client.rpc("my_conversations", {
    ...(after && { before_at: after.lastMessageAtRaw, before_id: after.id }),
    page_size: conversationPageSize,
  });
  if (error) throw error;
  return linesFrom(data);
}

/** In how many conversations something is unread, at most 99. Throws the database's error. */
export async function countUnreadConversations(client: BackendClient): Promise<number> {
  const { data, error } = await client.rpc("unread_conversations");
  if (error) throw error;
  return data;
}
