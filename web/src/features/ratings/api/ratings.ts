import type { BackendClient } from "@/lib/backend-client.ts";
import { textRatingSchema, type RatedText, type TextRating } from "../model/rating.ts";

function toArguments({ articleId, courseId }: RatedText) {
  return articleId === undefined ? { course_id: courseId } : { article_id: articleId };
}

/** Reads the ratings of a text. Throws the database's error. */
export async function fetchRating(client: BackendClient, text: RatedText): Promise<TextRating> {
  const { data, error } = await client.rpc("rating_of", toArguments(text));
  if (error) throw error;
  return textRatingSchema.parse(data);
}

/** Rates a text; an earlier rating is replaced. Throws the database's error. */
export async function rateText(
  client: BackendClient,
  text: RatedText,
  stars: number,
  sentence: string,
  mayQuote: boolean,
): Promise<void> {
  const { error } = await client.rpc("rate_text", {
    ...toArguments(text),
    stars,
    sentence,
    ...(text.courseId === undefined ? {} : { may_quote: mayQuote }),
  });
  if (error) throw error;
}
