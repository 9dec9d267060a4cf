import { formatChange } from "@/lib/format-change.ts";
import { longDate } from "@/lib/format-time.ts";
import { BarChart } from "@/ui/bar-chart.tsx";
import {
  percentOf,
  totalsByPeriod,
  toTrend,
  trendDays,
  type CourseAnalytics,
} from "../model/analytics.ts";
import { analyticsStrings, courseAnalyticsStrings, figureNames } from "../strings.ts";
import { FiguresTable } from "./figures-table.tsx";

const series = [
  ["enrolments", figureNames.enrolments],
  ["lessons", figureNames.lessonsCompleted],
  ["completions", figureNames.coursesCompleted],
] as const;

/** The last thirty days as charts and as a table. */
export function CourseTrend({ course }: { readonly course: CourseAnalytics }) {
  const days = toTrend(course);
  return (
    <section aria-labelledby="trend" className="grid grid-cols-1 gap-4">
      <h2 id="trend" className="display text-xl">
        {courseAnalyticsStrings.trendTitle(trendDays)}
      </h2>
      <div className="grid gap-8 sm:grid-cols-3">
        {series.map(([key, name]) => {
          const totals = totalsByPeriod(course.days, course.today, (day) => day[key]);
          return (
            <div key={key} className="grid content-start gap-3">
              <div className="grid gap-0.5">
                <p className="flex items-baseline justify-between gap-3">
                  <span className="text-sm text-muted">{name}</span>
                  <span className="display tabular text-xl">{totals.now}</span>
                </p>
                <p className="tabular text-sm text-muted">{formatChange(totals, trendDays)}</p>
              </div>
              <BarChart
                label={analyticsStrings.chartLabel(name, totals.now, trendDays)}
                bars={days.map((day) => ({ label: dateOf(day.day), value: day[key] }))}
              />
            </div>
          );
        })}
      </div>
      <details>
        <summary className="min-h-11 py-2.5 text-sm font-medium">
          {analyticsStrings.daysTable}
        </summary>
        <FiguresTable
          label={analyticsStrings.daysTable}
          headings={[figureNames.day, ...series.map(([, name]) => name)]}
          rows={days.toReversed().map((day) => ({
            id: day.day,
            cells: [dateOf(day.day), day.enrolments, day.lessons, day.completions],
          }))}
        />
      </details>
    </section>
  );
}

/** How far the members of each week came. */
export function CourseCohorts({ cohorts }: { readonly cohorts: CourseAnalytics["cohorts"] }) {
  if (cohorts.length === 0) return null;
  return (
    <section aria-labelledby="cohorts" className="grid grid-cols-1 gap-4">
      <h2 id="cohorts" className="display text-xl">
        {courseAnalyticsStrings.cohortsTitle}
      </h2>
      <FiguresTable
        label={courseAnalyticsStrings.cohortsTitle}
        headings={[
          courseAnalyticsStrings.cohortWeek,
          courseAnalyticsStrings.cohortJoined,
          figureNames.completed,
          figureNames.share,
        ]}
        rows={cohorts.map(({ week, enrolments, completions }) => ({
          id: week,
          cells: [
            dateOf(week),
            enrolments,
            completions,
            `${percentOf(completions, enrolments) ?? 0}%`,
          ],
        }))}
      />
    </section>
  );
}

/** A day of UTC in words, at noon so that it is the same day nearly everywhere. */
function dateOf(day: string): string {
  return longDate(Date.parse(`${day}T12:00:00Z`));
}
