import * as z from "zod/mini";
import { categories, type Category } from "@/domain/categories.ts";
import { noProgress, type ProgressCounters } from "@/domain/level-progress.ts";

/** What a member has done so far, as the server counts it. */
export interface MemberProgress {
  readonly counters: ProgressCounters;
  /** The level the counters are collected for; 1 without a row. */
  readonly level: number;
  /** When the server last changed the row, ISO time; empty without a row. */
  readonly updatedAt: string;
}

const row = z.object({
  current_level: z.optional(z.number()),
  chat_rooms_opened: z.unknown(),
  learning_submissions: z.number(),
  message_engagements: z.number(),
  articles_read_by_category: z.unknown(),
  courses_completed_by_category: z.unknown(),
  updated_at: z.optional(z.string()),
});

/** Progress of a member without a row. */
export const nothingDone: MemberProgress = {
  counters: noProgress,
  level: 1,
  updatedAt: "",
};

/** Reads a row of any origin; null when it is not one. */
export function toProgress(value: unknown): MemberProgress | null {
  const parsed = row.safeParse(value);
  if (!parsed.success) return null;
  const found = parsed.data;
  return {
    counters: {
      chatRoomsOpened: lengthOf(found.chat_rooms_opened),
      learningSubmissions: found.learning_submissions,
      messageEngagements: found.message_engagements,
      articlesRead: byCategory(found.articles_read_by_category),
      coursesCompleted: byCategory(found.courses_completed_by_category),
    },
    level: found.current_level ?? 1,
    updatedAt: found.updated_at ?? "",
  };
}

/** The newer of two readings: an answer that was long on its way must not undo what came live. */
export function newerOf(one: MemberProgress, other: MemberProgress | undefined): MemberProgress {
  if (other === undefined || other.updatedAt === "") return one;
  return Date.parse(other.updatedAt) > Date.parse(one.updatedAt) ? other : one;
}

/** Lists of ids rather than numbers, so that each counts once. */
function lengthOf(list: unknown): number {
  return Array.isArray(list) ? new Set(list).size : 0;
}

function byCategory(map: unknown): Record<Category, number> {
  const lists = (typeof map === "object" && map !== null ? map : {}) as Record<string, unknown>;
  const counts = { general: 0, business: 0, wealth: 0 };
  for (const category of categories) counts[category] = lengthOf(lists[category]);
  return counts;
}
