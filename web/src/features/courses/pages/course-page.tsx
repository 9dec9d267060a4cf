import { Navigate } from "react-router";
import { libraryPath } from "@/domain/library-paths.ts";
import {
  BackLink,
  libraryStrings,
  NotFoundMessage,
  TextSkeleton,
  useLibraryAddress,
} from "@/features/library/index.ts";
import { Questions } from "@/features/questions/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import { useCourse, useCourses } from "../queries.ts";
import { useCourseActions } from "../mutations.ts";
import { CoursePlayer } from "../components/course-player.tsx";
import { EnrollView } from "../components/enroll-view.tsx";

/** `/{category}/courses/{subcategory}/{courseId}`. */
export function CoursePage() {
  const { category, slug, itemId } = useLibraryAddress();
  const address = { category, slug, courseId: itemId };
  const { course, failed } = useCourse(address);
  const { enroll, enrolling, complete, completing } = useCourseActions(address);
  const shelf = useCourses(category, slug);
  usePageDetail(course?.title ?? null);
  const list = libraryPath(category, "courses", slug);
  /* Without a live membership nothing is found, and the shelf says why. */
  const closed = course === null && shelf.data?.isOpen === false;
  if (failed || closed) return <Navigate to={list} replace />;
  if (course === undefined || (course === null && shelf.isPending)) return <CourseSkeleton />;
  if (course === null) {
    return (
      <NotFoundMessage title={libraryStrings.courseNotFound} to={list} back="Back to the courses">
        It may have been removed, or the link may be wrong.
      </NotFoundMessage>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <BackLink to={list}>{course.subcategory.name}</BackLink>
      {course.enrollment === null ? (
        <EnrollView course={course} category={category} enrolling={enrolling} onEnroll={enroll} />
      ) : (
        <CoursePlayer
          key={course.id}
          course={course}
          enrollment={course.enrollment}
          list={list}
          completing={completing}
          onComplete={complete}
          renderBelow={(moduleId) => <Questions text={{ moduleId }} />}
        />
      )}
    </div>
  );
}

function CourseSkeleton() {
  return (
    <div className="grid gap-6">
      <Skeleton className="h-9 w-40" />
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="grid content-start gap-6">
          <Skeleton className="h-12 w-4/5" />
          <TextSkeleton />
        </div>
        <Skeleton className="h-72 rounded-card" />
      </div>
    </div>
  );
}
