import { Link } from "react-router";
import { Button } from "@/ui/button.tsx";
import { nextCourse, type CourseInOrder } from "../model/course-summary.ts";
import { courseStrings } from "../strings.ts";

/** After a finished course: how many of its list are finished, and the way to the next that isn't. */
export function NextCourse({
  courseId,
  courses,
  list,
}: {
  readonly courseId: string;
  /** In display order; empty while unknown. */
  readonly courses: readonly CourseInOrder[];
  /** Address of their list. */
  readonly list: string;
}) {
  if (courses.length < 2) return null;
  const next = nextCourse(courses, courseId);
  const done = courses.filter(({ id, isComplete }) => isComplete || id === courseId).length;
  return (
    <>
      <p className="tabular basis-full text-sm text-muted">
        {courseStrings.finishedOf(done, courses.length)}
      </p>
      {next === undefined ? null : (
        <Button asChild variant="accent" className="h-auto min-h-11 max-w-full whitespace-normal">
          <Link to={`${list}/${next.id}`}>
            <span className="min-w-0 wrap-anywhere">{courseStrings.next(next.title)}</span>
          </Link>
        </Button>
      )}
    </>
  );
}
