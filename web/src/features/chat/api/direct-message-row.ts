import * as z from "zod/mini";
import type { MessageRow } from "../model/message.ts";

const text = z.nullish(z.string());

/** The columns of `direct_messages`, as the database and the live stream write them. */
export const directColumns = z.object({
  id: z.string(),
  conversation_id: z.string(),
  user_id: z.string(),
  content: z.string(),
  parent_message_id: text,
  created_at: z.string(),
  edited_at: text,
  deleted_at: text,
  changed_at: z.string(),
});

/** The row alone: who wrote it and what it answers are not known from it. */
export function rowFromDirectColumns(row: z.infer<typeof directColumns>): MessageRow {
  return {
    id: row.id,
    authorId: row.user_id,
    content: row.content,
    parentId: row.parent_message_id ?? null,
    likeCount: 0,
    createdAtRaw: row.created_at,
    changedAtRaw: row.changed_at,
    edited: Boolean(row.edited_at),
    deleted: Boolean(row.deleted_at),
    liked: false,
  };
}
