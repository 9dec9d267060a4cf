export { CoursePlayer } from "./components/course-player.tsx";
export { withModuleCompleted, type Course } from "./model/course.ts";
export { formatDifficulty, formatPrice } from "./model/course-summary.ts";
