import { percentOf, toFunnel, type CourseAnalytics } from "../model/analytics.ts";
import { courseAnalyticsStrings, figureNames } from "../strings.ts";
import { FiguresTable } from "./figures-table.tsx";

/** How many members completed each lesson, and before which most stop. */
export function CourseFunnel({ course }: { readonly course: CourseAnalytics }) {
  const { steps, stopId } = toFunnel(course);
  return (
    <section aria-labelledby="funnel" className="grid grid-cols-1 gap-4">
      <h2 id="funnel" className="display text-xl">
        {courseAnalyticsStrings.funnelTitle}
      </h2>
      {steps.length === 0 ? <p className="text-muted">{courseAnalyticsStrings.noLessons}</p> : null}
      <ol className="grid gap-3">
        {steps.map(({ id, title, completions, lost }) => {
          const share = percentOf(completions, course.enrolments) ?? 0;
          return (
            <li key={id} className="grid gap-1">
              <p className="flex flex-wrap items-baseline justify-between gap-x-4">
                <span className="wrap-anywhere">{title}</span>
                <span className="tabular text-sm text-muted">
                  {courseAnalyticsStrings.lessonCompletions(completions, course.enrolments, share)}
                </span>
              </p>
              <div aria-hidden data-meter="" className="h-2 overflow-hidden rounded-full bg-sunken">
                <div className="h-full bg-accent" style={{ width: `${Math.min(100, share)}%` }} />
              </div>
              {id === stopId ? (
                <p className="text-sm font-medium">{courseAnalyticsStrings.stopsHere(lost)}</p>
              ) : null}
            </li>
          );
        })}
      </ol>
      {steps.length === 0 ? null : (
        <details>
          <summary className="min-h-11 py-2.5 text-sm font-medium">
            {courseAnalyticsStrings.lessonsTable}
          </summary>
          <FiguresTable
            label={courseAnalyticsStrings.lessonsTable}
            headings={[
              courseAnalyticsStrings.lesson,
              courseAnalyticsStrings.completedBy,
              figureNames.share,
              courseAnalyticsStrings.stoppedBefore,
            ]}
            rows={steps.map(({ id, title, completions, lost }) => ({
              id,
              cells: [
                title,
                completions,
                `${percentOf(completions, course.enrolments) ?? 0}%`,
                lost,
              ],
            }))}
          />
        </details>
      )}
    </section>
  );
}
