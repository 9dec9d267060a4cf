import { Lock } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { LockedSection } from "@/features/levels/index.ts";
import { exactTime, shortTime } from "@/lib/format-time.ts";
import { classNames } from "@/ui/class-names.ts";
import { LockedDoor } from "@/ui/locked-door.tsx";
import { UnreadCount } from "@/ui/unread-count.tsx";
import { hereNow, roomListStrings, unlockAt } from "../strings.ts";
import type { RoomOverview } from "../model/room.ts";
import { Faces } from "./faces.tsx";
import { LastLineText } from "./last-line-text.tsx";

const frame =
  "grid w-full grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-4 py-3 text-left focus-visible:-outline-offset-2";

const lockedFrame = "text-muted max-sm:grid-cols-1";

/** One room of the list: a link, or the level that unlocks it. */
export function RoomEntry({
  room,
  open,
  paused,
  isMember,
  now,
}: {
  readonly room: RoomOverview;
  readonly open: boolean;
  /** Closed only because the membership is not active. */
  readonly paused: boolean;
  /** Some rooms are open to the member now. */
  readonly isMember: boolean;
  /** Epoch milliseconds. */
  readonly now: number;
}) {
  if (!open) return <LockedRoom room={room} paused={paused} isMember={isMember} />;
  const here = hereNow(room.participants);
  return (
    <Link to={`${paths.chats}/${room.id}`} className={classNames(frame, "hover:bg-hover")}>
      <Heading room={room} quiet={room.lastLine !== null} />
      <span className="tabular flex items-center justify-end gap-2 text-xs text-muted">
        {room.lastMessageAt === null ? null : (
          <time
            dateTime={new Date(room.lastMessageAt).toISOString()}
            title={exactTime(room.lastMessageAt)}
          >
            {shortTime(room.lastMessageAt, now)}
          </time>
        )}{" "}
        <UnreadCount count={room.unread} />
      </span>{" "}
      <LastLineText line={room.lastLine} className="text-sm" />{" "}
      <span className="tabular flex min-h-6 items-center justify-end gap-2 text-xs text-muted">
        {/* Without those who are here, the faces are of those who wrote last. */}
        <span className="max-sm:hidden">
          <Faces people={room.faces} max={4} />
        </span>{" "}
        {here === null ? null : (
          <span className="flex items-center gap-1.5">
            <span aria-hidden data-filled="" className="size-2 rounded-full bg-good" />
            {here}
          </span>
        )}
      </span>
    </Link>
  );
}

/** Name and purpose in one line; on a phone the purpose gives way to the last words. */
function Heading({
  room,
  quiet,
}: {
  readonly room: RoomOverview;
  /** Last words stand below. */
  readonly quiet: boolean;
}) {
  return (
    <span className="flex min-w-0 flex-wrap items-baseline gap-x-3 sm:flex-nowrap">
      <span className={classNames("shrink-0", room.unread > 0 ? "font-bold" : "font-semibold")}>
        {room.name}
      </span>{" "}
      <span
        className={classNames("min-w-0 text-sm text-muted sm:truncate", quiet && "max-sm:sr-only")}
      >
        {room.description}
      </span>
    </span>
  );
}

/** A room above the member's level: pressing it says what is left to do. What a renewal opens is said above the list. */
function LockedRoom({
  room,
  paused,
  isMember,
}: {
  readonly room: RoomOverview;
  readonly paused: boolean;
  readonly isMember: boolean;
}) {
  const level = levelByNumber(room.minLevel)?.number;
  const content = (
    <>
      <Heading room={room} quiet={false} />
      <span className="flex items-center gap-1.5 text-sm font-medium">
        <Lock aria-hidden className="size-3.5" />
        {paused ? roomListStrings.opensOnRenewal : unlockAt(room.minLevel)}
      </span>
    </>
  );
  // Without a membership no level can be reached; the notice above the list says what to do.
  if (level === undefined || !isMember) {
    return (
      <div data-locked className={classNames(frame, lockedFrame)}>
        {content}
      </div>
    );
  }
  return (
    <div data-locked className="grid">
      <LockedDoor
        label={room.name}
        locked={{
          opensAt: roomListStrings.level(level),
          explanation: <LockedSection level={level} />,
        }}
        className={classNames(frame, lockedFrame, "hover:bg-hover hover:text-ink")}
      >
        {content}
      </LockedDoor>
    </div>
  );
}
