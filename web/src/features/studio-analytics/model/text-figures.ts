import * as z from "zod/mini";
import { readingSources } from "@/domain/reading-source.ts";
import { knownItems } from "@/domain/known-items.ts";

/** What a mentor looks at: one of their articles or courses. */
export type AnalysedText =
  | { readonly articleId: string; readonly courseId?: undefined }
  | { readonly courseId: string; readonly articleId?: undefined };

export const textSourcesSchema = knownItems(
  z.object({
    source: z.enum([...readingSources, "unknown"]),
    members: z.number(),
    finished: z.number(),
  }),
);

/** Readers or students by where they came from, as `sources_of_text` answers. */
export type TextSources = z.infer<typeof textSourcesSchema>;

export const textRatingsSchema = z.object({
  count: z.number(),
  average: z.nullable(z.number()),
  /** How many gave one star, two stars and so on. */
  distribution: z.array(z.number()),
  may_take_down: z.boolean(),
  sentences: z.array(
    z.object({
      id: z.string(),
      stars: z.number(),
      sentence: z.string(),
      /** The first day of the month it was written in. */
      month: z.string(),
    }),
  ),
});

/** The ratings of a text as its mentor sees them, as `ratings_of_text` answers. */
export type TextRatings = z.infer<typeof textRatingsSchema>;

export const articleAnalyticsSchema = z.object({
  id: z.string(),
  title: z.string(),
  is_published: z.boolean(),
  readers: z.number(),
  reads: z.number(),
  questions: z.number(),
  open_questions: z.number(),
  days: z.array(z.object({ day: z.string(), reads: z.number() })),
  today: z.string(),
  comparison: z.object({
    own_articles: z.number(),
    own_rate: z.nullable(z.number()),
    category_rate: z.nullable(z.number()),
  }),
});

/** The analytics of an article, as `my_article_analytics` answers. */
export type ArticleAnalytics = z.infer<typeof articleAnalyticsSchema>;
