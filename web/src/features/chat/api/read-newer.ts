import * as z from "zod/mini";
import type { BackendClient } from "@/lib/backend-client.ts";
import type { MessageCursor, MessageRow } from "../model/message.ts";
import { toReaction, type Reaction } from "../model/reactions.ts";
import { authorFrom, messageColumns, rowFromColumns } from "./message-row.ts";
import { pageSize } from "./read-page.ts";

const profile = z.nullish(
  z.object({
    first_name: z.nullish(z.string()),
    last_name: z.nullish(z.string()),
    role: z.nullish(z.string()),
    occupation: z.nullish(z.string()),
    avatar_url: z.nullish(z.string()),
  }),
);
const rows = z.array(
  z.extend(messageColumns, {
    author: profile,
    parent: z.nullish(z.object({ content: z.string(), author: profile })),
  }),
);
const columns = `id, user_id, content, parent_message_id, like_count, created_at, edited_at, deleted_at, changed_at,
  reaction_counts, picture, picture_width, picture_height, picture_alt,
  author:profiles(first_name, last_name, role, occupation, avatar_url),
  parent:parent_message_id(content, author:profiles(first_name, last_name))`;

/** A page of the history with its newer end, oldest first. */
export interface NewerPage {
  readonly rows: readonly MessageRow[];
  readonly hasNewer: boolean;
}

/**
 * Reads the messages from a cursor on, including the one at the cursor. Throws the database's
 * error.
 */
export async function readNewer(
  client: BackendClient,
  roomId: string,
  from: MessageCursor,
): Promise<NewerPage> {
  const { data, error } = await client
    .from("chat_messages")
    .select(columns)
    .eq("chat_room_id", roomId)
    .or(
      `created_at.gt."${from.createdAtRaw}",and(created_at.eq."${from.createdAtRaw}",id.lte.${from.id})`,
    )
    .order("created_at", { ascending: true })
    .order("id", { ascending: false })
    .limit(pageSize);
  if (error) throw error;
  const found = rows.parse(data);
  const [liked, reacted] = await Promise.all([
    readLiked(client, found),
    readReacted(client, found),
  ]);
  return {
    rows: found.map((row) => ({
      ...rowFromColumns(row),
      author: authorFrom(row.user_id, row.author ?? {}),
      liked: liked.has(row.id),
      myReactions: reacted.get(row.id) ?? [],
      quote: row.parent_message_id
        ? {
            id: row.parent_message_id,
            author: authorFrom(row.user_id, row.parent?.author ?? {}).name,
            content: row.parent?.content ?? "",
          }
        : null,
    })),
    hasNewer: found.length === pageSize,
  };
}

async function readLiked(
  client: BackendClient,
  messages: readonly { readonly id: string }[],
): Promise<ReadonlySet<string>> {
  const { data, error } = await client
    .from("message_likes")
    .select("message_id")
    .in(
      "message_id",
      messages.map(({ id }) => id),
    );
  if (error) throw error;
  return new Set(data.map(({ message_id }) => message_id));
}

/** The member's own reactions, of the messages that have any. */
async function readReacted(
  client: BackendClient,
  messages: readonly z.infer<typeof messageColumns>[],
): Promise<ReadonlyMap<string, readonly Reaction[]>> {
  const ids = messages
    .filter(({ reaction_counts }) => Object.keys(reaction_counts ?? {}).length > 0)
    .map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { data, error } = await client
    .from("message_reactions")
    .select("message_id, reaction")
    .in("message_id", ids);
  if (error) throw error;
  const found = new Map<string, Reaction[]>();
  for (const { message_id, reaction } of data) {
    const known = toReaction(reaction);
    if (known) found.set(message_id, [...(found.get(message_id) ?? []), known]);
  }
  return found;
}
