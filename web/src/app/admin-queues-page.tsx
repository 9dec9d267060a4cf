import { SecondFactorNeeded } from "@/features/session/index.ts";
import { isSecondFactorDue } from "@/lib/second-factor-due.ts";
import { ModerationQueue } from "@/features/chat/index.ts";
import {
  DisputeQueue,
  queueNames,
  useQueueCounts,
  type QueueCount,
  type QueueName,
} from "@/features/dashboards/index.ts";
import { MemberReportQueue, useMemberReports } from "@/features/people/index.ts";
import { FlaggedQueue, ReviewQueue } from "@/features/verification/index.ts";
import { DraftReviewQueue, useSubmittedDrafts } from "@/features/studio/index.ts";
import { timeAgo } from "@/lib/format-time.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { useNow } from "@/lib/use-now.ts";
import { PageHeader } from "@/ui/page-header.tsx";
import { Tabs } from "@/ui/tabs.tsx";

const defaults = { queue: "identity", review: "" };

const queues = {
  identity: ["Identity", <ReviewQueue key="identity" />],
  messages: ["Messages", <ModerationQueue key="messages" />],
  accounts: ["Accounts", <FlaggedQueue key="accounts" />],
  disputes: ["Disputes", <DisputeQueue key="disputes" />],
  people: ["People", <MemberReportQueue key="people" />],
  review: ["Review", <DraftReviewQueue key="review" />],
} as const satisfies Record<QueueName | "people" | "review", unknown>;

const tabNames = [...queueNames, "people", "review"] as const;

/** `/admindash/queues`: what waits for an administrator, a tab for each queue. The queues belong to their features. */
export function AdminQueuesPage() {
  const counts = useQueueCounts();
  const [{ queue }, setFilters] = useUrlFilters(defaults);
  const submitted = useSubmittedDrafts();
  const reported = useMemberReports();
  const shown = tabNames.find((name) => name === queue) ?? "identity";
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title="Queues"
        intro="What needs a person's decision, oldest first."
      />
      {counts.isError && isSecondFactorDue(counts.error) ? (
        <SecondFactorNeeded
          title="The queues need a second factor"
          purpose="open members' documents and decide about them"
        />
      ) : (
        <Tabs
          label="Queues"
          value={shown}
          onValueChange={(value) => setFilters({ queue: value, review: "" })}
          items={tabNames.map((name) => ({
            value: name,
            label: (
              <QueueTab
                label={queues[name][0]}
                count={
                  name === "review"
                    ? submitted.data && {
                        waiting: submitted.data.length,
                        oldestAt: submitted.data[0]?.submittedAt ?? null,
                      }
                    : name === "people"
                      ? reported.data && {
                          waiting: reported.data.length,
                          oldestAt: reported.data[0]?.reportedAt ?? null,
                        }
                      : counts.data?.find((each) => each.queue === name)
                }
              />
            ),
            content: queues[name][1],
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
  readonly count: Omit<QueueCount, "queue"> | undefined;
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
            ? "nothing waits"
            : `oldest ${timeAgo(count.oldestAt, now)}`}
      </span>
    </span>
  );
}
