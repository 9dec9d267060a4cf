import * as z from "zod/mini";
import { accessShape, type ShelfHome, type SubcategorySummary } from "./shelf-home.ts";

const pageShape = z.extend(accessShape, {
  items: z.array(
    z.object({
      id: z.string(),
      slug: z.string(),
      title: z.string(),
      // Of an article.
      is_read: z.optional(z.boolean()),
      featured_image_url: z.nullish(z.string()),
      estimated_read_time: z.optional(z.number()),
      // Of a course.
      completed_at: z.nullish(z.string()),
      is_enrolled: z.optional(z.boolean()),
      thumbnail_url: z.nullish(z.string()),
      estimated_duration: z.optional(z.number()),
    }),
  ),
});

/** The article or course that a member would open next. */
export interface NextItem {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly imageUrl: string | null;
  readonly minutes: number;
}

/** The subcategory to go on in: one that was begun, else the first with something left. Null when all is done. */
export function nextSubcategory({ subcategories }: ShelfHome): SubcategorySummary | null {
  const open = subcategories.filter(({ done, count }) => done < count);
  return open.find(({ done }) => done > 0) ?? open[0] ?? null;
}

/**
 * What comes next in the answer for a subcategory's page: a course that was begun, else the first that is not done. Null when all
 * is done. Throws when the answer has another shape.
 */
export function nextItemOf(answer: unknown): NextItem | null {
  const open = pageShape
    .parse(answer)
    .items.filter(({ is_read, completed_at }) => is_read !== true && !completed_at);
  const next = open.find(({ is_enrolled }) => is_enrolled === true) ?? open[0];
  if (next === undefined) return null;
  return {
    id: next.id,
    slug: next.slug,
    title: next.title,
    imageUrl: next.featured_image_url ?? next.thumbnail_url ?? null,
    minutes: next.estimated_read_time ?? next.estimated_duration ?? 0,
  };
}
