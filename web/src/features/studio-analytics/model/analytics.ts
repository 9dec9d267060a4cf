import * as z from "zod/mini";
import { categories } from "@/domain/categories.ts";
import { knownItems } from "@/domain/known-items.ts";
import type { Compared } from "@/lib/format-change.ts";

export const contentFiguresSchema = knownItems(
  z.object({
    content_id: z.string(),
    kind: z.enum(["article", "course"]),
    title: z.string(),
    category: z.enum(categories),
    is_published: z.boolean(),
    readers: z.number(),
    reads: z.number(),
    enrolments: z.number(),
    completions: z.number(),
    questions: z.number(),
    open_questions: z.number(),
  }),
);

/** The figures of an article or a course, as `my_content_figures` answers. */
export type ContentFigures = z.infer<typeof contentFiguresSchema>[number];

export const courseAnalyticsSchema = z.object({
  id: z.string(),
  title: z.string(),
  is_published: z.boolean(),
  enrolments: z.number(),
  completions: z.number(),
  median_days: z.nullable(z.number()),
  questions: z.number(),
  open_questions: z.number(),
  modules: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      is_published: z.boolean(),
      completions: z.number(),
    }),
  ),
  days: z.array(
    z.object({
      day: z.string(),
      enrolments: z.number(),
      lessons: z.number(),
      completions: z.number(),
    }),
  ),
  cohorts: z.array(z.object({ week: z.string(), enrolments: z.number(), completions: z.number() })),
  today: z.string(),
  comparison: z.object({
    own_courses: z.number(),
    own_rate: z.nullable(z.number()),
    category_rate: z.nullable(z.number()),
  }),
});

/** The analytics of a course, as `my_course_analytics` answers. */
export type CourseAnalytics = z.infer<typeof courseAnalyticsSchema>;

export const studentsSchema = z.array(
  z.object({
    user_id: z.string(),
    name: z.string(),
    progress: z.number(),
    enrolled_at: z.string(),
    last_active_at: z.string(),
    completed_at: z.nullable(z.string()),
    nudged_at: z.nullable(z.string()),
    may_nudge: z.boolean(),
  }),
);

/** A student of a course, as `my_students` answers. */
export type CourseStudent = z.infer<typeof studentsSchema>[number];

/** The database answers so many students at a time. */
export const studentsPageSize = 50;

/** Whole per cent; null of nobody. */
export function percentOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((100 * part) / whole);
}

/** A step of the funnel: a lesson with how many completed it and how many stopped before it. */
export interface FunnelStep {
  readonly id: string;
  readonly title: string;
  readonly completions: number;
  /** Fewer than completed the lesson before, or enrolled. Never below 0. */
  readonly lost: number;
}

/** The published lessons in order, and the one before which most members stop; null when nobody does. */
export function toFunnel({ modules, enrolments }: CourseAnalytics): {
  readonly steps: readonly FunnelStep[];
  readonly stopId: string | null;
} {
  const published = modules.filter((module) => module.is_published);
  const steps = published.map(({ id, title, completions }, index) => {
    const before = published[index - 1]?.completions ?? enrolments;
    return { id, title, completions, lost: Math.max(0, before - completions) };
  });
  const most = Math.max(0, ...steps.map(({ lost }) => lost));
  return {
    steps,
    stopId: most === 0 ? null : (steps.find(({ lost }) => lost === most)?.id ?? null),
  };
}

export const trendDays = 30;

const msInDay = 86_400_000;

/** The day so many days before another, as `2026-03-01`. */
function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * msInDay).toISOString().slice(0, 10);
}

/** The last thirty days up to one of them, the oldest first. */
export function lastDays(today: string): string[] {
  return Array.from({ length: trendDays }, (_, index) => dayBefore(today, trendDays - 1 - index));
}

/** Adds up one figure of each day for the last thirty days and for the thirty before. */
export function totalsByPeriod<Day extends { readonly day: string }>(
  days: readonly Day[],
  today: string,
  figureOf: (day: Day) => number,
): Compared {
  const sumOf = (period: readonly string[]) =>
    days.filter(({ day }) => period.includes(day)).reduce((sum, day) => sum + figureOf(day), 0);
  return { now: sumOf(lastDays(today)), before: sumOf(lastDays(dayBefore(today, trendDays))) };
}

/** The last thirty days, also those on which nothing happened, the oldest first. */
export function toTrend({ days, today }: CourseAnalytics): CourseAnalytics["days"] {
  return lastDays(today).map((day) => {
    const found = days.find((each) => each.day === day);
    return found ?? { day, enrolments: 0, lessons: 0, completions: 0 };
  });
}
