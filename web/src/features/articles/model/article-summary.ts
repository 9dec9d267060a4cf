import * as z from "zod/mini";
import type { AverageRating } from "@/domain/rating.ts";

const cardShape = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  featured_image_url: z.nullable(z.string()),
  is_featured: z.boolean(),
  is_read: z.boolean(),
  author_id: z.nullable(z.string()),
  author_first_name: z.nullable(z.string()),
  rating: z.nullable(z.number()),
  rating_count: z.number(),
  estimated_read_time: z.number(),
  tags: z.array(z.string()),
});

/** An article as its card shows it. */
export interface ArticleSummary {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  readonly imageUrl: string | null;
  readonly isFeatured: boolean;
  readonly isRead: boolean;
  /** Null for the product's own articles. */
  readonly authorFirstName: string | null;
  readonly authorId: string | null;
  readonly rating: AverageRating;
  readonly minutes: number;
  readonly tags: readonly string[];
}

/** A card has room for this many. */
export const maxTagsOnCard = 3;

/** Reads a card of a list. Throws when it has another shape. */
export function toArticleSummary(value: unknown): ArticleSummary {
  const row = cardShape.parse(value);
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    imageUrl: row.featured_image_url,
    isFeatured: row.is_featured,
    isRead: row.is_read,
    authorFirstName: row.author_first_name === "" ? null : row.author_first_name,
    authorId: row.author_id,
    rating: { average: row.rating, count: row.rating_count },
    minutes: row.estimated_read_time,
    tags: row.tags,
  };
}
