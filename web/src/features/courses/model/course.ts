import * as z from "zod/mini";
import { averageRating, type AverageRating } from "@/domain/rating.ts";
import { toRole, type Role } from "@/domain/roles.ts";
import { formatDifficulty } from "./course-summary.ts";

const modulesShape = z.array(
  z.object({
    id: z.string(),
    slug: z.string(),
    title: z.string(),
    content: z.string(),
    module_order: z.number(),
    video_url: z.nullable(z.string()),
    estimated_duration: z.number(),
    completions: z.array(z.object({ module_id: z.string() })),
  }),
);

const courseShape = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  thumbnail_url: z.nullable(z.string()),
  is_free: z.boolean(),
  price: z.number(),
  estimated_duration: z.number(),
  difficulty_level: z.string(),
  enrollment_count: z.number(),
  // Not of a course that was bought: a buyer sees no ratings and no profiles.
  rating_count: z.optional(z.number()),
  rating_sum: z.optional(z.number()),
  version: z.optional(z.number()),
  module_count: z.number(),
  subcategory: z.object({ slug: z.string(), name: z.string() }),
  mentor: z.nullable(
    z.object({
      id: z.nullish(z.string()),
      first_name: z.nullable(z.string()),
      last_name: z.nullable(z.string()),
      role: z.string(),
    }),
  ),
  enrollments: z.array(
    z.object({
      progress_percentage: z.number(),
      completed_at: z.nullable(z.string()),
      course_version: z.optional(z.number()),
    }),
  ),
  modules: modulesShape,
});

/** A lesson of a course. */
export interface CourseModule {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly videoUrl: string | null;
  readonly minutes: number;
  readonly isComplete: boolean;
  /** No longer part of the newest version: nobody can ask under it. */
  readonly isGone: boolean;
}

/** Who teaches a course. */
export interface CourseMentor {
  /** Null in a preview. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
}

/** How far a member has come. */
export interface CourseEnrollment {
  readonly progress: number;
  readonly isComplete: boolean;
  /** A newer version than the one the member takes has come out. */
  readonly isBehind: boolean;
}

/** A course as the player shows it. */
export interface Course {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly imageUrl: string | null;
  /** In pounds; null for a free one. */
  readonly price: number | null;
  readonly minutes: number;
  readonly difficulty: string;
  readonly enrolled: number;
  readonly moduleCount: number;
  readonly subcategory: { readonly slug: string; readonly name: string };
  /** Null for the product's own courses. */
  readonly mentor: CourseMentor | null;
  readonly rating: AverageRating;
  /** Null when the member is not enrolled. */
  readonly enrollment: CourseEnrollment | null;
  /** In their order; empty when the member is not enrolled. */
  readonly modules: readonly CourseModule[];
}

/** Reads a row with subcategory, mentor, enrolment and modules. Throws on another shape. */
export function toCourse(value: unknown): Course {
  const row = courseShape.parse(value);
  const name = [row.mentor?.first_name, row.mentor?.last_name].filter(Boolean).join(" ");
  const [enrollment] = row.enrollments;
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    description: row.description,
    imageUrl: row.thumbnail_url,
    price: row.is_free ? null : row.price,
    minutes: row.estimated_duration,
    difficulty: formatDifficulty(row.difficulty_level),
    enrolled: row.enrollment_count,
    moduleCount: row.module_count,
    subcategory: row.subcategory,
    mentor:
      row.mentor === null || name === ""
        ? null
        : { id: row.mentor.id ?? null, name, role: toRole(row.mentor.role) },
    rating: averageRating(row.rating_count ?? 0, row.rating_sum ?? 0),
    enrollment:
      enrollment === undefined
        ? null
        : {
            progress: enrollment.progress_percentage,
            isComplete: enrollment.completed_at !== null,
            isBehind:
              enrollment.completed_at === null &&
              (enrollment.course_version ?? 1) < (row.version ?? 1),
          },
    modules: toModules(row.modules),
  };
}

function toModules(rows: z.infer<typeof modulesShape>): CourseModule[] {
  return rows
    .toSorted((one, other) => one.module_order - other.module_order)
    .map((each) => ({
      id: each.id,
      slug: each.slug,
      title: each.title,
      content: each.content,
      videoUrl: each.video_url,
      minutes: each.estimated_duration,
      isComplete: each.completions.length > 0,
      isGone: false,
    }));
}

/** The course with the lessons of the version that the member takes. Throws on another shape. */
export function withModulesAsBegun(course: Course, answer: unknown): Course {
  const newest = new Set(course.modules.map(({ id }) => id));
  const modules = toModules(modulesShape.parse(answer)).map((each) => ({
    ...each,
    isGone: !newest.has(each.id),
  }));
  return { ...course, modules };
}

/** The lesson the address names; else the first that is not completed; else the first. */
export function lessonAt(course: Course, slug: string | null): CourseModule | null {
  return (
    course.modules.find((each) => each.slug === slug) ??
    course.modules.find((each) => !each.isComplete) ??
    course.modules[0] ??
    null
  );
}

/** The first lesson after this one that is not completed; completed ones are passed over. */
export function lessonLeftAfter(course: Course, lesson: CourseModule): CourseModule | undefined {
  const place = course.modules.indexOf(lesson);
  return course.modules.slice(place + 1).find(({ isComplete }) => !isComplete);
}

/**
 * The course with one more lesson completed, as the server will tell it: progress is the rounded
 * share, and what was completed once stays so.
 */
export function withModuleCompleted(course: Course, moduleId: string): Course {
  const modules = course.modules.map((each) =>
    each.id === moduleId ? { ...each, isComplete: true } : each,
  );
  const done = modules.filter((each) => each.isComplete).length;
  const all = modules.length > 0 && done === modules.length;
  if (course.enrollment === null) return { ...course, modules };
  const { progress, isComplete, isBehind } = course.enrollment;
  const enrollment = {
    isBehind: isBehind && !all,
    progress: isComplete ? progress : Math.round((done / Math.max(1, modules.length)) * 100),
    isComplete: isComplete || all,
  };
  return { ...course, modules, enrollment };
}
