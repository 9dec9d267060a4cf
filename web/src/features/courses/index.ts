export { CoursePage } from "./components/course-page.tsx";
export { CoursesPage } from "./components/courses-page.tsx";
