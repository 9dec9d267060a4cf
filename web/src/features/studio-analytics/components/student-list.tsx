import { Link } from "react-router";
import { memberPath } from "@/domain/paths.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { CourseStudent } from "../model/analytics.ts";
import { useStudents } from "../queries.ts";
import { studentStrings } from "../strings.ts";
import { FiguresTable } from "./figures-table.tsx";
import { NudgeButton } from "./nudge-button.tsx";

/** The name of a student, also of one who gave none. */
function nameOf({ name }: CourseStudent): string {
  return name === "" ? studentStrings.nameless : name;
}

/** Who is enrolled, with progress and last activity. */
export function StudentList({ courseId }: { readonly courseId: string }) {
  const { data, isError, isFetching, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useStudents(courseId);
  const now = useNow();
  const students = data?.pages.flat();
  return (
    <section aria-labelledby="students" className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h2 id="students" className="display text-xl">
          {studentStrings.title}
        </h2>
        <p className="max-w-prose text-sm text-muted">{studentStrings.intro}</p>
      </div>
      {students === undefined && isError ? (
        <LoadFailed
          title={studentStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : null}
      {students === undefined && !isError ? (
        <Loading label={studentStrings.loading}>
          <Skeleton className="h-40 rounded-card" />
        </Loading>
      ) : null}
      {students?.length === 0 ? <p className="text-muted">{studentStrings.empty}</p> : null}
      {students === undefined || students.length === 0 ? null : (
        <FiguresTable
          label={studentStrings.title}
          headings={[
            studentStrings.name,
            studentStrings.progress,
            studentStrings.lastActive,
            studentStrings.enrolled,
            studentStrings.reminder,
          ]}
          rows={students.map((student) => ({
            id: student.user_id,
            cells: [
              student.name,
              student.completed_at === null ? `${student.progress}%` : studentStrings.completed,
              timeAgo(Date.parse(student.last_active_at), now),
              timeAgo(Date.parse(student.enrolled_at), now),
            ],
            name: (
              <Link to={memberPath(student.user_id)} className="underline underline-offset-4">
                {nameOf(student)}
              </Link>
            ),
            action: student.may_nudge ? (
              <NudgeButton courseId={courseId} studentId={student.user_id} name={nameOf(student)} />
            ) : student.nudged_at === null ? (
              "–"
            ) : (
              studentStrings.reminderSent(timeAgo(Date.parse(student.nudged_at), now))
            ),
          }))}
        />
      )}
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {studentStrings.more}
        </Button>
      ) : null}
    </section>
  );
}
