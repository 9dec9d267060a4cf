import { Bell } from "lucide-react";
import { lazy, Suspense, useRef, useState } from "react";
import { useTitleCount } from "@/lib/title-count.ts";
import { shownCount } from "@/ui/shown-count.ts";
import { useBellOpener } from "../open-bell.ts";
import { useBell } from "../queries.ts";
import { notificationStrings } from "../strings.ts";
import { useLiveBell } from "../use-live-bell.ts";

const NotificationPanel = lazy(() => import("./notification-panel.tsx"));

/** The bell of the top bar with the number of unread lines, which also stands in the tab's title. */
export function NotificationBell() {
  useLiveBell();
  const unread = useBell().data?.pages[0]?.unread ?? 0;
  useTitleCount(unread);
  const button = useRef<HTMLButtonElement>(null!);
  const [open, setOpen] = useState(false);
  useBellOpener(() => setOpen(true));
  // Fetched with the first use, and kept from then on.
  const [wanted, setWanted] = useState(false);
  if (open && !wanted) setWanted(true);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-label={notificationStrings.bell(unread)}
        onClick={() => setOpen(true)}
        className="flex h-11 w-14 items-center justify-center gap-0.5 rounded-control text-muted hover:bg-hover hover:text-ink"
      >
        {/* As wide with a number as without, so that nothing beside it moves. */}
        <Bell aria-hidden className="size-4.5 shrink-0" />
        {unread === 0 ? null : (
          <span
            aria-hidden
            data-edge=""
            className="min-w-5 rounded-full bg-ink px-1 text-center text-xs leading-5 font-medium text-on-ink tabular-nums"
          >
            {shownCount(unread)}
          </span>
        )}
      </button>
      <span aria-live="polite" className="sr-only">
        {unread === 0 ? "" : notificationStrings.bell(unread)}
      </span>
      {wanted ? (
        <Suspense fallback={null}>
          <NotificationPanel open={open} onOpenChange={setOpen} anchor={button} />
        </Suspense>
      ) : null}
    </>
  );
}
