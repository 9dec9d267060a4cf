export { CoursePlayer } from "./components/course-player.tsx";
export { NewerVersion } from "./components/newer-version.tsx";
export { CourseSkeleton } from "./components/course-view.tsx";
export { toCourse, withModuleCompleted, type Course } from "./model/course.ts";
export { formatDifficulty } from "./model/course-summary.ts";
export { ModuleVideo } from "./components/module-video.tsx";
