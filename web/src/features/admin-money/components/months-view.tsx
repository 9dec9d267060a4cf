import { useQuery } from "@tanstack/react-query";
import { brand, formatPence } from "@/domain/brand.ts";
import { useBackend } from "@/lib/backend.tsx";
import { csvPounds, toCsv } from "@/lib/csv.ts";
import { saveFile } from "@/lib/save-file.ts";
import { retryAdminQuery } from "@/lib/second-factor-due.ts";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { fetchMoneyByMonth, type MonthOfMoney } from "../api/money-by-month.ts";
import { moneyKey } from "../queries.ts";
import { monthsStrings as strings } from "../strings/months.ts";

/** `2026-11-01` → `November 2026`. */
function nameOf({ month }: MonthOfMoney): string {
  const format = new Intl.DateTimeFormat(brand.locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  return format.format(new Date(`${month}T00:00:00Z`));
}

/** What a line shows, in the order of the columns. */
function figuresOf(one: MonthOfMoney): readonly (readonly [name: string, pence: number])[] {
  const { columns } = strings;
  return [
    [columns.charged, one.charged_pence],
    [columns.refunded, one.refunded_pence],
    [columns.disputed, one.disputed_pence],
    [columns.disputeFees, one.dispute_fees_pence],
    [columns.fees, one.fees_pence],
    [columns.other, one.other_pence],
    [columns.net, one.net_pence],
    [columns.vat, one.vat_pence],
    [columns.left, one.left_pence],
    [columns.paidOut, one.paid_out_pence],
  ];
}

function save(months: readonly MonthOfMoney[]): void {
  const lines = months.map((one) => [
    one.month.slice(0, 7),
    one.currency,
    one.charges,
    csvPounds(one.charged_pence),
    one.refunds,
    csvPounds(one.refunded_pence),
    one.disputes,
    csvPounds(one.disputed_pence),
    csvPounds(one.dispute_fees_pence),
    csvPounds(one.fees_pence),
    csvPounds(one.other_pence),
    csvPounds(one.net_pence),
    csvPounds(one.vat_pence),
    csvPounds(one.left_pence),
    one.payouts,
    csvPounds(one.paid_out_pence),
    csvPounds(one.net_pence - one.paid_out_pence),
    one.unread,
  ]);
  // The mark tells spreadsheets that the text is UTF-8.
  const text = ["\uFEFF", toCsv(strings.headings, lines)];
  saveFile("money-by-month.csv", new Blob(text, { type: "text/csv;charset=utf-8" }));
}

/** What an accountant asks for: a line for each month, and the same as a file. */
export function MonthsView() {
  const { client } = useBackend();
  const { data, isError, isFetching, refetch } = useQuery({
    queryKey: [moneyKey, "months"],
    queryFn: () => fetchMoneyByMonth(client),
    retry: retryAdminQuery,
    // Each look is recorded.
    refetchOnWindowFocus: false,
  });
  if (data === undefined && isError) {
    return (
      <LoadFailed title={strings.loadFailed} busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (data === undefined) {
    return (
      <Loading label={strings.loading}>
        <Skeleton className="h-40" />
      </Loading>
    );
  }
  if (data.length === 0) {
    return <EmptyState title={strings.emptyTitle}>{strings.empty}</EmptyState>;
  }
  const unread = data.reduce((sum, one) => sum + one.unread, 0);
  return (
    <section aria-labelledby="money-by-month" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-start justify-between gap-3">
        <h2 id="money-by-month" className="display text-xl">
          {strings.title}
        </h2>
        <Button variant="secondary" size="sm" onClick={() => save(data)}>
          {strings.save}
        </Button>
      </div>
      <p className="max-w-prose text-sm text-muted">
        {strings.intro} {data.some((one) => one.other_pence !== 0) ? strings.other : null}
      </p>
      {unread > 0 ? <p className="max-w-prose text-sm">{strings.unread(unread)}</p> : null}
      <div
        className="overflow-x-auto rounded-card border border-line bg-raised"
        role="region"
        aria-labelledby="money-by-month"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- A keyboard must be able to scroll it.
        tabIndex={0}
      >
        <table className="tabular w-full min-w-[68rem] text-sm">
          <thead>
            <tr className="border-b border-line text-left text-muted">
              <th scope="col" className="sticky left-0 bg-raised px-4 py-3 font-medium">
                {strings.month}
              </th>
              {Object.values(strings.columns).map((name) => (
                <th
                  key={name}
                  scope="col"
                  className="px-4 py-3 text-right font-medium whitespace-nowrap"
                >
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {data.map((one) => (
              <tr key={`${one.month} ${one.currency}`}>
                <th
                  scope="row"
                  className="sticky left-0 bg-raised px-4 py-3 text-left font-medium whitespace-nowrap"
                >
                  {nameOf(one)}
                </th>
                {figuresOf(one).map(([name, pence]) => (
                  <td key={name} className="px-4 py-3 text-right whitespace-nowrap">
                    {formatPence(pence, one.currency)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}
