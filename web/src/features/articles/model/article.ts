import * as z from "zod/mini";
import { averageRating, type AverageRating } from "@/domain/rating.ts";
import { toRole, type Role } from "@/domain/roles.ts";

const articleShape = z.object({
  id: z.string(),
  slug: z.string(),
  title: z.string(),
  excerpt: z.string(),
  content: z.string(),
  featured_image_url: z.nullable(z.string()),
  estimated_read_time: z.number(),
  tags: z.array(z.string()),
  read_count: z.number(),
  rating_count: z.number(),
  rating_sum: z.number(),
  created_at: z.string(),
  subcategory: z.object({ slug: z.string(), name: z.string() }),
  author: z.nullable(
    z.object({
      id: z.string(),
      first_name: z.nullable(z.string()),
      last_name: z.nullable(z.string()),
      role: z.string(),
    }),
  ),
  reads: z.array(z.object({ article_id: z.string() })),
});

export interface ArticleAuthor {
  /** Null in a preview. */
  readonly id: string | null;
  readonly name: string;
  readonly role: Role;
}

/** An article as the reader shows it. */
export interface Article {
  readonly id: string;
  readonly slug: string;
  readonly title: string;
  readonly excerpt: string;
  /** Markdown. */
  readonly content: string;
  readonly imageUrl: string | null;
  readonly minutes: number;
  readonly tags: readonly string[];
  readonly readCount: number;
  readonly rating: AverageRating;
  readonly subcategory: { readonly slug: string; readonly name: string };
  /** Null for the product's own articles. */
  readonly author: ArticleAuthor | null;
  readonly isRead: boolean;
}

/** Reads a row with its subcategory, author and the member's read. Throws on another shape. */
export function toArticle(value: unknown): Article {
  const row = articleShape.parse(value);
  const name = [row.author?.first_name, row.author?.last_name].filter(Boolean).join(" ");
  return {
    id: row.id,
    slug: row.slug,
    title: row.title,
    excerpt: row.excerpt,
    content: row.content,
    imageUrl: row.featured_image_url,
    minutes: row.estimated_read_time,
    tags: row.tags,
    readCount: row.read_count,
    rating: averageRating(row.rating_count, row.rating_sum),
    subcategory: row.subcategory,
    author:
      row.author === null || name === ""
        ? null
        : { id: row.author.id, name, role: toRole(row.author.role) },
    isRead: row.reads.length > 0,
  };
}
