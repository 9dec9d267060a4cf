import {
  ChartNoAxesColumnIncreasing,
  Gauge,
  House,
  LibraryBig,
  MessagesSquare,
  NotebookPen,
  PenLine,
  UserRound,
  UsersRound,
  type LucideIcon,
} from "lucide-react";
import { categories } from "@/domain/categories.ts";
import { libraryPath, sections, type Section } from "@/domain/library-paths.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { withoutTrailing } from "@/lib/without-trailing.ts";
import type { Role } from "@/domain/roles.ts";
import type { Accent } from "@/ui/accent.ts";
import { areaNames, consoleStrings, pageNames } from "./strings.ts";

/** What may be unread on a page. */
export type Unread = "rooms" | "conversations";

/** A page of an area, named by its tab. */
export interface AreaPage {
  readonly label: string;
  readonly to: string;
  /** Other addresses that are this page, or under which its further pages stand. */
  readonly also?: readonly string[];
  readonly unread?: Unread;
  /** Its tab counts what waits for an administrator. */
  readonly isQueue?: true;
  /** The level that opens it; open to all without. */
  readonly level?: Section["level"];
  /** Whom it is for; all without. */
  readonly roles?: readonly Role[];
}

/** An entry of the rail, with the pages that stand in it as tabs. */
export interface Area {
  readonly label: string;
  /** G and then this letter open it. */
  readonly letter: string;
  readonly icon: LucideIcon;
  readonly accent?: Accent;
  readonly pages: readonly AreaPage[];
  /** Whom it is for; all without. */
  readonly roles?: readonly Role[];
}

const payers = ["student", "mentor"] as const satisfies readonly Role[];

/** All pages of the members' house, in the order of the rail. The tabs, a phone's bar and what is current follow from it. */
const areas: readonly Area[] = [
  ...payers.map((role) => ({
    label: areaNames.home,
    letter: "h",
    icon: House,
    pages: [{ label: areaNames.home, to: dashboardOf[role] }],
    roles: [role],
  })),
  {
    label: areaNames.console,
    letter: "h",
    icon: Gauge,
    roles: ["admin"],
    pages: [
      { label: consoleStrings.overview, to: paths.adminDashboard },
      { label: consoleStrings.members, to: paths.adminMembers },
      { label: consoleStrings.queues, to: paths.adminQueues, isQueue: true },
      { label: consoleStrings.content, to: paths.adminContent },
      { label: consoleStrings.money, to: paths.adminMoney },
      { label: consoleStrings.settings, to: paths.adminSettings },
      { label: consoleStrings.audit, to: paths.adminAudit },
    ],
  },
  {
    label: areaNames.chats,
    letter: "c",
    icon: MessagesSquare,
    accent: "community",
    pages: [
      { label: pageNames.rooms, to: paths.chats, unread: "rooms" },
      { label: pageNames.messages, to: paths.messages, unread: "conversations" },
    ],
  },
  {
    label: areaNames.learn,
    letter: "l",
    icon: PenLine,
    accent: "community",
    pages: [
      { label: pageNames.submissions, to: paths.submissions, also: [paths.newSubmission] },
      { label: pageNames.pacts, to: paths.pacts },
    ],
  },
  {
    label: areaNames.library,
    letter: "b",
    icon: LibraryBig,
    pages: categories.map((category) => ({
      label: sections[category].name,
      to: libraryPath(category, "articles"),
      also: [libraryPath(category, "courses")],
      level: sections[category].level,
    })),
  },
  {
    label: areaNames.people,
    letter: "p",
    icon: UsersRound,
    accent: "community",
    pages: [
      { label: pageNames.directory, to: paths.members },
      { label: pageNames.collaborate, to: paths.collaborate },
    ],
  },
  {
    label: areaNames.progress,
    letter: "r",
    icon: ChartNoAxesColumnIncreasing,
    pages: [
      { label: pageNames.levels, to: paths.progress },
      { label: pageNames.achievements, to: paths.achievements },
      { label: pageNames.guarantee, to: paths.progressGuarantee, roles: payers },
    ],
  },
  {
    label: areaNames.studio,
    letter: "s",
    icon: NotebookPen,
    pages: [
      { label: pageNames.writing, to: paths.studio },
      { label: pageNames.analytics, to: paths.studioAnalytics },
      { label: pageNames.selling, to: paths.studioSelling },
      { label: pageNames.training, to: paths.training },
    ],
    roles: ["mentor", "admin"],
  },
];

/** What stands in the menu under one's face. */
const account: Area = {
  label: areaNames.account,
  letter: "a",
  icon: UserRound,
  pages: [
    { label: pageNames.account, to: paths.account },
    { label: pageNames.membership, to: paths.subscriptions, roles: payers },
    { label: pageNames.yourCourses, to: paths.yourCourses, roles: payers },
    { label: pageNames.gifts, to: paths.gifts, roles: payers },
    { label: pageNames.affiliates, to: paths.affiliates, roles: payers },
    { label: pageNames.identity, to: paths.verification, roles: payers },
  ],
};

function withPagesFor(area: Area, role: Role): Area {
  return { ...area, pages: area.pages.filter(({ roles }) => roles?.includes(role) ?? true) };
}

/** The areas of the rail for a role. */
export function areasOf(role: Role): readonly Area[] {
  return areas
    .filter(({ roles }) => roles?.includes(role) ?? true)
    .map((area) => withPagesFor(area, role));
}

/** The menu under one's face for a role. */
export function accountAreaOf(role: Role): Area {
  return withPagesFor(account, role);
}

const addressesOf = ({ to, also = [] }: AreaPage) => [to, ...also];

/** Where an address is in the house. */
export interface AreaPlace {
  readonly area: Area;
  readonly page: AreaPage;
  /** The address is that of a tab, not of a page further inside. */
  readonly isTop: boolean;
}

/** The area and the page that an address belongs to, by the longest of theirs that it begins with; null for none. */
export function areaPlaceOf(all: readonly Area[], pathname: string): AreaPlace | null {
  const address = withoutTrailing(pathname, "/");
  let found: AreaPlace | null = null;
  let length = 0;
  for (const area of all) {
    for (const page of area.pages) {
      for (const base of addressesOf(page)) {
        const isTop = address === base;
        if (base.length <= length || !(isTop || address.startsWith(`${base}/`))) continue;
        found = { area, page, isTop };
        length = base.length;
      }
    }
  }
  return found;
}
