import { categories, type Category } from "@/domain/categories.ts";
import { noProgress, type ProgressCounters } from "@/domain/level-progress.ts";

/** The columns of a progress row that count; lists of ids rather than numbers where each counts once. */
export interface ProgressRow {
  readonly chat_rooms_opened: unknown;
  readonly learning_submissions: number;
  readonly message_engagements: number;
  readonly articles_read_by_category: unknown;
  readonly courses_completed_by_category: unknown;
}

/** Turns a row into counts. Somebody without a row has done nothing yet. */
export function toCounters(row: ProgressRow | null): ProgressCounters {
  if (row === null) return noProgress;
  return {
    chatRoomsOpened: lengthOf(row.chat_rooms_opened),
    learningSubmissions: row.learning_submissions,
    messageEngagements: row.message_engagements,
    articlesRead: byCategory(row.articles_read_by_category),
    coursesCompleted: byCategory(row.courses_completed_by_category),
  };
}

function lengthOf(list: unknown): number {
  return Array.isArray(list) ? new Set(list).size : 0;
}

function byCategory(map: unknown): Record<Category, number> {
  const lists = (typeof map === "object" && map !== null ? map : {}) as Record<string, unknown>;
  const counts = { general: 0, business: 0, wealth: 0 };
  for (const category of categories) counts[category] = lengthOf(lists[category]);
  return counts;
}
