export { CoursePage as default } from "@/features/courses/public.ts";
