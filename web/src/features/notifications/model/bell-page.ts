import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { shelves } from "@/domain/library-paths.ts";

const item = z.object({
  id: z.number(),
  kind: z.enum([
    "reply",
    "message_like",
    "submission_like",
    "submission_comment",
    "level_up",
    "identity_approved",
    "identity_rejected",
    "payment_failed",
    "question",
    "answer",
    "mention",
  ]),
  created_at: z.string(),
  unread: z.boolean(),
  detail: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  others: z.number(),
  chat_room_id: z.nullable(z.string()),
  room: z.nullable(z.string()),
  /** Of a mention, whose line leads to the message. */
  message_id: z.nullish(z.string()),
  submission_id: z.nullable(z.string()),
  excerpt: z.nullable(z.string()),
  /** Where a question stands. */
  place: z.nullish(
    z.object({
      category: z.enum(categories),
      shelf: z.enum(shelves),
      subcategory: z.string(),
      item_id: z.string(),
      module: z.nullable(z.string()),
      title: z.string(),
    }),
  ),
});

/** A page of the bell as `my_notifications` answers it. */
export const bellPageSchema = z.object({ unread: z.number(), items: z.array(item) });

/** One line of the bell: what happened to one thing, by one member or several. */
export type BellItem = z.infer<typeof item>;

/** `unread` counts all lines, not only those of the page. */
export type BellPage = z.infer<typeof bellPageSchema>;

/** How many lines one request brings. */
export const bellPageSize = 20;
