import * as z from "zod/mini";
import { averageRating, type AverageRating } from "@/domain/rating.ts";
import { categories, type Category } from "@/domain/categories.ts";

const saleShape = z.object({
  slug: z.string(),
  title: z.string(),
  description: z.string(),
  outcomes: z.array(z.string()),
  price_pence: z.number(),
  minutes: z.number(),
  difficulty: z.string(),
  thumbnail_url: z.nullable(z.string()),
  category: z.enum(categories),
  topic: z.string(),
  course_slug: z.string(),
  mentor: z.string(),
  mentor_picture: z.nullish(z.string()),
  mentor_occupation: z.nullish(z.string()),
  rating_count: z.optional(z.number()),
  rating_sum: z.optional(z.number()),
  subject: z.optional(z.string()),
  reviews: z.optional(
    z.array(z.object({ stars: z.number(), sentence: z.string(), name: z.string() })),
  ),
  refund_days: z.number(),
  lessons: z.nullable(
    z.array(z.object({ title: z.string(), minutes: z.number(), is_free: z.boolean() })),
  ),
  free_lesson: z.nullable(
    z.object({ title: z.string(), content: z.string(), has_film: z.optional(z.boolean()) }),
  ),
});

/** What the public page of a course shows. */
export interface Sale {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** What one learns, a line each. */
  readonly outcomes: readonly string[];
  readonly pricePence: number;
  readonly minutes: number;
  readonly difficulty: string;
  readonly cover: {
    readonly imageUrl: string | null;
    readonly category: Category;
    readonly topic: string;
    readonly slug: string;
  };
  readonly mentor: string;
  /** Of the mentor's profile. */
  readonly mentorPicture: string | null;
  /** Empty when none was given. */
  readonly mentorOccupation: string;
  readonly rating: AverageRating;
  /** The name of its subcategory; empty where it is not known. */
  readonly subject: string;
  readonly refundDays: number;
  /** Of members who agreed to be quoted, the newest first. */
  readonly reviews: readonly {
    /** From 1 to 5. */
    readonly stars: number;
    readonly sentence: string;
    readonly name: string;
  }[];
  readonly lessons: readonly {
    readonly title: string;
    readonly minutes: number;
    readonly isFree: boolean;
  }[];
  readonly freeLesson: {
    readonly title: string;
    /** In Markdown. */
    readonly content: string;
    /** It has a film as well, which those who bought the course watch. */
    readonly hasFilm: boolean;
  } | null;
}

/** Reads what the server says of a sale. Throws on another shape. */
export function toSale(value: unknown): Sale {
  const row = saleShape.parse(value);
  return {
    slug: row.slug,
    title: row.title,
    description: row.description,
    outcomes: row.outcomes,
    pricePence: row.price_pence,
    minutes: row.minutes,
    difficulty: row.difficulty,
    cover: {
      imageUrl: row.thumbnail_url,
      category: row.category,
      topic: row.topic,
      slug: row.course_slug,
    },
    mentor: row.mentor,
    mentorPicture: row.mentor_picture ?? null,
    mentorOccupation: row.mentor_occupation ?? "",
    rating: averageRating(row.rating_count ?? 0, row.rating_sum ?? 0),
    subject: row.subject ?? "",
    refundDays: row.refund_days,
    reviews: row.reviews ?? [],
    lessons: (row.lessons ?? []).map(({ title, minutes, is_free: isFree }) => ({
      title,
      minutes,
      isFree,
    })),
    freeLesson: row.free_lesson && {
      title: row.free_lesson.title,
      content: row.free_lesson.content,
      hasFilm: row.free_lesson.has_film ?? false,
    },
  };
}
