import { dayName } from "@/lib/format-time.ts";
import { useNow } from "@/lib/use-now.ts";
import { Button } from "@/ui/button.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { itemsByDay } from "../model/items-by-day.ts";
import { useMarkBellRead } from "../mutations.ts";
import type { BellItem } from "../model/bell-page.ts";
import { useBell } from "../queries.ts";
import { notificationStrings } from "../strings.ts";
import { NotificationLine } from "./notification-line.tsx";

/** The lines of the bell. Following one marks it as read. */
export function NotificationList({ onFollow }: { readonly onFollow: () => void }) {
  const bell = useBell();
  const mark = useMarkBellRead();
  const now = useNow();
  if (bell.data === undefined) {
    if (!bell.isError) return <ListSkeleton />;
    return (
      <LoadFailed
        title={notificationStrings.failed}
        busy={bell.isFetching}
        onRetry={() => void bell.refetch()}
      />
    );
  }
  const items = bell.data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <div className="py-6 text-center">
        <p className="font-medium">{notificationStrings.emptyTitle}</p>
        <p className="mt-1 text-sm text-muted">{notificationStrings.empty}</p>
      </div>
    );
  }
  const follow = (item: BellItem) => {
    if (item.unread) mark.mutate({ upTo: item, only: true });
    onFollow();
  };
  return (
    <>
      {itemsByDay(items).map(({ start, of }) => (
        <section key={start} aria-labelledby={`bell-${start}`} className="mt-2">
          <h3 id={`bell-${start}`} className="px-2 pt-2 text-sm font-medium text-muted">
            {dayName(start, now)}
          </h3>
          <ul className="mt-1 grid gap-1">
            {of.map((item) => (
              <NotificationLine
                key={item.id}
                item={item}
                isUnderDay
                onFollow={() => follow(item)}
              />
            ))}
          </ul>
        </section>
      ))}
      {bell.hasNextPage ? (
        <Button
          size="sm"
          variant="secondary"
          loading={bell.isFetchingNextPage}
          onClick={() => void bell.fetchNextPage()}
        >
          {notificationStrings.more}
        </Button>
      ) : null}
    </>
  );
}

function ListSkeleton() {
  return (
    <Loading label={notificationStrings.loading} className="mt-2 grid gap-4 py-2">
      {[0, 1, 2].map((each) => (
        <span key={each} className="grid gap-2">
          <Skeleton className="w-4/5" />
          <Skeleton className="h-3 w-1/3" />
        </span>
      ))}
    </Loading>
  );
}
