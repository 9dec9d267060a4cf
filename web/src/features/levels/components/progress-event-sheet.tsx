import { Link } from "react-router";
import { exactTime, timeAgo } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import type { ProgressEvent, ProgressEventFilter } from "../model/progress-event.ts";
import { useProgressEvents } from "../queries.ts";
import { evidenceStrings, progressEventTitle, eventLabels } from "../strings.ts";

/** What stands behind one counter, beside the page it was asked on. */
export function ProgressEventSheet({
  of,
  onClose,
}: {
  readonly of: ProgressEventFilter | null;
  readonly onClose: () => void;
}) {
  return (
    <Sheet
      open={of !== null}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      from="side"
      title={of === null ? "" : progressEventTitle(of)}
      description={evidenceStrings.description}
    >
      {of === null ? null : <ProgressEventList of={of} />}
    </Sheet>
  );
}

function ProgressEventList({ of }: { readonly of: ProgressEventFilter }) {
  const now = useNow();
  const { data, isError, error, isFetching, refetch, hasNextPage, fetchNextPage } =
    useProgressEvents(of);
  const events = data?.pages.flat() ?? [];
  if (!data && isError) {
    return (
      <LoadFailed
        title={evidenceStrings.loadFailed}
        busy={isFetching}
        advice={retryLaterMessage(error)}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) {
    return (
      <Loading label={evidenceStrings.loading} className="grid gap-4">
        {[1, 2, 3, 4].map((each) => (
          <Skeleton key={each} className="h-12" />
        ))}
      </Loading>
    );
  }
  if (events.length === 0) return <p className="text-muted">{evidenceStrings.empty}</p>;
  return (
    <div className="grid gap-4">
      <ol aria-label={evidenceStrings.list} className="divide-y divide-line">
        {events.map((item) => (
          <li key={item.id} className="grid gap-0.5 py-3">
            <p dir="auto" className="line-clamp-2 break-words">
              <Subject item={item} />
            </p>
            <p className="text-sm text-muted">
              {eventLabels[item.event] ?? item.event} ·{" "}
              <time dateTime={item.happenedAt} title={exactTime(Date.parse(item.happenedAt))}>
                {timeAgo(Date.parse(item.happenedAt), now)}
              </time>
            </p>
          </li>
        ))}
      </ol>
      {hasNextPage ? (
        <Button
          variant="secondary"
          className="justify-self-start"
          loading={isFetching}
          onClick={() => void fetchNextPage()}
        >
          {evidenceStrings.showEarlier}
        </Button>
      ) : null}
    </div>
  );
}

function Subject({ item: { label, path } }: { readonly item: ProgressEvent }) {
  if (label === null) return <span className="text-muted">{evidenceStrings.gone}</span>;
  if (path === null) return label;
  return (
    <Link
      to={path}
      className="rounded-sm font-medium underline decoration-control-line underline-offset-4 hover:decoration-ink"
    >
      {label}
    </Link>
  );
}
