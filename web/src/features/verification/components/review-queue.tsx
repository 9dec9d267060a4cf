import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Clock, TriangleAlert } from "lucide-react";
import { useSearchParams } from "react-router";
import { useBackend } from "@/lib/backend.tsx";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { Card } from "@/ui/card.tsx";
import { classNames } from "@/ui/class-names.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { toast } from "@/ui/toast.tsx";
import { selectQueue, type PendingReview } from "../api/select-queue.ts";
import { documentTypeName } from "../model/identity-document.ts";
import { reviewClock } from "../model/review-clock.ts";
import { ReviewPanel } from "./review-panel.tsx";

const queueKey = ["verification-queue"];

/** The documents that wait for a verdict, oldest first; `?review=` says which one is open. */
export function ReviewQueue() {
  const { client } = useBackend();
  const queries = useQueryClient();
  const [parameters, setParameters] = useSearchParams();
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useQuery({
    queryKey: queueKey,
    queryFn: () => selectQueue(client),
    refetchInterval: 60_000,
    retry: 2,
    retryDelay: 1000,
  });
  const openId = parameters.get("review");
  const open = data?.find((each) => each.id === openId);

  function show(id: string | null) {
    setParameters(
      (before) => {
        const next = new URLSearchParams(before);
        if (id === null) next.delete("review");
        else next.set("review", id);
        return next;
      },
      { preventScrollReset: true },
    );
  }

  return (
    <section aria-labelledby="review-queue" className="grid grid-cols-1 gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="review-queue" className="display text-xl">
          Identity reviews
          {data ? <span className="tabular text-muted"> · {data.length} waiting</span> : null}
        </h2>
        <Button variant="quiet" size="sm" loading={isFetching} onClick={() => void refetch()}>
          Refresh
        </Button>
      </div>
      {!data && isError ? (
        <Alert tone="danger" title="We could not load the queue">
          Check your connection and press Refresh.
        </Alert>
      ) : null}
      {!data && !isError ? (
        <Loading label="Loading the queue" className="grid gap-2">
          <Skeleton className="h-16 rounded-card" />
          <Skeleton className="h-16 rounded-card" />
        </Loading>
      ) : null}
      {data?.length === 0 ? (
        <EmptyState title="Nobody is waiting">
          New documents appear here by themselves, the oldest on top.
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <Card className="p-0 sm:p-0">
          <ul className="divide-y divide-line">
            {data.map((review) => (
              <li key={review.id}>
                <QueueRow
                  review={review}
                  now={dataUpdatedAt}
                  open={review.id === open?.id}
                  onToggle={() => show(review.id === open?.id ? null : review.id)}
                />
                {review.id === open?.id ? (
                  <ReviewPanel
                    review={review}
                    onDecided={(words) => {
                      toast.good(words);
                      show(null);
                      void queries.invalidateQueries({ queryKey: queueKey });
                      void queries.invalidateQueries({ queryKey: ["admin-figures"] });
                    }}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        </Card>
      ) : null}
    </section>
  );
}

function QueueRow({
  review,
  now,
  open,
  onToggle,
}: {
  readonly review: PendingReview;
  /** When the queue was read, epoch milliseconds. */
  readonly now: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}) {
  const clock = reviewClock(review.submittedAt, now);
  const Icon = clock.overdue ? TriangleAlert : Clock;
  return (
    <button
      type="button"
      aria-expanded={open}
      onClick={onToggle}
      className={classNames(
        "grid min-h-16 w-full grid-cols-[1fr_auto] items-center gap-x-4 gap-y-1 px-5 py-3 text-left transition-colors hover:bg-hover focus-visible:-outline-offset-2",
        open && "bg-sunken",
      )}
    >
      <span className="min-w-0">
        <span className="block truncate font-medium">{review.name || review.email}</span>
        <span className="block truncate text-sm text-muted">
          {documentTypeName(review.documentType)}
          {review.rejections > 0 ? ` · ${review.rejections} rejected before` : ""}
        </span>
      </span>
      <Badge
        colour={clock.overdue ? "danger" : clock.waitedHours >= 24 ? "warn" : "plain"}
        icon={<Icon aria-hidden className="size-3" />}
        className="tabular"
      >
        {clock.words}
      </Badge>
    </button>
  );
}
