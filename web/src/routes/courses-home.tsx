import { CategoryHome } from "@/features/library/public.ts";

/** `/{category}/courses`. */
export default function CoursesHome() {
  return <CategoryHome shelf="courses" />;
}
