import { Clock, TriangleAlert } from "lucide-react";
import { Link, useLocation, useSearchParams } from "react-router";
import { paths } from "@/domain/paths.ts";
import { Alert } from "@/ui/alert.tsx";
import { Badge } from "@/ui/badge.tsx";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { QueueSection } from "@/ui/queue-section.tsx";
import { toast } from "@/ui/toast.tsx";
import type { PendingReview } from "../api/fetch-queue.ts";
import { documentTypeName } from "../model/validate-document.ts";
import { reviewDeadline } from "../model/review-deadline.ts";
import { useInvalidateReviews } from "../mutations.ts";
import { needsSecondFactor, useReviewQueue } from "../queries.ts";
import { ReviewPanel } from "./review-panel.tsx";

/** The documents that wait for a decision, oldest first; `?review=` says which one is open. */
export function ReviewQueue() {
  const invalidateReviews = useInvalidateReviews();
  const [parameters, setParameters] = useSearchParams();
  const { data, dataUpdatedAt, error, isError, isFetching, refetch } = useReviewQueue();
  const openId = parameters.get("review");
  if (isError && needsSecondFactor(error)) return <SecondFactorNeeded />;

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
    <QueueSection
      id="review-queue"
      title="Identity reviews"
      items={data}
      failed={isError}
      refreshing={isFetching}
      onRefresh={() => void refetch()}
      loadingLabel="Loading the queue"
      failedTitle="We couldn't load the queue"
      emptyTitle="No documents to review"
      emptyText="New documents appear here automatically, oldest first."
    >
      {(review) => (
        <>
          <QueueRow
            review={review}
            now={dataUpdatedAt}
            open={review.id === openId}
            onToggle={() => show(review.id === openId ? null : review.id)}
          />
          {review.id === openId ? (
            <ReviewPanel
              review={review}
              onDecided={(message) => {
                toast.good(message);
                show(null);
                invalidateReviews();
              }}
            />
          ) : null}
        </>
      )}
    </QueueSection>
  );
}

function SecondFactorNeeded() {
  const { pathname, search } = useLocation();
  const then = encodeURIComponent(pathname + search);
  return (
    <section aria-labelledby="review-queue" className="grid grid-cols-1 gap-4">
      <h2 id="review-queue" className="display text-xl">
        Identity reviews
      </h2>
      <Alert
        tone="info"
        title="Identity documents need a second factor"
        action={
          <Button asChild size="sm">
            <Link to={`${paths.account}?then=${then}#second-factor`}>Set up second factor</Link>
          </Button>
        }
      >
        A password alone isn't enough to open members' documents. Set up an authenticator app on
        your account page, then come back here.
      </Alert>
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
  const deadline = reviewDeadline(review.submittedAt, now);
  const Icon = deadline.overdue ? TriangleAlert : Clock;
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
        colour={deadline.overdue ? "danger" : deadline.waitedHours >= 24 ? "warn" : "plain"}
        icon={<Icon aria-hidden className="size-3" />}
        className="tabular"
      >
        {deadline.label}
      </Badge>
    </button>
  );
}
