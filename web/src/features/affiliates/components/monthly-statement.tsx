import { formatPence } from "@/domain/brand.ts";
import { longDate, monthName } from "@/lib/format-time.ts";
import type { Affiliate } from "../model/affiliate.ts";
import { affiliateStrings } from "../strings.ts";
import { PlainTable } from "./plain-table.tsx";

/** What each month brought, and the transfers; nothing before the first commission. */
export function MonthlyStatement({ affiliate }: { readonly affiliate: Affiliate }) {
  const { months, payouts } = affiliate;
  return (
    <>
      {months.length === 0 ? null : (
        <section aria-labelledby="months" className="grid grid-cols-1 gap-3">
          <h2 id="months" className="display text-xl">
            {affiliateStrings.months}
          </h2>
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
