import {
  BookOpen,
  BriefcaseBusiness,
  ChartNoAxesColumnIncreasing,
  HandCoins,
  Handshake,
  House,
  Landmark,
  MessageCircle,
  MessagesSquare,
  NotebookPen,
  PenLine,
} from "lucide-react";
import { Outlet } from "react-router";
import { brand } from "@/domain/brand.ts";
import { categories } from "@/domain/categories.ts";
import { levelByNumber } from "@/domain/levels.ts";
import { libraryPath, sections } from "@/domain/library-paths.ts";
import type { Role } from "@/domain/roles.ts";
import { useUnreadRooms } from "@/features/chat/index.ts";
import { useUnreadConversations } from "@/features/messages/index.ts";
import { LevelUpMoment, LockedSection, useLevel, type LevelView } from "@/features/levels/index.ts";
import { NotificationBell, useWaiting } from "@/features/notifications/index.ts";
import { Search } from "@/features/search/index.ts";
import { ClosedPageAlert, useSession } from "@/features/session/index.ts";
import { AppShell, type NavEntry } from "@/ui/app-shell.tsx";
import { Wordmark } from "@/ui/rising-line.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { usePageHandle } from "./page-title.tsx";
import { shellStrings } from "./strings.ts";
import { useLostMembership } from "./use-lost-membership.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";

const categoryIcons = { general: BookOpen, business: BriefcaseBusiness, wealth: Landmark } as const;

/** What waits for the member, as the rail and the tabs show it. */
interface NavCounts {
  readonly waiting: number;
  readonly rooms: number;
  readonly conversations: number;
}

/** The entries of the rail for this role and level. */
function navEntries(role: Role, level: LevelView, counts: NavCounts): NavEntry[] {
  return [
    {
      label: shellStrings.home,
      to: dashboardOf[role],
      icon: House,
      // The dashboard of an administrator is the console's, which has no Today.
      unread: role === "admin" ? 0 : counts.waiting,
      unreadWhat: shellStrings.waiting,
    },
    {
      label: shellStrings.chats,
      to: paths.chats,
      icon: MessagesSquare,
      accent: "community",
      unread: counts.rooms,
      unreadWhat: shellStrings.unreadRooms(counts.rooms),
    },
    {
      label: shellStrings.messages,
      to: paths.messages,
      icon: MessageCircle,
      accent: "community",
      unread: counts.conversations,
    },
    {
      label: shellStrings.learning,
      to: paths.submissions,
      under: paths.learning,
      icon: PenLine,
      accent: "community",
    },
    {
      label: shellStrings.collaborate,
      to: paths.collaborate,
      icon: Handshake,
      accent: "community",
    },
    ...categories.map((category): NavEntry => {
      const { name, segment, level: needed } = sections[category];
      const open = role === "admin" || level.status !== "ready" || level.current >= needed;
      return {
        label: name,
        to: libraryPath(category, "articles"),
        under: `/${segment}`,
        icon: categoryIcons[category],
        accent: segment,
        locked: open
          ? undefined
          : { opensAt: shellStrings.level(needed), explanation: <LockedSection level={needed} /> },
      };
    }),
    {
      label: shellStrings.progress,
      to: paths.progress,
      under: [paths.progress, paths.achievements],
      icon: ChartNoAxesColumnIncreasing,
    },
    ...(role === "admin"
      ? []
      : [{ label: shellStrings.affiliates, to: paths.affiliates, icon: HandCoins }]),
    ...(role === "student"
      ? []
      : [{ label: shellStrings.studio, to: paths.studio, icon: NotebookPen }]),
  ];
}

/** The members' house: rail, top bar, tabs, and the page inside. */
export function ShellLayout() {
  useLostMembership();
  const { role } = useSession();
  const level = useLevel();
  const counts = {
    waiting: useWaiting(),
    rooms: useUnreadRooms(),
    conversations: useUnreadConversations(),
  };
  const handle = usePageHandle();
  const current = levelByNumber(level.current);
  return (
    <AppShell
      brand={<Wordmark name={brand.name} />}
      homePath={dashboardOf[role]}
      entries={navEntries(role, level, counts)}
      title={handle?.title ?? brand.name}
      accent={handle?.accent}
      fill={handle?.layout === "fill"}
      level={role === "admin" ? null : level.status === "loading" ? "loading" : (current ?? null)}
      tools={
        <>
          <Search />
          <NotificationBell />
        </>
      }
      account={<AccountMenu />}
    >
      <LevelUpMoment />
      <ClosedPageAlert className="mb-6" />
      <Outlet />
    </AppShell>
  );
}
