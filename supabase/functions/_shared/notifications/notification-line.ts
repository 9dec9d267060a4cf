import { z } from "zod";

const place = z.object({
  category: z.string(),
  shelf: z.string(),
  subcategory: z.string(),
  item_id: z.string(),
  module: z.string().nullable(),
  title: z.string(),
});

/** What `private.notification_line` says of a notification. Amounts, reasons and what was reported are left out: others may see them on a screen. */
export const notificationLine = z.object({
  kind: z.string(),
  topic: z.string(),
  detail: z.string().nullish(),
  actor: z.string().nullish(),
  /** How many other members did the same. */
  others: z.number().int().default(0),
  room: z.string().nullish(),
  chat_room_id: z.string().nullish(),
  message_id: z.string().nullish(),
  submission_id: z.string().nullish(),
  /** Of a mention in a comment. */
  comment_id: z.string().nullish(),
  /** Of a pact that is due: whether its day is over. */
  is_overdue: z.boolean().nullish(),
  /** The author of a direct message. */
  member_id: z.string().nullish(),
  /** Of a new level: the names of up to two rooms it opened, and how many there are. */
  rooms: z.array(z.string()).nullish(),
  room_count: z.number().int().nullish(),
  achievement: z.string().nullish(),
  certificate_id: z.string().nullish(),
  /** Of the review of a draft; its title may be empty. */
  draft_id: z.string().nullish(),
  draft: z.string().nullish(),
  draft_kind: z.string().nullish(),
  /** Of a question that was asked or answered. */
  question_id: z.string().nullish(),
  place: place.nullish().catch(null),
});
