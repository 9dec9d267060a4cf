import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { requirementKinds } from "@/domain/level-progress.ts";
import { bellItemSchema } from "@/features/notifications/index.ts";
import { knownOr } from "@/domain/known-items.ts";

const place = { category: z.enum(categories), subcategory: z.string(), title: z.string() };

/** What stands first on a member's dashboard, as `my_today` answers it. */
export const todaySchema = z.object({
  /** The level the member may use now; 0 without a live membership. */
  level: z.number(),
  /** The first requirement of the level that is not met; null when all are. */
  next_step: knownOr(
    z.nullable(
      z.object({
        level: z.literal([1, 2, 3, 4]),
        kind: z.enum(requirementKinds),
        category: z.nullable(z.enum(categories)),
        needed: z.number(),
        done: z.number(),
        /** The room to open next, when that is the step and one is left. */
        room: z.nullable(z.string()),
      }),
    ),
    null,
  ),
  waiting: z.object({
    /** Unread lines of the bell that ask something of the member, at most 99; `items` has the newest of them. */
    count: z.number(),
    items: z.array(bellItemSchema),
    /** Questions a mentor has to answer. */
    questions: z.number(),
  }),
  /** Until when the start of the guarantee can be written down; null when it is, or no longer can be. */
  baseline_until: z.nullable(z.string()),
  /** The open pact that is due next. */
  pact: z.nullable(
    z.object({
      id: z.string(),
      title: z.string(),
      /** `YYYY-MM-DD` */
      due_on: z.string(),
      is_overdue: z.boolean(),
    }),
  ),
  continue: z.object({
    lesson: knownOr(
      z.nullable(
        z.object({
          ...place,
          course_id: z.string(),
          course: z.string(),
          /** Per cent of the course. */
          progress: z.number(),
          /** Slug of the lesson. */
          module: z.string(),
          /** Of the mentors' training, whose pages are in the studio. */
          is_training: z.boolean(),
        }),
      ),
      null,
    ),
    article: knownOr(
      z.nullable(z.object({ ...place, article_id: z.string(), minutes: z.number() })),
      null,
    ),
  }),
  rooms: z.array(
    z.object({
      room_id: z.string(),
      room: z.string(),
      /** At most 99. */
      unread: z.number(),
      said_at: z.string(),
      excerpt: z.string(),
      author_id: z.string(),
      author: z.string(),
      avatar_url: z.nullable(z.string()),
    }),
  ),
});

export type Today = z.infer<typeof todaySchema>;

/** A room with its newest words. */
export type RoomWords = Today["rooms"][number];
