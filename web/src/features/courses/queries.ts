import { useQuery } from "@tanstack/react-query";
import type { Category } from "@/domain/categories.ts";
import type { UploadedFilm } from "@/domain/course-films.ts";
import { libraryKey, toShelfPage, useShelfPage, type ShelfPage } from "@/features/library/index.ts";
import { useUserId } from "@/features/session/index.ts";
import { useBackend } from "@/lib/backend.tsx";
import { isUuid } from "@/lib/uuid.ts";
import { fetchCourse, type CourseAddress } from "./api/fetch-course.ts";
import { fetchFilmLinks } from "./api/fetch-film-links.ts";
import { fetchSyllabus } from "./api/fetch-syllabus.ts";
import { fetchTraining } from "./api/fetch-training.ts";
import { toCourseSummary, type CourseSummary } from "./model/course-summary.ts";

export function courseKey(userId: string, { category, slug, courseId }: CourseAddress) {
  return libraryKey(userId, "course", category, slug, courseId);
}

function toCourses(answer: unknown): ShelfPage<CourseSummary> {
  return toShelfPage(answer, toCourseSummary);
}

/** The courses of a subcategory in display order. */
export function useCourses(category: Category, slug: string) {
  return useShelfPage({ category, shelf: "courses", slug }, toCourses);
}

/** The courses that mentors take from their first day, in display order. */
export function useTraining() {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "training"),
    queryFn: () => fetchTraining(client),
    enabled: userId !== "",
  });
}

/** What a course holds, for members who have not enrolled. */
export function useSyllabus(courseId: string) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: libraryKey(userId, "syllabus", courseId),
    queryFn: () => fetchSyllabus(client, courseId),
    enabled: userId !== "",
  });
}

/**
 * Links that play an uploaded film for an hour. They are not read anew with the library: another link would begin the film
 * again.
 */
export function useFilmLinks(film: UploadedFilm) {
  const { client } = useBackend();
  const userId = useUserId();
  return useQuery({
    queryKey: ["films", userId, film.film],
    queryFn: () => fetchFilmLinks(client, film),
    enabled: userId !== "",
    staleTime: Infinity,
    retry: 1,
  });
}

/** The course at an address. */
export function useCourse(address: CourseAddress) {
  const { client } = useBackend();
  const userId = useUserId();
  const isPossible = isUuid(address.courseId);
  const query = useQuery({
    queryKey: courseKey(userId, address),
    queryFn: () => fetchCourse(client, address),
    enabled: userId !== "" && isPossible,
    retry: 2,
  });
  return {
    /** Undefined while it is loading, null when there is none. */
    course: isPossible ? query.data : null,
    failed: isPossible && query.isError && query.data === undefined,
  };
}
