import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import {
  fetchContentFigures,
  fetchCourseAnalytics,
  fetchReadingTrend,
  fetchStudents,
} from "./api/fetch-analytics.ts";
import { fetchArticleAnalytics, fetchRatings, fetchSources } from "./api/text-figures.ts";
import { studentsPageSize, type CourseStudent } from "./model/analytics.ts";
import type { AnalysedText } from "./model/text-figures.ts";

export const analyticsKey = ["studio-analytics"] as const;

/** The figures of the mentor's articles and courses. */
export function useContentFigures() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "content"],
    queryFn: () => fetchContentFigures(client),
    retry: 2,
  });
}

/** What happened to the mentor's texts in the last days; those of another period stay until the new ones are there. */
export function useReadingTrend(days: number) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "trend", days],
    queryFn: () => fetchReadingTrend(client, days),
    placeholderData: keepPreviousData,
    retry: 2,
  });
}

/** The analytics of a course; null when the mentor has no such course. */
export function useCourseAnalytics(courseId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "course", courseId],
    queryFn: async () => (isUuid(courseId) ? await fetchCourseAnalytics(client, courseId) : null),
    retry: 2,
  });
}

/** The students of a course, page by page. */
export function useStudents(courseId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useInfiniteQuery({
    queryKey: [...analyticsKey, userId, "students", courseId],
    queryFn: ({ pageParam }) => fetchStudents(client, courseId, pageParam),
    initialPageParam: null as CourseStudent | null,
    getNextPageParam: (page) => (page.length < studentsPageSize ? null : (page.at(-1) ?? null)),
    retry: 2,
  });
}

/** The analytics of an article; null when the mentor has no such article. */
export function useArticleAnalytics(articleId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "article", articleId],
    queryFn: async () =>
      isUuid(articleId) ? await fetchArticleAnalytics(client, articleId) : null,
    retry: 2,
  });
}

/** From where the readers or students of a text came. */
export function useTextSources(text: AnalysedText) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "sources", text.articleId ?? text.courseId],
    queryFn: () => fetchSources(client, text),
  });
}

/** The ratings of a text with their sentences. */
export function useTextRatings(text: AnalysedText) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: [...analyticsKey, userId, "ratings", text.articleId ?? text.courseId],
    queryFn: () => fetchRatings(client, text),
  });
}
