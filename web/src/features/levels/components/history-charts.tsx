import { Link, useSearchParams } from "react-router";
import type { RequirementKind } from "@/domain/level-progress.ts";
import { systemClock } from "@/lib/clock.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { BarChart } from "@/ui/bar-chart.tsx";
import { classNames } from "@/ui/class-names.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import {
  chartedKinds,
  historyRanges,
  toPeriods,
  toRange,
  type HistoryRange,
  type HistoryPeriod,
} from "../model/history.ts";
import { useHistory } from "../queries.ts";
import { historyStrings, periodLabels, rangeLabels, requirementNames } from "../strings.ts";

const accents: Readonly<Record<RequirementKind, string>> = {
  engagements: "community",
  rooms: "community",
  submissions: "community",
  articles: "knowledge",
  courses: "knowledge",
};

/** What was done when, as small charts and as a table; `?days=` says how far back. */
export function HistoryCharts() {
  const [parameters] = useSearchParams();
  const range = toRange(parameters.get("days"));
  const { data, dataUpdatedAt, isError, error, isFetching, refetch } = useHistory(range);
  const periods = data ? toPeriods(data, range, dataUpdatedAt || systemClock.now()) : null;
  return (
    <section aria-labelledby="over-time" className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="over-time" className="display text-xl">
          {historyStrings.title}
        </h2>
        <RangeLinks chosen={range} parameters={parameters} />
      </div>
      {periods === null && isError ? (
        <LoadFailed
          title={historyStrings.loadFailed}
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {periods === null && !isError ? (
        <Loading
          label={historyStrings.loading}
          className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3"
        >
          {chartedKinds.map((kind) => (
            <Skeleton key={kind} className="h-36" />
          ))}
        </Loading>
      ) : null}
      {periods === null ? null : <Charts periods={periods} range={range} />}
    </section>
  );
}

function RangeLinks({
  chosen,
  parameters,
}: {
  readonly chosen: HistoryRange;
  readonly parameters: URLSearchParams;
}) {
  return (
    <nav aria-label={historyStrings.range} className="flex flex-wrap gap-1">
      {historyRanges.map((range) => {
        const next = new URLSearchParams(parameters);
        next.set("days", String(range));
        return (
          <Link
            key={range}
            to={`?${next.toString()}`}
            preventScrollReset
            aria-current={range === chosen ? "true" : undefined}
            className={classNames(
              "flex min-h-10 items-center rounded-full border px-3.5 text-sm",
              range === chosen
                ? "border-ink font-medium"
                : "border-line text-muted hover:bg-hover hover:text-ink",
            )}
          >
            {rangeLabels[range]}
          </Link>
        );
      })}
    </nav>
  );
}

function Charts({
  periods,
  range,
}: {
  readonly periods: readonly HistoryPeriod[];
  readonly range: HistoryRange;
}) {
  return (
    <>
      <div className="grid gap-x-8 gap-y-8 sm:grid-cols-2 xl:grid-cols-3">
        {chartedKinds.map((kind) => {
          const total = periods.reduce((sum, period) => sum + period[kind], 0);
          return (
            <div key={kind} data-accent={accents[kind]} className="grid content-start gap-3">
              <p className="flex items-baseline justify-between gap-3">
                <span className="text-sm text-muted">{requirementNames[kind]}</span>
                <span className="display tabular text-xl">{total}</span>
              </p>
              <BarChart
                label={historyStrings.chart(requirementNames[kind], total, rangeLabels[range])}
                bars={periods.map((period) => ({ label: period.label, value: period[kind] }))}
              />
            </div>
          );
        })}
      </div>
      <details className="rounded-card border border-line">
        <summary className="min-h-11 px-5 py-2.5 text-sm font-medium">
          {historyStrings.table}
        </summary>
        <div
          role="region"
          aria-label={historyStrings.table}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A keyboard must be able to scroll it.
          tabIndex={0}
          className="scroll-edges rounded-b-card border-t border-line px-5 py-2"
        >
          <table className="tabular w-full min-w-xl text-sm">
            <caption className="sr-only">{historyStrings.caption(rangeLabels[range])}</caption>
            <thead className="text-left text-muted">
              <tr>
                <th scope="col" className="py-2 pr-4 font-medium">
                  {periodLabels[range]}
                </th>
                {chartedKinds.map((kind) => (
                  <th key={kind} scope="col" className="py-2 pl-4 text-right font-medium">
                    {requirementNames[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {periods.toReversed().map((period) => (
                <tr key={period.label} className="border-t border-line">
                  <th scope="row" className="py-2 pr-4 text-left font-normal whitespace-nowrap">
                    {period.label}
                  </th>
                  {chartedKinds.map((kind) => (
                    <td key={kind} className="py-2 pl-4 text-right">
                      {period[kind]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </>
  );
}
