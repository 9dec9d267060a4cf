import { CircleCheck } from "lucide-react";
import { lazy, Suspense, useState, type ComponentProps } from "react";
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
import { EmptyState } from "@/ui/empty-state.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { Tabs } from "@/ui/tabs.tsx";
import { queuesPageStrings } from "./strings.ts";

// They come with the money page's code, which the other queues do without.
const ClaimsView = lazy(async () => ({
  default: (await import("@/features/admin-money/index.ts")).ClaimsView,
}));
const PayoutsView = lazy(async () => ({
  default: (await import("@/features/admin-money/index.ts")).PayoutsView,
}));

// It comes with the members page's code, once an author is to be suspended.
const SuspendAuthor = lazy(async () => ({
  default: (await import("@/features/admin-members/index.ts")).SuspendAuthor,
}));

function AuthorSuspension(props: ComponentProps<typeof SuspendAuthor>) {
  return (
    <Suspense fallback={<Skeleton className="h-72 rounded-card" />}>
      <SuspendAuthor {...props} />
    </Suspense>
  );
}

const defaults = { queue: "", review: "", draft: "", kind: "", order: "" };

/** The queues that reports stood in once, and the kind that an address with one of them leads to; the empty string for all. */
const formerQueues: ReadonlyMap<string, string> = new Map([
  ["messages", "message"],
  ["people", "profile"],
  ["texts", ""],
  ["posts", ""],
]);

/**
 * `/admindash/queues`: what waits for an administrator, a tab for each queue in which something does. The one that is open
 * stays when its last item is decided. The queues belong to their features.
 */
export function AdminQueuesPage() {
  const counts = useQueueCounts();
  const [{ queue, review, draft, kind, order }, setFilters] = useUrlFilters(defaults);
  const former = formerQueues.get(queue);
  // What is open says in which queue it is, and that one stays once it is closed.
  const opened = review !== "" ? "identity" : draft !== "" ? "review" : undefined;
  const asked = queueNames.find((name) => name === queue) ?? opened;
  const [first, setFirst] = useState<QueueName | null>(null);
  // When the counts can't be read, each queue still can.
  const waiting = counts.data
    ? counts.data.filter((each) => each.waiting > 0).map((each) => each.queue)
    : counts.isError
      ? queueNames
      : [];
  if (opened !== undefined && first !== opened) setFirst(opened);
  if (asked === undefined && first === null && waiting[0] !== undefined) setFirst(waiting[0]);
  const shown = asked ?? first;
  const queues = {
    identity: <ReviewQueue key="identity" />,
    reports: (
      <ReportQueue
        key="reports"
        kind={kind}
        onKindChange={(chosen) => setFilters({ kind: chosen })}
        order={order}
        onOrderChange={(chosen) => setFilters({ order: chosen })}
        suspendForm={AuthorSuspension}
        counts={counts.data?.find((each) => each.queue === "reports")?.kinds}
      />
    ),
    accounts: <FlaggedQueue key="accounts" />,
    disputes: <DisputeQueue key="disputes" />,
    review: <DraftReviewQueue key="review" />,
    payouts: (
      <Suspense key="payouts" fallback={<Skeleton className="h-40" />}>
        <PayoutsView />
      </Suspense>
    ),
    claims: (
      <Suspense key="claims" fallback={<Skeleton className="h-40" />}>
        <ClaimsView />
      </Suspense>
    ),
  } as const satisfies Record<QueueName, unknown>;
  if (former !== undefined) {
    return <Navigate replace to={`?queue=reports${former === "" ? "" : `&kind=${former}`}`} />;
  }
  return (
    <div className="grid grid-cols-1 gap-6">
      <PageHeader
        className="pb-0"
        title={queuesPageStrings.title}
        intro={queuesPageStrings.intro(shown === "reports" && order === "serious")}
      />
      {counts.isError && isSecondFactorDue(counts.error) ? (
        <SecondFactorNeeded
          title={queuesPageStrings.factorTitle}
          purpose={queuesPageStrings.factorPurpose}
        />
      ) : shown === null ? (
        counts.isPending ? (
          <Loading label={queuesPageStrings.loading}>
            <Skeleton className="h-40" />
          </Loading>
        ) : (
          <EmptyState title={queuesPageStrings.allDone} icon={<CircleCheck aria-hidden />}>
            {queuesPageStrings.allDoneNote}
          </EmptyState>
        )
      ) : (
        <Tabs
          label={queuesPageStrings.title}
          value={shown}
          onValueChange={(value) => setFilters({ ...defaults, queue: value })}
          items={queueNames
            .filter((name) => name === shown || waiting.includes(name))
            .map((name) => ({
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
          : count.waiting === 0 || count.oldestAt === null
            ? queuesPageStrings.empty
            : queuesPageStrings.oldest(timeAgo(count.oldestAt, now))}
      </span>
    </span>
  );
}
