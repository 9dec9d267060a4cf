import * as z from "zod/mini";
import {
  directColumns,
  rowFromDirectColumns,
  type ConversationSource,
  type MessageAuthor,
  type MessageCursor,
  type MessageRow,
  type MessageWatcher,
} from "@/features/chat/index.ts";
import type { BackendClient } from "@/lib/backend-client.ts";
import { isUuid } from "@/lib/uuid.ts";
import { watchRows } from "@/lib/watch-rows.ts";
import { unnamedMember } from "@/domain/unnamed-member.ts";
import type { DirectConversation } from "../model/conversation.ts";
import { fetchConversation } from "./conversations.ts";

const pageSize = 50;
/** With more changes than this, the conversation is opened again instead. */
const maxChanges = 500;
/** Changes are stamped before they are committed, so reading them starts this much earlier. */
const overlapMs = 15_000;

const columns =
  `id, conversation_id, user_id, content, parent_message_id, created_at, edited_at, deleted_at, changed_at,
  parent:parent_message_id(content, user_id)` as const;
const rowsSchema = z.array(
  z.extend(directColumns, {
    parent: z.nullish(z.object({ content: z.string(), user_id: z.string() })),
  }),
);

/**
 * The requests of a conversation with a member. It may begin with the first message: until then there is nothing to read,
 * and the conversation is looked for again with each request.
 * @param onRead called after the read position was saved
 * @param onBegun called when the conversation has got its first message
 */
export function directSource(
  client: BackendClient,
  { id, member, lastReadAt }: DirectConversation,
  self: MessageAuthor,
  onRead: () => void,
  onBegun: () => void,
): ConversationSource {
  let conversationId = id;
  const authors = new Map([self, member].map((each) => [each.id, each]));

  async function knownId(): Promise<string | null> {
    if (conversationId !== null) return conversationId;
    conversationId = (await fetchConversation(client, member.id))?.id ?? null;
    if (conversationId !== null) onBegun();
    return conversationId;
  }

  function rowsFrom(answer: unknown): MessageRow[] {
    return rowsSchema.parse(answer).map((row) => ({
      ...rowFromDirectColumns(row),
      author: authors.get(row.user_id),
      quote: row.parent_message_id
        ? {
            id: row.parent_message_id,
            author: authors.get(row.parent?.user_id ?? "")?.name ?? unnamedMember,
            content: row.parent?.content ?? "",
          }
        : null,
    }));
  }

  const select = (conversation: string) =>
    client.from("direct_messages").select(columns).eq("conversation_id", conversation);

  return {
    readPage: async (before) => {
      const conversation = await knownId();
      if (conversation === null) return { rows: [], hasOlder: false };
      const page = select(conversation);
      const { data, error } = await (before ? page.or(beyond(before, "lt", "gt")) : page)
        .order("created_at", { ascending: false })
        .order("id", { ascending: true })
        .limit(pageSize);
      if (error) throw error;
      const rows = rowsFrom(data);
      return { rows: rows.toReversed(), hasOlder: rows.length === pageSize };
    },
    readNewer: async (from) => {
      const conversation = await knownId();
      if (conversation === null) return { rows: [], hasNewer: false };
      const { data, error } = await select(conversation)
        .or(beyond(from, "gt", "lte"))
        .order("created_at", { ascending: true })
        .order("id", { ascending: false })
        .limit(pageSize);
      if (error) throw error;
      const rows = rowsFrom(data);
      return { rows, hasNewer: rows.length === pageSize };
    },
    readChanges: async (since) => {
      const conversation = await knownId();
      if (conversation === null) return [];
      const { data, error } = await select(conversation)
        .gte("changed_at", new Date(Date.parse(since) - overlapMs).toISOString())
        .order("changed_at", { ascending: true })
        .order("id", { ascending: true })
        .limit(maxChanges);
      if (error) throw error;
      return data.length === maxChanges ? null : rowsFrom(data);
    },
    findMessageCursor: async (messageId) => {
      const conversation = await knownId();
      if (conversation === null || !isUuid(messageId)) return null;
      const { data, error } = await client
        .from("direct_messages")
        .select("id, created_at")
        .eq("conversation_id", conversation)
        .eq("id", messageId)
        .maybeSingle();
      if (error) throw error;
      return data ? { id: data.id, createdAtRaw: data.created_at } : null;
    },
    readLastRead: () => Promise.resolve(lastReadAt),
    markRead: async (upTo) => {
      const conversation = await knownId();
      if (conversation === null) return;
      const { error } = await client.rpc("mark_conversation_read", {
        conversation_id: conversation,
        up_to: upTo,
      });
      if (error) throw error;
      onRead();
    },
    setLike: () => Promise.reject(new Error("direct messages are not liked")),
    watch: (watcher) => watchDirect(client, conversationId, authors, member.id, watcher),
  };
}

/** The filter of the rows on one side of a cursor. Rows are ordered by time ascending, then by id descending. */
function beyond({ createdAtRaw, id }: MessageCursor, time: "lt" | "gt", order: "gt" | "lte") {
  return `created_at.${time}."${createdAtRaw}",and(created_at.eq."${createdAtRaw}",id.${order}.${id})`;
}

/** Before there is a conversation, what the other writes is told apart by its author: one reads one's own rows only. */
function watchDirect(
  client: BackendClient,
  conversationId: string | null,
  authors: ReadonlyMap<string, MessageAuthor>,
  memberId: string,
  { onRow, onConnected, onLost }: MessageWatcher,
): () => void {
  return watchRows(client, {
    table: "direct_messages",
    ...(conversationId !== null && { filter: `conversation_id=eq.${conversationId}` }),
    events: ["INSERT", "UPDATE"],
    onChange: ({ kind, row }) => {
      const parsed = directColumns.safeParse(row);
      if (!parsed.success) {
        console.error("A live message had an unexpected shape");
        return;
      }
      if (conversationId === null && parsed.data.user_id !== memberId) return;
      onRow(
        { ...rowFromDirectColumns(parsed.data), author: authors.get(parsed.data.user_id) },
        kind === "INSERT",
      );
    },
    onJoined: onConnected,
    onLost,
  });
}
