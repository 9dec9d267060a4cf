import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { Link } from "react-router";
import { paths } from "@/domain/paths.ts";
import { retryLaterMessage } from "@/lib/errors.ts";
import { Button } from "@/ui/button.tsx";
import { classNames } from "@/ui/class-names.ts";
import { Loading, Skeleton } from "@/ui/skeleton.tsx";
import { UnreadCount } from "@/ui/unread-count.tsx";
import { canEnter, type RoomOverview } from "../model/room.ts";
import { useRooms } from "../queries.ts";
import { chatStrings, roomStrings } from "../strings.ts";
import { LastLineText } from "./last-line-text.tsx";

/**
 * The member's rooms beside a conversation. It is one stop of the Tab key; arrow keys, Home and End
 * move between the rooms.
 */
export function RoomSwitcher({
  currentId,
  level,
}: {
  /** The room that is open. */
  readonly currentId: string;
  readonly level: number;
}) {
  const { data, isError, error, isFetching, refetch } = useRooms();
  const rooms = data?.filter((room) => canEnter(room, level));
  const list = useRef<HTMLUListElement>(null);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const tabStop = rooms?.some(({ id }) => id === focusedId) ? focusedId : currentId;
  const hasTabStop = rooms?.some(({ id }) => id === tabStop) ?? false;

  // The room that was left has been read meanwhile.
  const readFor = useRef(currentId);
  useEffect(() => {
    if (readFor.current === currentId) return;
    readFor.current = currentId;
    void refetch({ cancelRefetch: false });
  }, [refetch, currentId]);

  // The current room may be below the fold of a long list.
  const isLoaded = rooms !== undefined;
  useEffect(() => {
    if (!isLoaded) return;
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    links
      .find(({ dataset }) => dataset["room"] === currentId)
      ?.scrollIntoView({ block: "nearest" });
  }, [isLoaded, currentId]);

  function onKeyDown(event: KeyboardEvent): void {
    const links = [...(list.current?.querySelectorAll("a") ?? [])];
    const at = links.findIndex((link) => link === document.activeElement);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: links.length - 1 }[event.key];
    if (to === undefined || at === -1) return;
    event.preventDefault();
    links[Math.min(links.length - 1, Math.max(0, to))]?.focus();
  }

  return (
    <nav
      aria-label={roomStrings.switcher}
      // Hidden by the style sheet as well, which follows a narrower window at once.
      className="hidden h-full w-72 shrink-0 flex-col border-r border-line xl:flex"
    >
      <p aria-hidden className="px-5 pt-4 pb-2 text-sm font-medium text-muted">
        {roomStrings.switcher}
      </p>
      {rooms === undefined && isError ? (
        <div role="alert" className="grid justify-items-start gap-3 px-5 py-2 text-sm">
          <p>
            {roomStrings.switcherFailed} {retryLaterMessage(error)}
          </p>
          <Button variant="secondary" size="sm" loading={isFetching} onClick={() => void refetch()}>
            {chatStrings.retry}
          </Button>
        </div>
      ) : null}
      {rooms === undefined && !isError ? (
        <Loading label={chatStrings.loadingRooms} className="grid gap-2 px-3">
          {[1, 2, 3, 4, 5].map((each) => (
            <Skeleton key={each} className="h-14" />
          ))}
        </Loading>
      ) : null}
      {rooms === undefined ? null : (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- The keys move between the links inside.
        <ul
          ref={list}
          onKeyDown={onKeyDown}
          className="grid min-h-0 content-start gap-0.5 overflow-y-auto px-3 pb-4"
        >
          {rooms.map((room, index) => (
            <li key={room.id} className="min-w-0">
              <SwitcherLink
                room={room}
                isCurrent={room.id === currentId}
                isTabStop={hasTabStop ? room.id === tabStop : index === 0}
                onFocus={() => setFocusedId(room.id)}
              />
            </li>
          ))}
        </ul>
      )}
    </nav>
  );
}

function SwitcherLink({
  room,
  isCurrent,
  isTabStop,
  onFocus,
}: {
  readonly room: RoomOverview;
  readonly isCurrent: boolean;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}) {
  return (
    <Link
      to={`${paths.chats}/${room.id}`}
      data-room={room.id}
      aria-current={isCurrent ? "page" : undefined}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={onFocus}
      className={classNames(
        "grid min-h-14 grid-cols-1 content-center rounded-control px-2 py-1.5 text-sm focus-visible:-outline-offset-2",
        isCurrent ? "wash" : "hover:bg-hover",
      )}
    >
      <span className="flex min-h-6 items-center justify-between gap-2">
        <span className={classNames("truncate", (isCurrent || room.unread > 0) && "font-semibold")}>
          {room.name}
        </span>
        {/* What arrives in the open room is being read. */}
        {isCurrent ? null : <UnreadCount count={room.unread} />}
      </span>
      <LastLineText line={room.lastLine} />
    </Link>
  );
}
