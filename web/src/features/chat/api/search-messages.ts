import type { BackendClient } from "@/lib/backend-client.ts";
import { searchText } from "@/lib/search-text.ts";
import { splitMarked, type MarkedPart } from "../model/marked-text.ts";
import type { MessageAuthor, MessageCursor } from "../model/message.ts";
import { authorFrom } from "./message-row.ts";

/** Results on a page of a search. */
export const searchPageSize = 20;

/** A message that was found. */
export interface FoundMessage extends MessageCursor {
  readonly roomId: string;
  readonly roomName: string;
  readonly author: Pick<MessageAuthor, "id" | "name" | "avatarUrl">;
  readonly excerpt: readonly MarkedPart[];
}

/**
 * Reads a page of the messages with all the words, newest first: of one room, or of all the member may
 * read. Throws the database's error.
 */
export async function searchMessages(
  client: BackendClient,
  search: {
    readonly query: string;
    /** Null for all rooms. */
    readonly roomId: string | null;
    readonly before: MessageCursor | null;
  },
): Promise<readonly FoundMessage[]> {
  const { query, roomId, before } = search;
  const { data, error } = await client.rpc("search_messages", {
    query: searchText(query),
    ...(roomId === null ? {} : { room_id: roomId }),
    ...(before && { before_created_at: before.createdAtRaw, before_id: before.id }),
    page_size: searchPageSize,
  });
  if (error) throw error;
  return data.map((row) => ({
    id: row.message_id,
    createdAtRaw: row.created_at,
    roomId: row.chat_room_id,
    roomName: row.room_name,
    author: authorFrom(row.user_id, {
      first_name: row.author_first_name,
      last_name: row.author_last_name,
      avatar_url: row.author_avatar_url,
    }),
    excerpt: splitMarked(row.excerpt),
  }));
}
