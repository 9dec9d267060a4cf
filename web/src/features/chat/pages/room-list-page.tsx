import { MessagesSquare } from "lucide-react";
import { Link } from "react-router";
import { levelByNumber, maximumLevel } from "@/domain/levels.ts";
import { paths } from "@/domain/paths.ts";
import {
  LevelAdvancements,
  MembershipNotice,
  useEffectiveLevel,
  useLevel,
} from "@/features/levels/index.ts";
import { useNow } from "@/lib/use-now.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { LevelBadge } from "@/ui/badge.tsx";
import { classNames } from "@/ui/class-names.ts";
import { EmptyState } from "@/ui/empty-state.tsx";
import { LoadFailed } from "@/ui/load-failed.tsx";
import { PageHeader } from "@/ui/page-header.tsx";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { foldQuiet, sectionsOf, type RoomSection } from "../model/room.ts";
import { useRooms } from "../queries.ts";
import { chatStrings, roomListStrings } from "../strings.ts";
import { useLiveRooms } from "../use-live-rooms.ts";
import { ClosedRoomAlert } from "../components/closed-room-alert.tsx";
import { MessageSearch } from "../components/message-search.tsx";
import { QuietRooms } from "../components/quiet-rooms.tsx";
import { RoomEntry } from "../components/room-entry.tsx";

/** `/chats`: every room, by the level that opens it. */
export function RoomListPage() {
  useLiveRooms();
  const usable = useEffectiveLevel();
  const earned = useLevel();
  const rooms = useRooms();
  const badge = levelByNumber(Math.max(usable.current, earned.current));
  const ready = rooms.data !== undefined && usable.status === "ready";
  const isLoading = !ready && !rooms.isError && usable.status !== "failed";
  return (
    <div className="grid grid-cols-1 gap-8">
      <PageHeader
        className="pb-0"
        title={roomListStrings.title}
        intro={roomListStrings.intro}
        actions={
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            {isLoading ? <ActionsSkeleton /> : null}
            {ready && usable.current > 0 ? <MessageSearch room={null} labelled /> : null}
            {isLoading ? null : (
              <p className="flex items-center gap-2 text-sm text-muted">
                {badge ? (
                  <>
                    {/* On a phone the badge stands beside the search, in one line. */}
                    <span className="max-sm:sr-only">{roomListStrings.yourLevel}</span>
                    <LevelBadge {...badge} />
                  </>
                ) : ready ? (
                  roomListStrings.noLevel
                ) : null}
              </p>
            )}
          </div>
        }
      />
      <ClosedRoomAlert />
      <MembershipNotice>{roomListStrings.membersOnly}</MembershipNotice>
      {usable.status === "failed" ? (
        <LoadFailed
          title={roomListStrings.levelFailed}
          busy={false}
          onRetry={() => void usable.refresh()}
        />
      ) : null}
      {rooms.isError && !rooms.data ? (
        <LoadFailed
          title={roomListStrings.failed}
          busy={rooms.isFetching}
          advice={retryLaterMessage(rooms.error)}
          onRetry={() => void rooms.refetch()}
        />
      ) : null}
      {isLoading ? <RoomsSkeleton /> : null}
      {ready && rooms.data.length === 0 ? (
        <EmptyState icon={<MessagesSquare />} title={roomListStrings.emptyTitle}>
          {roomListStrings.emptyText}
        </EmptyState>
      ) : null}
      {ready && rooms.data.length > 0 ? (
        <>
          {sectionsOf(rooms.data, usable.current).map((section) => (
            <Section
              key={section.level.number}
              section={section}
              isMember={usable.current > 0}
              paused={usable.current === 0 && earned.current >= section.level.number}
            />
          ))}
        </>
      ) : null}
      {isLoading ? null : <LevelAdvancements />}
      {ready && rooms.data.length > 0 && usable.current < maximumLevel ? (
        <UnlockHint level={usable.current} lapsed={usable.current < earned.current} />
      ) : null}
    </div>
  );
}

function Section({
  section,
  paused,
  isMember,
}: {
  readonly section: RoomSection;
  /** The level was reached, but the membership is not active. */
  readonly paused: boolean;
  readonly isMember: boolean;
}) {
  const now = useNow();
  const { level, open, rooms } = section;
  const { shown, quiet } = foldQuiet(section);
  const id = `rooms-of-level-${level.number}`;
  return (
    <section aria-labelledby={id} data-accent={level.accent} className="grid gap-3">
      <div className="flex items-baseline justify-between gap-4 border-t-3 border-accent pt-3">
        <h2 id={id} className="text-lg font-semibold">
          <span className="tabular">{roomListStrings.level(level.number)}</span>
          <span className="font-normal text-muted"> · {level.name}</span>
        </h2>
        <p className="tabular text-sm text-muted">{roomListStrings.rooms(rooms.length)}</p>
      </div>
      <ul
        className={classNames(
          "divide-y divide-line overflow-hidden rounded-card border border-line",
          open ? "bg-raised" : "border-dashed bg-sunken",
        )}
      >
        {shown.map((room) => (
          <li key={room.id} className="min-w-0">
            <RoomEntry room={room} open={open} paused={paused} isMember={isMember} now={now} />
          </li>
        ))}
      </ul>
      <QuietRooms rooms={quiet} />
    </section>
  );
}

function UnlockHint({ level, lapsed }: { readonly level: number; readonly lapsed: boolean }) {
  const next = levelByNumber(level + 1);
  if (lapsed) {
    return <p className="border-t border-line pt-5 text-sm text-muted">{roomListStrings.renew}</p>;
  }
  return (
    <p className="border-t border-line pt-5 text-sm text-muted">
      {roomListStrings.unlockMore(level, next)}{" "}
      <Link to={paths.progress} className="text-ink underline underline-offset-4">
        {roomListStrings.whatIsLeft}
      </Link>
    </p>
  );
}

function ActionsSkeleton() {
  return (
    <>
      <Skeleton className="h-11 w-48" />
      <Skeleton className="h-8 w-32 sm:w-48" />
    </>
  );
}

function RoomsSkeleton() {
  return (
    <Loading label={chatStrings.loadingRooms} className="grid gap-3">
      <Skeleton className="h-8 w-48" />
      <div className="grid gap-2">
        {[1, 2, 3, 4, 5, 6, 7, 8].map((each) => (
          <Skeleton key={each} className="h-16" />
        ))}
      </div>
    </Loading>
  );
}
