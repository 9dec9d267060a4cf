import { CategoryHome } from "@/features/library/index.ts";

/** `/{category}/courses`. */
export default function CoursesHome() {
  return <CategoryHome shelf="courses" />;
}
