import type { ComponentType } from "react";
import { sections, type Shelf } from "@/domain/library-paths.ts";
import { page, type LoadPage } from "./page.ts";

async function loadCategoryHome(shelf: Shelf): Promise<ComponentType> {
  const { CategoryHome } = await import("@/features/library/pages/category-home.tsx");
  return () => <CategoryHome shelf={shelf} />;
}

const shelves = {
  foundations: [
    ["", () => loadCategoryHome("articles")],
    [
      "/:subcategory",
      async () => (await import("@/features/articles/pages/articles-page.tsx")).ArticlesPage,
    ],
    [
      "/:subcategory/:itemId",
      async () => (await import("@/features/articles/pages/article-page.tsx")).ArticlePage,
    ],
  ],
  courses: [
    ["", () => loadCategoryHome("courses")],
    [
      "/:subcategory",
      async () => (await import("@/features/courses/pages/courses-page.tsx")).CoursesPage,
    ],
    [
      "/:subcategory/:itemId",
      async () => (await import("@/features/courses/pages/course-page.tsx")).CoursePage,
    ],
  ],
} as const satisfies Record<string, readonly (readonly [rest: string, load: LoadPage])[]>;

/** Articles and courses of each category, by the same pages. */
export const libraryRoutes = Object.values(sections).flatMap(({ segment, name }) =>
  Object.entries(shelves).flatMap(([shelf, pages]) =>
    pages.map(([rest, load]) =>
      page(
        `/${segment}/${shelf}${rest}`,
        `${name} · ${shelf === "courses" ? "Courses" : "Foundations"}`,
        load,
        segment,
      ),
    ),
  ),
);
