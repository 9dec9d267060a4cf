import type { RouteObject } from "react-router";
import { boughtCoursePath, paths } from "@/domain/paths.ts";
import { page } from "./page.ts";

/** What was bought, and gifts: in the house for members, by themselves for everyone else. */
export const boughtRoutes: RouteObject = {
  lazy: async () => ({ Component: (await import("./house-or-outside.tsx")).HouseOrOutside }),
  children: [
    page(
      paths.yourCourses,
      "Your courses",
      async () => (await import("@/features/selling/pages/your-courses-page.tsx")).YourCoursesPage,
    ),
    page(
      paths.gifts,
      "Gifts",
      async () => (await import("@/features/selling/pages/gifts-page.tsx")).GiftsPage,
    ),
    page(
      boughtCoursePath(":courseId"),
      "Your course",
      async () =>
        (await import("@/features/selling/pages/bought-course-page.tsx")).BoughtCoursePage,
    ),
  ],
};
