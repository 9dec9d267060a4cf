import { Navigate } from "react-router";
import { libraryPath } from "@/domain/library-paths.ts";
import { libraryStrings, NotFoundMessage, useLibraryAddress } from "@/features/library/index.ts";
import { usePageDetail } from "@/lib/page-detail.ts";
import { useCourse, useCourses } from "../queries.ts";
import type { CourseInOrder } from "../model/course-summary.ts";
import { courseStrings } from "../strings.ts";
import { CourseSkeleton, CourseView } from "../components/course-view.tsx";

const none: readonly CourseInOrder[] = [];

/** `/{category}/courses/{subcategory}/{courseId}`. */
export function CoursePage() {
  const { category, slug, itemId } = useLibraryAddress();
  const address = { category, slug, courseId: itemId };
  const { course, failed } = useCourse(address);
  const shelf = useCourses(category, slug);
  usePageDetail(course?.title ?? null);
  const list = libraryPath(category, "courses", slug);
  // Without a live membership nothing is found, and the shelf says why.
  const closed = course === null && (shelf.data?.isOpen === false || shelf.isLoadingError);
  if (failed || closed) return <Navigate to={list} replace />;
  if (course === undefined || (course === null && shelf.isPending)) return <CourseSkeleton />;
  if (course === null) {
    return (
      <NotFoundMessage title={libraryStrings.courseNotFound} to={list} back={courseStrings.back}>
        {courseStrings.notFound}
      </NotFoundMessage>
    );
  }
  return (
    <CourseView
      course={course}
      address={address}
      list={list}
      back={course.subcategory.name}
      courses={shelf.data?.items ?? none}
    />
  );
}
