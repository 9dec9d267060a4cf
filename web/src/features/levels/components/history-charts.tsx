import { Link, useSearchParams } from "react-router";
import type { DeedKind } from "@/domain/level-progress.ts";
import { systemClock } from "@/lib/clock.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { BarChart } from "@/ui/bar-chart.tsx";
import { classNames } from "@/ui/class-names.ts";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import {
  deedKinds,
  historyRanges,
  rangeWords,
  spansOf,
  spanWords,
  toRange,
  type HistoryRange,
  type HistorySpan,
} from "../model/history.ts";
import { useHistory } from "../use-statistics.ts";

const names: Readonly<Record<DeedKind, string>> = {
  engagements: "Message engagements",
  rooms: "Chat rooms opened",
  submissions: "Learning submissions",
  articles: "Articles read",
  courses: "Courses completed",
};

const accents: Readonly<Record<DeedKind, string>> = {
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
  const spans = data ? spansOf(data, range, dataUpdatedAt || systemClock.now()) : null;
  return (
    <section aria-labelledby="over-time" className="grid grid-cols-1 gap-6">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="over-time" className="display text-xl">
          Over time
        </h2>
        <RangeLinks chosen={range} parameters={parameters} />
      </div>
      {spans === null && isError ? (
        <LoadFailed
          title="The charts could not be loaded"
          busy={isFetching}
          advice={retryLaterMessage(error)}
          onRetry={() => void refetch()}
        />
      ) : null}
      {spans === null && !isError ? (
        <Loading label="Loading the charts" className="grid gap-6 sm:grid-cols-2 xl:grid-cols-3">
          {deedKinds.map((kind) => (
            <Skeleton key={kind} className="h-36" />
          ))}
        </Loading>
      ) : null}
      {spans === null ? null : <Charts spans={spans} range={range} />}
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
    <nav aria-label="How far back" className="flex flex-wrap gap-1">
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
            {rangeWords[range]}
          </Link>
        );
      })}
    </nav>
  );
}

function Charts({
  spans,
  range,
}: {
  readonly spans: readonly HistorySpan[];
  readonly range: HistoryRange;
}) {
  return (
    <>
      <div className="grid gap-x-8 gap-y-8 sm:grid-cols-2 xl:grid-cols-3">
        {deedKinds.map((kind) => {
          const total = spans.reduce((sum, span) => sum + span[kind], 0);
          return (
            <div key={kind} data-accent={accents[kind]} className="grid content-start gap-3">
              <p className="flex items-baseline justify-between gap-3">
                <span className="text-sm text-muted">{names[kind]}</span>
                <span className="display tabular text-xl">{total}</span>
              </p>
              <BarChart
                label={`${names[kind]}: ${total} in ${rangeWords[range]}. The figures are in the table below.`}
                bars={spans.map((span) => ({ label: span.label, value: span[kind] }))}
              />
            </div>
          );
        })}
      </div>
      <details className="rounded-card border border-line">
        <summary className="min-h-11 px-5 py-2.5 text-sm font-medium">
          The figures as a table
        </summary>
        <div
          role="region"
          aria-label="The figures as a table"
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A keyboard must be able to scroll it.
          tabIndex={0}
          className="overflow-x-auto border-t border-line px-5 py-2"
        >
          <table className="tabular w-full min-w-xl text-sm">
            <thead className="text-left text-muted">
              <tr>
                <th scope="col" className="py-2 pr-4 font-medium">
                  {spanWords[range]}
                </th>
                {deedKinds.map((kind) => (
                  <th key={kind} scope="col" className="py-2 pl-4 text-right font-medium">
                    {names[kind]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {spans.toReversed().map((span) => (
                <tr key={span.label} className="border-t border-line">
                  <th scope="row" className="py-2 pr-4 text-left font-normal whitespace-nowrap">
                    {span.label}
                  </th>
                  {deedKinds.map((kind) => (
                    <td key={kind} className="py-2 pl-4 text-right">
                      {span[kind]}
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
