import * as z from "zod/mini";

/** The article or the course that is rated. */
export type RatedText =
  | { readonly articleId: string; readonly courseId?: undefined }
  | { readonly courseId: string; readonly articleId?: undefined };

export const textRatingSchema = z.object({
  count: z.number(),
  average: z.nullable(z.number()),
  may_rate: z.boolean(),
  own: z.nullable(
    z.object({
      stars: z.number(),
      sentence: z.nullable(z.string()),
      may_quote: z.optional(z.boolean()),
    }),
  ),
});

/** The ratings of a text with the member's own, as `rating_of` answers. */
export type TextRating = z.infer<typeof textRatingSchema>;
