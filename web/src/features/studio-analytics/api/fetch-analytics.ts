import type { BackendClient } from "@/lib/backend-client.ts";
import {
  contentFiguresSchema,
  courseAnalyticsSchema,
  studentsSchema,
  type ContentFigures,
  type CourseAnalytics,
  type CourseStudent,
} from "../model/analytics.ts";
import { readingTrendSchema, type ReadingTrend } from "../model/reading-trend.ts";

/** Reads the figures of the caller's articles and courses. Throws the database's error. */
export async function fetchContentFigures(
  client: BackendClient,
): Promise<readonly ContentFigures[]> {
  const { data, error } = await client.rpc("my_content_figures");
  if (error) throw error;
  return contentFiguresSchema.parse(data);
}

/** Reads what happened to the caller's texts in the last days. Throws the database's error. */
export async function fetchReadingTrend(
  client: BackendClient,
  days: number,
): Promise<ReadingTrend> {
  const { data, error } = await client.rpc("my_reading_trend", { days });
  if (error) throw error;
  return readingTrendSchema.parse(data);
}

/** Reads the analytics of a course; null when the caller has no such course. Throws the database's error. */
export async function fetchCourseAnalytics(
  client: BackendClient,
  courseId: string,
): Promise<CourseAnalytics | null> {
  const { data, error } = await client.rpc("my_course_analytics", { course_id: courseId });
  if (error?.code === "FF740") return null;
  if (error) throw error;
  return courseAnalyticsSchema.parse(data);
}

/** Reads fifty students of a course after one of them. Throws the database's error. */
export async function fetchStudents(
  client: BackendClient,
  courseId: string,
  after: CourseStudent | null,
): Promise<readonly CourseStudent[]> {
  const { data, error } = await client.rpc("my_students", {
    course_id: courseId,
    ...(after ? { after_time: after.enrolled_at, after_id: after.user_id } : {}),
  });
  if (error) throw error;
  return studentsSchema.parse(data);
}
