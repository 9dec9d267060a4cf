import * as z from "zod/mini";
import type { AverageRating } from "@/domain/rating.ts";

const cardShape = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  thumbnail_url: z.nullable(z.string()),
  is_featured: z.boolean(),
  is_free: z.boolean(),
  price: z.number(),
  mentor_id: z.nullable(z.string()),
  mentor_first_name: z.nullable(z.string()),
  rating: z.nullable(z.number()),
  rating_count: z.number(),
  estimated_duration: z.number(),
  difficulty_level: z.string(),
  enrollment_count: z.number(),
  is_enrolled: z.boolean(),
  progress_percentage: z.number(),
  completed_at: z.nullable(z.string()),
});

/** A course as its card shows it. */
export interface CourseSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly imageUrl: string | null;
  readonly isFeatured: boolean;
  /** In pounds; null for a free one. */
  readonly price: number | null;
  /** Null for the product's own courses. */
  readonly mentorFirstName: string | null;
  readonly mentorId: string | null;
  readonly rating: AverageRating;
  readonly minutes: number;
  readonly difficulty: string;
  readonly enrolled: number;
  /** 0 to 100; null when the member is not enrolled. */
  readonly progress: number | null;
  readonly isComplete: boolean;
}

/** `beginner` → `Beginner`. */
export function formatDifficulty(level: string): string {
  return `${level.charAt(0).toUpperCase()}${level.slice(1)}`;
}

/** Reads a card of a list. Throws when it has another shape. */
export function toCourseSummary(value: unknown): CourseSummary {
  const row = cardShape.parse(value);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    imageUrl: row.thumbnail_url,
    isFeatured: row.is_featured,
    price: row.is_free ? null : row.price,
    mentorFirstName: row.mentor_first_name === "" ? null : row.mentor_first_name,
    mentorId: row.mentor_id,
    rating: { average: row.rating, count: row.rating_count },
    minutes: row.estimated_duration,
    difficulty: formatDifficulty(row.difficulty_level),
    enrolled: row.enrollment_count,
    progress: row.is_enrolled ? row.progress_percentage : null,
    isComplete: row.completed_at !== null,
  };
}

/** What tells which course comes next. */
export type CourseInOrder = Pick<CourseSummary, "id" | "title" | "isComplete">;

/** The first unfinished course after the given one in display order, or before it; undefined when all are finished. */
export function nextCourse(
  courses: readonly CourseInOrder[],
  courseId: string,
): CourseInOrder | undefined {
  const at = courses.findIndex(({ id }) => id === courseId);
  return [...courses.slice(at + 1), ...courses.slice(0, Math.max(at, 0))].find(
    ({ isComplete }) => !isComplete,
  );
}
