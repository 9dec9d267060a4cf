import { CertificateLink } from "@/features/achievements/index.ts";
import { BackLink, ClosedMeanwhile, TextSkeleton } from "@/features/library/index.ts";
import { Questions } from "@/features/questions/index.ts";
import { RatingPanel } from "@/features/ratings/index.ts";
import { classNames } from "@/ui/class-names.ts";
import { Skeleton } from "@/ui/skeleton.tsx";
import type { CourseAddress } from "../api/fetch-course.ts";
import type { Course } from "../model/course.ts";
import type { CourseInOrder } from "../model/course-summary.ts";
import { useCourseActions } from "../mutations.ts";
import { CoursePlayer } from "./course-player.tsx";
import { NewerVersion } from "./newer-version.tsx";
import { NextCourse } from "./next-course.tsx";
import { EnrollView } from "./enroll-view.tsx";

export interface CourseViewProps {
  readonly course: Course;
  readonly address: CourseAddress;
  /** Address of the list that the course was chosen from. */
  readonly list: string;
  /** Name of that list. */
  readonly back: string;
  /** The courses of that list in display order; empty while unknown. */
  readonly courses: readonly CourseInOrder[];
}

/** A course: what it is before the member enrols, its lessons afterwards. */
export function CourseView({ course, address, list, back, courses }: CourseViewProps) {
  const { enroll, enrolling, complete, completing, moveOn, moving } = useCourseActions(address);
  return (
    <div
      className={classNames(
        "grid grid-cols-1 gap-6",
        course.enrollment !== null && "gap-2 sm:gap-4",
      )}
    >
      <BackLink to={list}>{back}</BackLink>
      {course.enrollment?.isBehind === true ? (
        <NewerVersion moving={moving} onMove={moveOn} />
      ) : null}
      {course.enrollment === null ? (
        <EnrollView
          course={course}
          category={address.category}
          enrolling={enrolling}
          onEnroll={enroll}
        />
      ) : (
        <CoursePlayer
          key={course.id}
          course={course}
          enrollment={course.enrollment}
          list={list}
          finished={
            <>
              <div className="basis-full empty:hidden">
                <CertificateLink courseId={course.id} />
              </div>
              <NextCourse
                courseId={course.id}
                category={address.category}
                courses={courses}
                list={list}
              />
            </>
          }
          completing={completing}
          onComplete={complete}
          afterEnd={<RatingPanel text={{ courseId: course.id }} />}
          renderBelow={({ id: moduleId, isGone }) => (
            <>
              <ClosedMeanwhile />
              {isGone ? null : <Questions text={{ moduleId }} />}
            </>
          )}
        />
      )}
    </div>
  );
}

/** The shape of a course while it is loading. */
export function CourseSkeleton() {
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
