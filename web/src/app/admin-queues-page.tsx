import { Navigate } from "react-router";
import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import {
  DisputeQueue,
  queueNames,
  ReportQueue,
  useQueueCounts,
  type QueueCount,
  type QueueName,
} from "@/features/moderation/index.ts";
import { FlaggedQueue, ReviewQueue } from "@/features/verification/index.ts";
import { DraftReviewQueue } from "@/features/studio/index.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { useNow } from "@/lib/use-now.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { queuesPageStrings } from "./strings.ts";

const defaults = { queue: "identity", review: "", kind: "" };

/** The queues that reports stood in once, and the kind that an address with one of them leads to; the empty string for all. */
const formerQueues: ReadonlyMap<string, string> = new Map([
  ["messages", "message"],
  ["people", "profile"],
  ["texts", ""],
  ["posts", ""],
]);

/** `/admindash/queues`: what waits for an administrator, a tab for each queue. The queues belong to their features. */
export function AdminQueuesPage() {
  const counts = useQueueCounts();
  const [{ queue, kind }, setFilters] = useUrlFilters(defaults);
  const former = formerQueues.get(queue);
  const shown = queueNames.find((name) => name === queue) ?? "identity";
  const queues = {
    identity: <ReviewQueue key="identity" />,
    reports: (
      <ReportQueue
        key="reports"
        kind={kind}
        onKindChange={(chosen) => setFilters({ kind: chosen })}
        counts={counts.data?.find((each) => each.queue === "reports")?.kinds}
      />
    ),
    accounts: <FlaggedQueue key="accounts" />,
    disputes: <DisputeQueue key="disputes" />,
    review: <DraftReviewQueue key="review" />,
  } as const satisfies Record<QueueName, unknown>;
  if (former !== undefined) {
    return <Navigate replace to={`?queue=reports${former === "" ? "" : `&kind=${former}`}`} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={queuesPageStrings.title}
        intro={queuesPageStrings.intro}
      />
      {counts.isError && isSecondFactorDue(counts.error) ? (
        <SecondFactorNeeded
          title={queuesPageStrings.factorTitle}
          purpose={queuesPageStrings.factorPurpose}
        />
      ) : (
        <Tabs
          label={queuesPageStrings.title}
          value={shown}
          onValueChange={(value) => setFilters({ queue: value, review: "", kind: "" })}
          items={queueNames.map((name) => ({
            value: name,
            label: (
              <QueueTab
                label={queuesPageStrings.tabs[name]}
                count={counts.data?.find((each) => each.queue === name)}
              />
            ),
            content: queues[name],
          }))}
        />
      )}
    </div>
  );
}

function QueueTab({
  label,
  count,
}: {
  readonly label: string;
  readonly count: QueueCount | undefined;
}) {
  const now = useNow();
  return (
    <span className="grid py-1.5 text-left">
      <span>
        {label} {count ? <span className="tabular">· {count.waiting}</span> : null}
      </span>{" "}
      <span className="text-xs font-normal text-muted">
        {!count
          ? "\u00a0"
          : count.oldestAt === null
            ? queuesPageStrings.empty
            : queuesPageStrings.oldest(timeAgo(count.oldestAt, now))}
      </span>
    </span>
  );
}
