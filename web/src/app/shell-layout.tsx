import { useEffect } from "react";
import { Outlet, useLocation } from "react-router";
import { brand } from "@/domain/brand.ts";
import { categoryOfLevel, libraryPath } from "@/domain/library-paths.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { GraceBanner } from "@/features/billing/index.ts";
import { useUnreadRooms } from "@/features/chat/index.ts";
import { useQueueCounts } from "@/features/moderation/index.ts";
import { useUnreadConversations } from "@/features/messages/index.ts";
import { membersHouse } from "@/lib/members-house.ts";
import { rememberRole } from "@/lib/remembered-role.ts";
import { useTitleCount } from "@/lib/title-count.ts";
import { LevelUpMoment, LockedSection, useLevel, type LevelView } from "@/features/levels/index.ts";
import { NotificationBell } from "@/features/notifications/index.ts";
import { Search } from "@/features/search/index.ts";
import { ClosedPageAlert, useSession } from "@/features/session/index.ts";
import { AppShell, type NavEntry } from "@/ui/app-shell.tsx";
import type { LinkTab } from "@/ui/link-tabs.tsx";
import type { LockedEntry } from "@/ui/locked-door.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { AccountMenu } from "./account-menu.tsx";
import {
  accountAreaOf,
  areasOf,
  areaPlaceOf,
  type Area,
  type AreaPage,
  type AreaPlace,
  type Unread,
} from "./areas.ts";
import { usePageHandle } from "./page-title.tsx";
import { shellStrings } from "./strings.ts";
import { useGoToKeys, type GoTo } from "./use-go-to-keys.ts";
import { useLostMembership } from "./use-lost-membership.ts";
import { dashboardOf } from "@/domain/paths.ts";

type UnreadCounts = Readonly<Record<Unread, number>>;

/** What opens a page, while it is closed at this level. */
function lockOf({ level: needed }: AreaPage, level: LevelView | null): LockedEntry | undefined {
  if (needed === undefined || level === null || level.status !== "ready") return undefined;
  if (level.current >= needed) return undefined;
  return { opensAt: shellStrings.level(needed), explanation: <LockedSection level={needed} /> };
}

/** The page that an area opens with: the first, or in the library that of the member's level. */
function firstPageOf({ pages }: Area, level: LevelView | null): AreaPage | undefined {
  const category = level === null ? undefined : categoryOfLevel(level.current);
  const own = category === undefined ? undefined : libraryPath(category, "articles");
  return pages.find(({ to }) => to === own) ?? pages[0];
}

function tabOf(
  page: AreaPage,
  place: AreaPlace,
  level: LevelView | null,
  unread: UnreadCounts,
  waiting: number,
): LinkTab {
  const isCurrent = page === place.page;
  // The list on the page itself says where something is unread.
  const isListed = isCurrent && place.isTop;
  if (page.isQueue) {
    const count = isListed ? 0 : waiting;
    const { label, to } = page;
    return { label, to, isCurrent, unread: count, unreadWhat: shellStrings.waiting };
  }
  return {
    label: page.label,
    to: page.to,
    isCurrent,
    locked: lockOf(page, level),
    unread: page.unread === undefined || isListed ? 0 : unread[page.unread],
    unreadWhat: page.unread === "rooms" ? shellStrings.unreadRooms(unread.rooms) : undefined,
  };
}

/** The members' house: rail, top bar, tabs, and the page inside. */
export function ShellLayout() {
  useLostMembership();
  const { pathname } = useLocation();
  const { role, profile } = useSession();
  // Whose rail the next document begins with (`static-pages/show-frame.ts`).
  useEffect(() => {
    if (profile !== null) rememberRole(profile.role);
  }, [profile]);
  const reached = useLevel();
  // Nothing is closed to administrators.
  const level = role === "admin" ? null : reached;
  const unread = { rooms: useUnreadRooms(), conversations: useUnreadConversations() };
  // Other notifications are the bell's to count.
  useTitleCount(unread.conversations);
  const handle = usePageHandle();
  const areas = areasOf(role);
  const account = accountAreaOf(role);
  const place = areaPlaceOf([...areas, account], pathname);
  const isConsole = place?.area.pages.some(({ isQueue }) => isQueue) === true;
  const { data: queues = [] } = useQueueCounts(isConsole);
  const waiting = queues.reduce((sum, queue) => sum + queue.waiting, 0);
  const tabs =
    place !== null && areas.includes(place.area) && place.area.pages.length > 1
      ? place.area.pages.map((page) => tabOf(page, place, level, unread, waiting))
      : [];
  const entries = areas.flatMap((area): NavEntry[] => {
    const first = firstPageOf(area, level);
    if (first === undefined) return [];
    const sum = area.pages.reduce(
      (count, page) => count + (page.unread ? unread[page.unread] : 0),
      0,
    );
    return [
      {
        label: area.label,
        to: first.to,
        icon: area.icon,
        accent: area.accent,
        isCurrent: area === place?.area,
        unread: sum,
        locked: lockOf(first, level),
      },
    ];
  });
  const goTo = [...areas, account].flatMap((area): GoTo[] => {
    const first = firstPageOf(area, level);
    return first === undefined || lockOf(first, level)
      ? []
      : [{ letter: area.letter, label: area.label, path: first.to }];
  });
  useGoToKeys(goTo);
  return (
    <AppShell
      brand={<Wordmark name={brand.name} />}
      homePath={dashboardOf[role]}
      entries={entries}
      title={place?.area.label ?? handle?.title ?? brand.name}
      tabs={tabs}
      isTabPage={place?.isTop ?? false}
      accent={handle?.accent}
      fill={handle?.layout === "fill"}
      level={
        role === "admin"
          ? null
          : reached.status === "loading"
            ? "loading"
            : (levelByNumber(reached.current) ?? null)
      }
      tools={
        <>
          <Search areas={goTo} />
          <NotificationBell />
        </>
      }
      account={<AccountMenu />}
    >
      <LevelUpMoment />
      <GraceBanner className="mb-6" />
      <ClosedPageAlert className="mb-6" />
      <Outlet context={membersHouse} />
    </AppShell>
  );
}
