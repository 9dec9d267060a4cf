import { useQuery } from "@tanstack/react-query";
import { brand, formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { formatCount } from "@/lib/format-count.ts";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { Card } from "@/ui/card.tsx";
import { classNames } from "@/ui/class-names.ts";
import { LineChart } from "@/ui/line-chart.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { fetchTrend, type TwelveMonths } from "../api/fetch-trend.ts";
import { moneyKey } from "../queries.ts";
import { cancellationReason, trendStrings as strings } from "../strings/trend.ts";

/** Twelve months as a line, what is earned a month now, who left, and why. */
export function MoneyTrend() {
  const { client } = useBackend();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [moneyKey, "trend"],
    queryFn: () => fetchTrend(client),
    retry: retryAdminQuery,
  });
  if (data) return <Drawn trend={data} />;
  if (isError) {
    return (
      <LoadFailed title={strings.loadFailed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  return (
    <Loading label={strings.loading}>
      <Skeleton className="h-72 rounded-card" />
    </Loading>
  );
}

function Drawn({
  trend: { months, monthly_revenue_pence: recurring, reasons },
}: {
  readonly trend: TwelveMonths;
}) {
  const left = formatPence(months.reduce((sum, month) => sum + month.net_pence, 0));
  // The month that runs is not over: who is lost in it is not known.
  const last = months.at(-2);
  const name = (month: string) =>
    month === months.at(-1)?.month ? strings.soFar(nameOf(month)) : nameOf(month);
  return (
    <section
      aria-labelledby="twelve-months"
      className={classNames(
        "grid grid-cols-1 items-start gap-4",
        reasons.length > 0 && "lg:grid-cols-[2fr_1fr]",
      )}
    >
      <Card className="grid grid-cols-1 content-start gap-5">
        <h2 id="twelve-months" className="text-sm font-medium text-muted">
          {strings.title}
        </h2>
        <dl className="grid grid-cols-2 gap-x-4 gap-y-5 sm:grid-cols-3">
          <StatFigure
            label={strings.recurring}
            value={formatPence(recurring)}
            note={strings.recurringNote}
          />
          <StatFigure label={strings.net} value={left} note={strings.netNote} />
          <StatFigure
            label={strings.churn}
            value={
              last && last.members > 0
                ? `${Number(((100 * last.lost) / last.members).toFixed(1))}%`
                : "–"
            }
            note={
              last && last.members > 0
                ? strings.churnOf(last.lost, last.members)
                : strings.noMembers
            }
          />
        </dl>
        <LineChart
          label={strings.chartLabel(left)}
          points={months.map(({ month, net_pence: value }) => ({ label: nameOf(month), value }))}
        />
        <details>
          <summary className="min-h-11 py-2.5 text-sm font-medium">{strings.table}</summary>
          <table aria-label={strings.table} className="tabular w-full text-sm">
            <thead className="text-left text-muted">
              <tr>
                {[strings.month, strings.left, strings.members, strings.lost].map((each, place) => (
                  <th
                    key={each}
                    scope="col"
                    className={
                      place === 0 ? "py-2 font-medium" : "py-2 pl-3 text-right font-medium"
                    }
                  >
                    {each}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {months.toReversed().map(({ month, net_pence: net, members, lost }) => (
                <tr key={month} className="border-t border-line">
                  <th scope="row" className="py-2 text-left font-normal">
                    {name(month)}
                  </th>
                  <td className="py-2 pl-3 text-right">{formatPence(net)}</td>
                  <td className="py-2 pl-3 text-right">{formatCount(members)}</td>
                  <td className="py-2 pl-3 text-right">{formatCount(lost)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      </Card>
      {reasons.length === 0 ? null : (
        <Card className="grid grid-cols-1 content-start gap-4">
          <h2 id="cancelled-why" className="text-sm font-medium text-muted">
            {strings.reasons}
          </h2>
          <ul aria-labelledby="cancelled-why" className="grid gap-2 text-sm">
            {reasons.map(({ reason, members }) => (
              <li key={reason} className="flex justify-between gap-4">
                <span>{cancellationReason(reason)}</span>
                <span className="tabular font-medium">{formatCount(members)}</span>
              </li>
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

/** `2026-11-01` → `November 2026`. */
function nameOf(month: string): string {
  const format = new Intl.DateTimeFormat(brand.locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}T00:00:00Z`));
}
