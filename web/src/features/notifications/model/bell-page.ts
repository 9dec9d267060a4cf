import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { shelves } from "@/domain/library-paths.ts";
import { knownOr } from "@/domain/known-items.ts";

/** A line of the bell as the database answers it. */
export const bellItemSchema = z.object({
  id: z.number(),
  /** Of `notificationKinds`, or one that a later release added. */
  kind: z.string(),
  created_at: z.string(),
  unread: z.boolean(),
  detail: z.nullable(z.string()),
  actor: z.nullable(z.string()),
  others: z.number(),
  chat_room_id: z.nullish(z.string()),
  room: z.nullish(z.string()),
  /** Of a line about a message of a room, which leads to it. */
  message_id: z.nullish(z.string()),
  /** Of a direct message, whose line leads to the conversation with its author. */
  member_id: z.nullish(z.string()),
  submission_id: z.nullish(z.string()),
  /** Of a mention in a comment. */
  comment_id: z.nullish(z.string()),
  excerpt: z.nullish(z.string()),
  /** Of a pact that is due: whether its day is over. */
  is_overdue: z.nullish(z.boolean()),
  /** Of a new level: the names of up to two rooms it opened, and how many there are. */
  rooms: z.nullish(z.array(z.string())),
  room_count: z.nullish(z.number()),
  /** What was achieved. */
  achievement: z.nullish(z.string()),
  certificate_id: z.nullish(z.string()),
  /** Of a refund; in minor units of the currency. */
  amount_pence: z.nullish(z.number()),
  currency: z.nullish(z.string()),
  /** What was reported, and whether it stays. */
  what: z.nullish(z.string()),
  is_kept: z.nullish(z.boolean()),
  /** Of what was taken away from the member; the excerpt says why. */
  title: z.nullish(z.string()),
  written_at: z.nullish(z.string()),
  words: z.nullish(z.string()),
  /** What a payment ended the membership by: `refunded` or `dispute_lost`. Of a report its category. */
  why: z.nullish(z.string()),
  /** Of the review of a draft, whose line leads to it; its title may be empty. */
  draft_id: z.nullish(z.string()),
  draft: z.nullish(z.string()),
  draft_kind: knownOr(z.nullish(z.enum(["article", "course"])), null),
  /** Of what has to be done by a time. */
  deadline: z.nullish(z.string()),
  /** Of a question that was asked or answered, whose line leads to it. */
  question_id: z.nullish(z.string()),
  /** Where a question stands. */
  place: knownOr(
    z.nullish(
      z.object({
        category: z.enum(categories),
        shelf: z.enum(shelves),
        subcategory: z.string(),
        item_id: z.string(),
        module: z.nullable(z.string()),
        title: z.string(),
      }),
    ),
    null,
  ),
});

/** A page of the bell as `my_notifications` answers it. */
export const bellPageSchema = z.object({
  unread: z.number(),
  /** Changes until this server time are in the page; later ones may be missing. */
  as_of: z.string(),
  items: z.array(bellItemSchema),
});

/** One line of the bell: what happened to one thing, by one member or several. */
export type BellItem = z.infer<typeof bellItemSchema>;

/** `unread` counts all lines, not only those of the page. */
export type BellPage = z.infer<typeof bellPageSchema>;

/** How many lines one request brings. */
export const bellPageSize = 20;
