import { Clock, TriangleAlert } from "lucide-react";
import { useEffect, useRef } from "react";
import { documentTypeName } from "@/domain/document-type-name.ts";
import { useUserId } from "@/features/session/index.ts";
import { useUrlFilters } from "@/lib/url-filters.ts";
import { Badge } from "@/ui/badge.tsx";
import { classNames } from "@/ui/class-names.ts";
import { findRow } from "@/ui/queue-keys.ts";
import { QueueSection } from "@/ui/queue-section.tsx";
import { QueueWithPanel } from "@/ui/queue-with-panel.tsx";
import { toast } from "@/ui/toast.tsx";
import type { PendingReview } from "../api/fetch-queue.ts";
import { reviewDeadline } from "../model/review-deadline.ts";
import { useInvalidateReviews } from "../mutations.ts";
import { useReviewQueue } from "../queries.ts";
import { reviewQueueStrings } from "../strings.ts";
import { ReviewPanel } from "./review-panel.tsx";
import { deadlineText } from "./deadline-text.ts";

const inAddress = { review: "" };

/** The documents that wait for a decision, oldest first; `?review=` says which one is open, beside the rows where there is room. */
export function ReviewQueue() {
  const invalidateReviews = useInvalidateReviews();
  const [{ review: openId }, setAddress] = useUrlFilters(inAddress);
  const { data, dataUpdatedAt, isError, isFetching, refetch } = useReviewQueue();
  const userId = useUserId();
  const list = useRef<HTMLDivElement>(null);
  /** The document whose turn it is after a decision. */
  const next = useRef<string | null>(null);
  // The question may close before the panel does or after it; `focusAfter` below is for the latter.
  useEffect(() => {
    if (openId === "") findRow(list.current, next.current)?.focus();
  }, [openId]);

  const open = data?.find(({ id }) => id === openId);
  const panel = open ? (
    <ReviewPanel
      key={open.id}
      review={open}
      focusAfter={() => findRow(list.current, next.current)}
      onDecided={(message) => {
        const at = data?.findIndex(({ id }) => id === open.id) ?? -1;
        next.current = (data?.[at + 1] ?? data?.[at - 1])?.id ?? null;
        toast.good(message);
        setAddress({ review: "" }, { replace: true });
        invalidateReviews();
      }}
    />
  ) : null;

  return (
    <QueueWithPanel
      ref={list}
      label={reviewQueueStrings.group}
      panel={panel}
      panelLabel={reviewQueueStrings.panel}
    >
      {(below) => (
        <>
          <QueueSection
            id="review-queue"
            title={reviewQueueStrings.title}
            items={data}
            waiting={data?.filter((review) => review.userId !== userId).length}
            failed={isError}
            refreshing={isFetching}
            onRefresh={() => void refetch()}
            loadingLabel={reviewQueueStrings.loading}
            failedTitle={reviewQueueStrings.loadFailed}
            emptyTitle={reviewQueueStrings.emptyTitle}
            emptyText={reviewQueueStrings.emptyText}
          >
            {(review) => (
              <>
                <QueueRow
                  review={review}
                  isOwn={review.userId === userId}
                  now={dataUpdatedAt}
                  open={review.id === openId}
                  onToggle={() => {
                    next.current = null;
                    setAddress({ review: review.id === openId ? "" : review.id });
                  }}
                />
                {review.id === openId ? below : null}
              </>
            )}
          </QueueSection>
          {data && data.length > 0 ? (
            <p className="mt-3 text-sm text-muted max-md:hidden">{reviewQueueStrings.keyboard}</p>
          ) : null}
        </>
      )}
    </QueueWithPanel>
  );
}

function QueueRow({
  review,
  isOwn,
  now,
  open,
  onToggle,
}: {
  readonly review: PendingReview;
  /** Then another administrator decides. */
  readonly isOwn: boolean;
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
      data-row={review.id}
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
          {isOwn
            ? reviewQueueStrings.own
            : reviewQueueStrings.document(documentTypeName(review.documentType), review.rejections)}
        </span>
      </span>
      {isOwn ? (
        <Badge colour="plain">{reviewQueueStrings.ownMark}</Badge>
      ) : (
        <Badge
          colour={deadline.overdue ? "danger" : deadline.waitedHours >= 24 ? "warn" : "plain"}
          icon={<Icon aria-hidden className="size-3" />}
          className="tabular"
        >
          {deadlineText(deadline)}
        </Badge>
      )}
    </button>
  );
}
