export { CoursePage as default } from "@/features/courses/index.ts";
