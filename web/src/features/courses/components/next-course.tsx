import { Link } from "react-router";
import type { Category } from "@/domain/categories.ts";
import { NextInLevel } from "@/features/library/index.ts";
import { Button } from "@/ui/button.tsx";
import { nextCourse, type CourseInOrder } from "../model/course-summary.ts";
import { courseStrings } from "../strings.ts";

/** After a finished course: how many of its list are finished and the way to the next that isn't, else to the next of the level. */
export function NextCourse({
  courseId,
  category,
  courses,
  list,
}: {
  readonly courseId: string;
  readonly category: Category;
  /** In display order; empty while unknown. */
  readonly courses: readonly CourseInOrder[];
  /** Address of their list. */
  readonly list: string;
}) {
  if (courses.length === 0) return null;
  const next = nextCourse(courses, courseId);
  const done = courses.filter(({ id, isComplete }) => isComplete || id === courseId).length;
  return (
    <>
      {courses.length < 2 ? null : (
        <p className="tabular basis-full text-sm text-muted">
          {courseStrings.finishedOf(done, courses.length)}
        </p>
      )}
      {next === undefined ? (
        <div className="min-w-0 basis-full">
          <NextInLevel category={category} />
        </div>
      ) : (
        <Button
          asChild
          variant="secondary"
          className="h-auto min-h-11 max-w-full py-2 whitespace-normal"
        >
          <Link to={`${list}/${next.id}`}>
            <span className="min-w-0 wrap-anywhere">{courseStrings.next(next.title)}</span>
          </Link>
        </Button>
      )}
    </>
  );
}
