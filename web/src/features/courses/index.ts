export { CoursePage } from "./pages/course-page.tsx";
export { CoursesPage } from "./pages/courses-page.tsx";
