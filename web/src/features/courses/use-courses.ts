import type { Category } from "@/domain/categories.ts";
import { toShelfPage, useShelfPage, type ShelfPage } from "@/features/library/index.ts";
import { toCourseCard, type CourseCard } from "./model/course-card.ts";

function toCourses(answer: unknown): ShelfPage<CourseCard> {
  return toShelfPage(answer, toCourseCard);
}

/** The courses of a subcategory, in the order of the shelf. */
export function useCourses(category: Category, slug: string) {
  return useShelfPage({ category, shelf: "courses", slug }, toCourses);
}
