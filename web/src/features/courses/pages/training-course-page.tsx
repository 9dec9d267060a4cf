import { Navigate, useParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { libraryStrings, NotFoundMessage } from "@/features/library/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import type { TrainingCourse } from "../api/fetch-training.ts";
import { CourseSkeleton, CourseView } from "../components/course-view.tsx";
import { useCourse, useTraining } from "../queries.ts";
import { courseStrings, trainingStrings } from "../strings.ts";

/** `/studio/training/{courseId}`. */
export function TrainingCoursePage() {
  const { courseId = "" } = useParams();
  const { data, isError } = useTraining();
  const found = data?.find(({ id }) => id === courseId);
  if (isError && data === undefined) return <Navigate to={paths.training} replace />;
  if (data === undefined) return <CourseSkeleton />;
  return found === undefined ? (
    <NotInTraining />
  ) : (
    <TrainingCourseView found={found} courses={data} />
  );
}

function TrainingCourseView({
  found,
  courses,
}: {
  readonly found: TrainingCourse;
  readonly courses: readonly TrainingCourse[];
}) {
  const { main_category: category, slug } = found.subcategory;
  const address = { category, slug, courseId: found.id };
  const { course, failed } = useCourse(address);
  usePageDetail(found.title);
  if (failed) return <Navigate to={paths.training} replace />;
  if (course === undefined) return <CourseSkeleton />;
  if (course === null) return <NotInTraining />;
  return (
    <CourseView
      course={course}
      address={address}
      list={paths.training}
      back={trainingStrings.title}
      courses={courses.map(({ id, title, enrollments }) => ({
        id,
        title,
        isComplete: enrollments.some(({ progress_percentage: progress }) => progress >= 100),
      }))}
    />
  );
}

function NotInTraining() {
  return (
    <NotFoundMessage
      title={libraryStrings.courseNotFound}
      to={paths.training}
      back={trainingStrings.back}
    >
      {courseStrings.notFound}
    </NotFoundMessage>
  );
}
