import { Lock, Users } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { levelByNumber } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import { LockedSection } from "@/features/levels/index.ts";
import { shortTime } from "@/lib/format-time.ts";
import { classNames } from "@/ui/class-names.ts";
import { LockedDoor } from "@/ui/locked-door.tsx";
import { UnreadCount } from "@/ui/unread-count.tsx";
import { chatStrings, hereNow, roomListStrings, unlockAt } from "../strings.ts";
import type { RoomOverview } from "../model/room.ts";
import { Faces } from "./faces.tsx";

const frame = "grid h-full content-start gap-2 rounded-card border p-4 sm:p-5";

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
    <Link
      to={`${paths.chats}/${room.id}`}
      className={classNames(
        frame,
        "border-line bg-raised transition-colors hover:border-[color-mix(in_oklab,var(--accent)_55%,var(--line))]",
      )}
    >
      <span className="flex items-start justify-between gap-3">
        <Title name={room.name} />
        <UnreadCount count={room.unread} />
      </span>
      <span className="text-sm text-muted">{room.description}</span>
      <span className="tabular mt-auto flex flex-wrap items-center gap-x-4 gap-y-1 pt-1 text-xs text-muted">
        {here === null ? null : (
          <span className="flex items-center gap-1.5">
            {room.faces.length === 0 ? (
              <Users aria-hidden className="size-3.5" />
            ) : (
              <Faces people={room.faces} max={4} />
            )}
            {here}
          </span>
        )}
        <span>
          {room.lastMessageAt === null
            ? chatStrings.noMessages
            : roomListStrings.lastMessage(shortTime(room.lastMessageAt, now))}
        </span>
      </span>
    </Link>
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
  const className = classNames(
    frame,
    "w-full border-dashed border-line bg-sunken text-left text-muted",
  );
  const content = (
    <>
      <Title name={room.name} className="text-muted" />
      <span className="text-sm">{room.description}</span>
      <span className="mt-auto flex items-center gap-1.5 pt-1 text-sm font-medium">
        <Lock aria-hidden className="size-3.5" />
        {paused ? roomListStrings.opensOnRenewal : unlockAt(room.minLevel)}
      </span>
    </>
  );
  // Without a membership no level can be reached; the notice above the list says what to do.
  if (level === undefined || !isMember) {
    return (
      <div data-locked className={className}>
        {content}
      </div>
    );
  }
  return (
    <div data-locked className="grid h-full">
      <LockedDoor
        label={room.name}
        locked={{
          opensAt: roomListStrings.level(level),
          explanation: <LockedSection level={level} />,
        }}
        className={classNames(className, "transition-colors hover:bg-hover hover:text-ink")}
      >
        {content}
      </LockedDoor>
    </div>
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
