import { Clock, TriangleAlert } from "lucide-react";
import { brand } from "@/domain/brand.ts";
import { exactTime, longDate } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Badge } from "@/ui/badge.tsx";
import { QueueSection } from "@/ui/queue-section.tsx";
import type { OpenDispute } from "../api/fetch-open-disputes.ts";
import { useOpenDisputes } from "../queries.ts";
import { disputeQueueStrings } from "../strings.ts";

/** The disputes the bank has not decided, those due first on top. They are answered at the card provider. */
export function DisputeQueue() {
  const { data, isError, isFetching, refetch } = useOpenDisputes();
  return (
    <div className="grid grid-cols-1 gap-3">
      <QueueSection
        id="dispute-queue"
        title={disputeQueueStrings.title}
        countLabel={disputeQueueStrings.count}
        items={data}
        failed={isError}
        refreshing={isFetching}
        onRefresh={() => void refetch()}
        loadingLabel={disputeQueueStrings.loading}
        failedTitle={disputeQueueStrings.loadFailed}
        emptyTitle={disputeQueueStrings.emptyTitle}
        emptyText={disputeQueueStrings.emptyText}
      >
        {(dispute) => <DisputeRow dispute={dispute} />}
      </QueueSection>
      {data && data.length > 0 ? (
        <p className="text-sm text-muted">{disputeQueueStrings.note}</p>
      ) : null}
    </div>
  );
}

/** `needs_response` → `Needs response`. */
function words(text: string): string {
  const spaced = text.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(brand.locale, { style: "currency", currency });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}

const dayMs = 86_400_000;

function DisputeRow({ dispute }: { readonly dispute: OpenDispute }) {
  const now = useNow();
  const { respondBy } = dispute;
  const left = respondBy === null ? null : respondBy - now;
  const isUrgent = left !== null && left < 2 * dayMs;
  const Icon = isUrgent ? TriangleAlert : Clock;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere">
          {dispute.who || disputeQueueStrings.deletedAccount}{" "}
          <span className="tabular text-muted">
            · {formatMoney(dispute.amount, dispute.currency)}
          </span>
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {words(dispute.status)}
          {dispute.reason === "" ? "" : ` · ${words(dispute.reason)}`} ·{" "}
          {disputeQueueStrings.opened(longDate(dispute.openedAt))} · {dispute.id}
        </p>
      </div>
      {respondBy === null ? null : (
        <Badge
          colour={isUrgent ? "danger" : "plain"}
          icon={<Icon aria-hidden className="size-3" />}
          title={exactTime(respondBy)}
        >
          {disputeQueueStrings.due(longDate(respondBy), left !== null && left < 0)}
        </Badge>
      )}
    </div>
  );
}
