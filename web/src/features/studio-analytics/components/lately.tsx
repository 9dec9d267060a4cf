import type { ReactNode } from "react";
import { Link } from "react-router";
import { courseAnalyticsPath, paths } from "@/domain/paths.ts";
import { useSession } from "@/features/session/index.ts";
import { formatChange } from "@/lib/format-change.ts";
import { formatCount } from "@/lib/format-count.ts";
import { longDate } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { LineChart } from "@/ui/line-chart.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import {
  readersByDay,
  trendPeriods,
  type ReadingTrend,
  type TrendPeriod,
} from "../model/reading-trend.ts";
import { useReadingTrend } from "../queries.ts";
import { analyticsStrings, figureNames, latelyStrings } from "../strings.ts";
import { FiguresTable } from "./figures-table.tsx";

const defaults = { days: "30" };

/**
 * What happened lately, in a sentence, four figures and a line; the period is in the address. What stands below comes with
 * it, so that it need not move.
 */
export function Lately({
  openQuestions,
  children,
}: {
  readonly openQuestions: number;
  readonly children: ReactNode;
}) {
  const [{ days }, setFilters] = useUrlFilters(defaults);
  const period = trendPeriods.find((each) => String(each) === days) ?? 30;
  const { data, isError, isFetching, refetch } = useReadingTrend(period);
  const lately = (
    <section aria-labelledby="lately" className="grid grid-cols-1 gap-5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="lately" className="display text-xl">
          {latelyStrings.title}
        </h2>
        <div role="group" aria-label={latelyStrings.period} className="flex gap-2">
          {trendPeriods.map((each) => (
            <Button
              key={each}
              size="sm"
              variant={each === period ? "secondary" : "quiet"}
              aria-pressed={each === period}
              onClick={() => setFilters({ days: String(each) })}
            >
              {latelyStrings.days(each)}
            </Button>
          ))}
        </div>
      </div>
      {data ? (
        <Trend trend={data} period={period} openQuestions={openQuestions} />
      ) : isError ? (
        <LoadFailed
          title={latelyStrings.loadFailed}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      ) : (
        <Loading label={latelyStrings.loading}>
          <Skeleton className="h-72 rounded-card" />
        </Loading>
      )}
    </section>
  );
  return (
    <>
      {lately}
      {data || isError ? children : null}
    </>
  );
}

function Trend({
  trend,
  period,
  openQuestions,
}: {
  readonly trend: ReadingTrend;
  readonly period: TrendPeriod;
  readonly openQuestions: number;
}) {
  const isEveryone = useSession().profile?.role === "admin";
  const days = readersByDay(trend, period);
  const { stop } = trend;
  return (
    <>
      <p className="max-w-prose text-lg">
        {latelyStrings.readThisWeek(trend.readers_this_week, isEveryone)}{" "}
        {stop === null ? null : (
          <>
            {latelyStrings.stopsAt(stop.members, stop.module)}
            <Link to={courseAnalyticsPath(stop.course_id)} className="underline underline-offset-4">
              {stop.title}
            </Link>
            {". "}
          </>
        )}
        {openQuestions === 0 || isEveryone ? null : (
          <Link to={paths.studio} className="underline underline-offset-4">
            {latelyStrings.openQuestions(openQuestions)}
          </Link>
        )}
      </p>
      <Card className="grid grid-cols-1 gap-6">
        <dl className="grid grid-cols-2 gap-x-4 gap-y-5 lg:grid-cols-4">
          <StatFigure label={figureNames.readers} value={formatCount(trend.readers)} />
          <StatFigure
            label={figureNames.articlesRead}
            value={formatCount(trend.reads)}
            change={formatChange({ now: trend.reads, before: trend.before.reads }, period)}
          />
          <StatFigure
            label={figureNames.enrolments}
            value={formatCount(trend.enrolments)}
            change={formatChange(
              { now: trend.enrolments, before: trend.before.enrolments },
              period,
            )}
          />
          <StatFigure
            label={figureNames.lessonsCompleted}
            value={formatCount(trend.lessons)}
            change={formatChange({ now: trend.lessons, before: trend.before.lessons }, period)}
          />
        </dl>
        <LineChart
          label={latelyStrings.chartLabel(trend.readers, period)}
          points={days.map(({ day, readers }) => ({ label: dateOf(day), value: readers }))}
        />
        <details>
          <summary className="min-h-11 py-2.5 text-sm font-medium">
            {analyticsStrings.daysTable}
          </summary>
          <p className="pb-3 text-sm text-muted">{latelyStrings.note}</p>
          <FiguresTable
            label={analyticsStrings.daysTable}
            headings={[figureNames.day, figureNames.readers]}
            rows={days.toReversed().map(({ day, readers }) => ({
              id: day,
              cells: [dateOf(day), readers],
            }))}
          />
        </details>
      </Card>
    </>
  );
}

/** A day of UTC in words, at noon so that it is the same day nearly everywhere. */
function dateOf(day: string): string {
  return longDate(Date.parse(`${day}T12:00:00Z`));
}
