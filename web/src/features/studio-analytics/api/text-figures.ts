import type { BackendClient } from "@/lib/backend-client.ts";
import {
  articleAnalyticsSchema,
  textRatingsSchema,
  textSourcesSchema,
  type AnalysedText,
  type ArticleAnalytics,
  type TextRatings,
  type TextSources,
} from "../model/text-figures.ts";

function toArguments({ articleId, courseId }: AnalysedText) {
  return articleId === undefined ? { course_id: courseId } : { article_id: articleId };
}

/** Reads the analytics of an article; null when the caller has no such article. Throws the database's error. */
export async function fetchArticleAnalytics(
  client: BackendClient,
  articleId: string,
): Promise<ArticleAnalytics | null> {
  const { data, error } = await client.rpc("my_article_analytics", { article_id: articleId });
  if (error?.code === "FF740") return null;
  if (error) throw error;
  return articleAnalyticsSchema.parse(data);
}

/** Reads from where the members of a text came. Throws the database's error. */
export async function fetchSources(
  client: BackendClient,
  text: AnalysedText,
): Promise<TextSources> {
  const { data, error } = await client.rpc("sources_of_text", toArguments(text));
  if (error) throw error;
  return textSourcesSchema.parse(data);
}

/** Reads the ratings of a text with the newest sentences. Throws the database's error. */
export async function fetchRatings(
  client: BackendClient,
  text: AnalysedText,
): Promise<TextRatings> {
  const { data, error } = await client.rpc("ratings_of_text", toArguments(text));
  if (error) throw error;
  return textRatingsSchema.parse(data);
}

/** Takes down the sentence of a rating, as an administrator, who tells its author why. Throws the database's error. */
export async function takeDownSentence(
  client: BackendClient,
  ratingId: string,
  explanation: string,
): Promise<void> {
  const { error } = await client.rpc("remove_rating_comment", { rating_id: ratingId, explanation });
  if (error) throw error;
}

/** Reminds a student of a course. Throws the database's error. */
export async function nudgeStudent(
  client: BackendClient,
  courseId: string,
  studentId: string,
): Promise<void> {
  const { error } = await client.rpc("nudge_student", {
    course_id: courseId,
    student_id: studentId,
  });
  if (error) throw error;
}
