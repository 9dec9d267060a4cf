import type { RefObject } from "react";
import { Button } from "@/ui/button.tsx";
import { Sheet } from "@/ui/dialog.tsx";
import { Popover } from "@/ui/popover.tsx";
import { useWideScreen } from "@/ui/use-wide-screen.ts";
import { useMarkBellRead } from "../mutations.ts";
import { useBell } from "../queries.ts";
import { notificationStrings } from "../strings.ts";
import { NotificationList } from "./notification-list.tsx";

export interface NotificationPanelProps {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly anchor: RefObject<HTMLElement>;
}

/** What the bell opens: a popover, on a phone a sheet. */
export default function NotificationPanel({ open, onOpenChange, anchor }: NotificationPanelProps) {
  const wide = useWideScreen();
  const list = (
    <>
      <MarkAll />
      <NotificationList onFollow={() => onOpenChange(false)} />
    </>
  );
  if (!wide) {
    return (
      <Sheet open={open} onOpenChange={onOpenChange} title={notificationStrings.title}>
        {list}
      </Sheet>
    );
  }
  return (
    <Popover
      open={open}
      onOpenChange={onOpenChange}
      label={notificationStrings.title}
      anchor={anchor}
    >
      <h2 className="display mb-2 text-lg">{notificationStrings.title}</h2>
      {list}
    </Popover>
  );
}

function MarkAll() {
  const newest = useBell().data?.pages[0];
  const mark = useMarkBellRead();
  const upTo = newest?.items[0];
  if (upTo === undefined || newest?.unread === 0) return null;
  return (
    <Button
      size="sm"
      variant="secondary"
      loading={mark.isPending}
      onClick={() => mark.mutate({ upTo, only: false })}
    >
      {notificationStrings.markAll}
    </Button>
  );
}
