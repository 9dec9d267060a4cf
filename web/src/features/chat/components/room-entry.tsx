import { Lock, Users } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { shortTime } from "@/lib/format-time.ts";
import { classNames } from "@/ui/class-names.ts";
import { chatStrings, hereNow, unlockAt } from "../strings.ts";
import type { RoomOverview } from "../model/room.ts";

const frame = "grid h-full content-start gap-2 rounded-card border p-4 sm:p-5";

/** One room of the list: a link, or the level that unlocks it. */
export function RoomEntry({
  room,
  open,
  paused,
  now,
}: {
  readonly room: RoomOverview;
  readonly open: boolean;
  /** Closed only because the membership is not active. */
  readonly paused: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}) {
  if (!open) {
    return (
      <div
        aria-disabled
        data-locked
        className={classNames(frame, "border-dashed border-line bg-sunken text-muted")}
      >
        <Title name={room.name} className="text-muted" />
        <p className="text-sm">{room.description}</p>
        <p className="mt-auto flex items-center gap-1.5 pt-1 text-sm font-medium">
          <Lock aria-hidden className="size-3.5" />
          {paused ? chatStrings.opensOnRenewal : unlockAt(room.minLevel)}
        </p>
      </div>
    );
  }
  return (
    <Link
      to={`${paths.chats}/${room.id}`}
      className={classNames(
        frame,
        "border-line bg-raised transition-colors hover:border-[color-mix(in_oklab,var(--accent)_55%,var(--line))]",
      )}
    >
      <span className="flex items-start justify-between gap-3">
        <Title name={room.name} />
        {room.unread > 0 ? <Unread count={room.unread} /> : null}
      </span>
      <span className="text-sm text-muted">{room.description}</span>
      <span className="tabular mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 pt-1 text-xs text-muted">
        <span className="flex items-center gap-1.5">
          <Users aria-hidden className="size-3.5" />
          {hereNow(room.participants)}
        </span>
        <span>
          {room.lastMessageAt === null
            ? "No messages yet"
            : `Last message ${shortTime(room.lastMessageAt, now)}`}
        </span>
      </span>
    </Link>
  );
}

function Title({
  name,
  className,
}: {
  readonly name: ReactNode;
  readonly className?: string | undefined;
}) {
  return <span className={classNames("font-semibold", className)}>{name}</span>;
}

function Unread({ count }: { readonly count: number }) {
  return (
    <span className="tabular grid h-6 min-w-6 shrink-0 place-items-center rounded-full bg-accent px-2 text-xs font-semibold text-on-accent">
      <span>
        {count >= 99 ? "99+" : count}
        <span className="sr-only"> unread</span>
      </span>
    </span>
  );
}
