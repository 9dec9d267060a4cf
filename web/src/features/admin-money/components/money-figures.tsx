import { formatPence } from "@/domain/brand.ts";
import { formatCount } from "@/lib/format-count.ts";
import { Card } from "@/ui/card.tsx";
import { Skeleton } from "@/ui/skeleton.tsx";
import { StatFigure } from "@/ui/stat-figure.tsx";
import { useMoneyFigures } from "../queries.ts";
import { moneyFigureStrings } from "../strings/page.ts";

/** Money of this month, and what waits for attention. */
export function MoneyFigures() {
  const { data, isError } = useMoneyFigures();
  if (isError) return null;
  return (
    <Card>
      <dl
        className="grid grid-cols-2 gap-x-4 gap-y-5 md:grid-cols-3 xl:grid-cols-6"
        aria-busy={data === undefined}
      >
        <StatFigure
          label={moneyFigureStrings.taken}
          value={data ? formatPence(data.revenue_pence) : <Skeleton className="h-8 w-20" />}
        />
        <StatFigure
          label={moneyFigureStrings.refunded}
          value={data ? formatPence(data.refunded_pence) : <Skeleton className="h-8 w-20" />}
        />
        <StatFigure
          label={moneyFigureStrings.net}
          value={
            data ? (
              formatPence(data.revenue_pence - data.refunded_pence - data.vat_pence)
            ) : (
              <Skeleton className="h-8 w-20" />
            )
          }
          note={data ? moneyFigureStrings.vat(formatPence(data.vat_pence)) : undefined}
        />
        <StatFigure
          label={moneyFigureStrings.disputes}
          value={data ? formatCount(data.open_disputes) : "–"}
        />
        <StatFigure
          label={moneyFigureStrings.events}
          value={data ? formatCount(data.failed_events) : "–"}
        />
        <StatFigure
          label={moneyFigureStrings.complimentary}
          value={data ? formatCount(data.complimentary) : "–"}
          note={moneyFigureStrings.complimentaryNote}
        />
      </dl>
    </Card>
  );
}
