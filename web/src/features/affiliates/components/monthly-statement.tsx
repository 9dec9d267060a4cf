import { formatPence } from "@/domain/brand.ts";
import { displayName, useSession } from "@/features/session/index.ts";
import { longDate, monthName } from "@/lib/format-time.ts";
import { Button } from "@/ui/button.tsx";
import type { Affiliate } from "../model/affiliate.ts";
import { affiliateStrings } from "../strings.ts";
import { PlainTable } from "./plain-table.tsx";

/** Whose statement it is and of which months; on paper only. */
function StatementHead({ months }: { readonly months: Affiliate["months"] }) {
  const { user, profile } = useSession();
  const email = user?.email ?? "";
  const name = displayName(profile, "");
  const ordered = months.map(({ month }) => month).toSorted((a, b) => a.localeCompare(b));
  const [first, last] = [ordered[0] ?? "", ordered.at(-1) ?? ""];
  return (
    <header className="hidden gap-1 pb-4 print:grid">
      <p className="display text-2xl">{affiliateStrings.statement}</p>
      {name === "" ? null : (
        <p>
          <bdi>{name}</bdi>
        </p>
      )}
      <p>{email}</p>
      <p>{affiliateStrings.period(monthName(`${first}-01`), monthName(`${last}-01`))}</p>
    </header>
  );
}

/** What each month brought, and the transfers; nothing before the first commission. */
export function MonthlyStatement({ affiliate }: { readonly affiliate: Affiliate }) {
  const { months, payouts } = affiliate;
  return (
    <>
      {months.length === 0 ? null : (
        <section aria-labelledby="months" className="grid grid-cols-1 gap-3">
          <StatementHead months={months} />
          <div className="flex flex-wrap items-center justify-between gap-3">
            <h2 id="months" className="display text-xl">
              {affiliateStrings.months}
            </h2>
            <Button
              variant="secondary"
              size="sm"
              className="print:hidden"
              onClick={() => window.print()}
            >
              {affiliateStrings.print}
            </Button>
          </div>
          <PlainTable
            label={affiliateStrings.months}
            head={affiliateStrings.monthColumns}
            figures={3}
            rows={months.map(({ month, earnedPence, takenBackPence, paidPence }) => ({
              id: month,
              cells: [
                monthName(`${month}-01`),
                formatPence(earnedPence),
                formatPence(takenBackPence),
                formatPence(paidPence),
              ],
            }))}
          />
        </section>
      )}
      {payouts.length === 0 ? null : (
        <section aria-labelledby="payouts" className="grid grid-cols-1 gap-3">
          <h2 id="payouts" className="display text-xl">
            {affiliateStrings.transfers}
          </h2>
          <PlainTable
            label={affiliateStrings.transfers}
            head={affiliateStrings.transferColumns}
            figures={1}
            rows={payouts.map(({ id, paidAt, reference, amountPence }) => ({
              id: String(id),
              cells: [longDate(paidAt), reference, formatPence(amountPence)],
            }))}
          />
        </section>
      )}
    </>
  );
}
