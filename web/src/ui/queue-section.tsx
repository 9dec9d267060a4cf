import type { ReactNode } from "react";
import { Alert } from "./alert.tsx";
import { Button } from "./button.tsx";
import { Card } from "./card.tsx";
import { EmptyState } from "./empty-state.tsx";
import { Loading, Skeleton } from "./skeleton.tsx";

export interface QueueSectionProps<Item extends { readonly id: string | number }> {
  /** Names the heading; unique on the page. */
  readonly id: string;
  readonly title: string;
  /** Follows the number of items; `waiting` unless given. */
  readonly countLabel?: string | undefined;
  /** How many of the items wait; all of them unless given. */
  readonly waiting?: number | undefined;
  /** Undefined until it was read for the first time. */
  readonly items: readonly Item[] | undefined;
  readonly failed: boolean;
  readonly refreshing: boolean;
  readonly onRefresh: () => void;
  readonly loadingLabel: string;
  readonly failedTitle: string;
  readonly emptyTitle: string;
  readonly emptyText: string;
  /** Draws one item. */
  readonly children: (item: Item) => ReactNode;
}

/** What waits for an administrator: how much, a way to look again, and one row for each. */
export function QueueSection<Item extends { readonly id: string | number }>({
  id,
  title,
  countLabel = "waiting",
  items,
  waiting = items?.length ?? 0,
  failed,
  refreshing,
  onRefresh,
  loadingLabel,
  failedTitle,
  emptyTitle,
  emptyText,
  children,
}: QueueSectionProps<Item>) {
  return (
    <section aria-labelledby={id} className="grid grid-cols-1 gap-4">
      <div className="flex items-start justify-between gap-3">
        <h2 id={id} className="display min-w-0 text-xl">
          {title}{" "}
          {items ? (
            <span className="tabular whitespace-nowrap text-muted">
              · {waiting} {countLabel}
            </span>
          ) : null}
        </h2>
        <Button
          variant="quiet"
          size="sm"
          className="shrink-0"
          loading={refreshing}
          onClick={onRefresh}
        >
          Refresh
        </Button>
      </div>
      {!items && failed ? (
        <Alert tone="danger" title={failedTitle}>
          Check your connection and press Refresh.
        </Alert>
      ) : null}
      {!items && !failed ? (
        <Loading label={loadingLabel} className="grid gap-2">
          <Skeleton className="h-16 rounded-card" />
          <Skeleton className="h-16 rounded-card" />
        </Loading>
      ) : null}
      {items?.length === 0 ? <EmptyState title={emptyTitle}>{emptyText}</EmptyState> : null}
      {items && items.length > 0 ? (
        <Card className="overflow-clip p-0 sm:p-0">
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <li key={item.id}>{children(item)}</li>
            ))}
          </ul>
        </Card>
      ) : null}
    </section>
  );
}
