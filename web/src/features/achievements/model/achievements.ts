import * as z from "zod/mini";
import { knownItems } from "@/domain/known-items.ts";

const measures = [
  "rooms",
  "messages",
  "submissions",
  "articles",
  "courses",
  "pacts",
  "weeks",
  "levels",
] as const;

/** An achievement as profiles and the own page list it. */
export const earnedSchema = z.object({
  key: z.string(),
  measure: z.enum(measures),
  title: z.string(),
  line: z.string(),
  /** A day in UTC. */
  earned_on: z.string(),
});

/** What `my_achievements` answers. */
export const achievementsSchema = z.object({
  earned: knownItems(earnedSchema),
  next: knownItems(
    z.object({
      key: z.string(),
      measure: z.enum(measures),
      title: z.string(),
      needed: z.number(),
      count: z.number(),
    }),
  ),
  streak: z.object({ weeks: z.number(), is_active_this_week: z.boolean() }),
  is_shown: z.boolean(),
  certificates: z.array(
    z.object({
      id: z.string(),
      course_id: z.nullable(z.string()),
      course: z.string(),
      completed_on: z.string(),
      is_revoked: z.boolean(),
    }),
  ),
  shared: knownItems(
    z.object({
      code: z.string(),
      achievement: z.nullable(z.string()),
      certificate_id: z.nullable(z.string()),
    }),
  ),
});

export type Achievements = z.infer<typeof achievementsSchema>;
export type EarnedAchievement = z.infer<typeof earnedSchema>;
export type NextAchievement = Achievements["next"][number];
export type AchievementMeasure = EarnedAchievement["measure"];

/** The one that is nearest to being done, or null when everything is. Levels have figures of their own on the page. */
export function nearestOf(next: readonly NextAchievement[]): NextAchievement | null {
  const rest = next.filter(({ measure }) => measure !== "levels");
  return rest.toSorted((one, other) => shareDone(other) - shareDone(one))[0] ?? null;
}

const shareDone = ({ count, needed }: NextAchievement): number => Math.min(count / needed, 1);
