import { formatPence } from "@/domain/brand.ts";
import { longDate, shortTime } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { CommissionState } from "../model/affiliate.ts";
import { useCommissions } from "../queries.ts";
import { affiliateStrings, earnedFrom, stateNames } from "../strings.ts";
import { PlainTable } from "./plain-table.tsx";

const colours = { pending: "info", payable: "good", taken_back: "plain" } as const satisfies Record<
  CommissionState,
  string
>;

/** Every payment that earned, with its invoice and without who made it. */
export function CommissionsTable() {
  const commissions = useCommissions();
  const now = useNow();
  const rows = commissions.data?.pages.flat();
  if (commissions.isError && !rows) {
    return (
      <LoadFailed
        title={affiliateStrings.commissionsFailed}
        busy={commissions.isFetching}
        onRetry={() => void commissions.refetch()}
      />
    );
  }
  if (!rows) {
    return (
      <Loading label={affiliateStrings.commissionsLoading}>
        <Skeleton className="h-24 rounded-card" />
      </Loading>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState title={affiliateStrings.noCommissionsTitle}>
        {affiliateStrings.noCommissions}
      </EmptyState>
    );
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <PlainTable
        label={affiliateStrings.commissions}
        head={affiliateStrings.commissionColumns}
        figures={1}
        rows={rows.map((row) => ({
          id: row.chargeId,
          cells: [
            <span key="payment" className="grid">
              {shortTime(row.paidAt, now)}
              <span className="text-muted">{earnedFrom(row)}</span>
            </span>,
            <span key="state" className="flex flex-wrap items-center gap-x-2">
              <Badge colour={colours[row.state]}>{stateNames[row.state]}</Badge>
              {row.state === "pending" ? (
                <span className="text-muted max-sm:hidden">
                  {affiliateStrings.pendingUntil(longDate(row.payableAt))}
                </span>
              ) : null}
            </span>,
            formatPence(row.amountPence),
          ],
        }))}
      />
      {commissions.hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-center"
          loading={commissions.isFetchingNextPage}
          onClick={() => void commissions.fetchNextPage()}
        >
          {affiliateStrings.showOlder}
        </Button>
      ) : null}
    </div>
  );
}
