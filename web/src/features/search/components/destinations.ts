import { libraryPath, sections, shelfNames, shelves } from "@/domain/library-paths.ts";
import { dashboardOf, paths } from "@/domain/paths.ts";
import { categories } from "@/domain/categories.ts";
import type { Role } from "@/domain/roles.ts";
import { searchKey } from "@/lib/fold-text.ts";
import type { Accent } from "@/ui/accent.ts";
import { destinationNames } from "../strings.ts";

/** A page that can be opened by name. */
export interface Destination {
  readonly label: string;
  readonly path: string;
  readonly accent?: Accent;
  /** Other words members search for. */
  readonly keywords?: string;
}

/** Every page a member of this role and level can open. */
export function destinationsOf(role: Role, level: number): Destination[] {
  return [
    {
      label: role === "admin" ? destinationNames.consoleOverview : destinationNames.home,
      path: dashboardOf[role],
      keywords: "home dashboard",
    },
    ...communityPages,
    ...libraryPages(role, level),
    ...progressPages,
    ...(role === "student" ? [] : mentorPages),
    ...(role === "admin" ? consolePages : membershipPages),
    ...accountPages,
  ];
}

const communityPages: readonly Destination[] = [
  { label: destinationNames.chats, path: paths.chats, accent: "community", keywords: "rooms" },
  {
    label: destinationNames.messages,
    path: paths.messages,
    accent: "community",
    keywords: "direct conversations write",
  },
  {
    label: destinationNames.submissions,
    path: paths.submissions,
    accent: "community",
    keywords: "learning feed",
  },
  {
    label: destinationNames.newSubmission,
    path: paths.newSubmission,
    accent: "community",
    keywords: "create post",
  },
  {
    label: destinationNames.pacts,
    path: paths.pacts,
    accent: "community",
    keywords: "promise witness due",
  },
  {
    label: destinationNames.collaborate,
    path: paths.collaborate,
    accent: "community",
    keywords: "projects partners offers requests",
  },
  {
    label: destinationNames.directory,
    path: paths.members,
    accent: "community",
    keywords: "members people profiles",
  },
];

function libraryPages(role: Role, level: number): Destination[] {
  return categories.flatMap((category) => {
    const section = sections[category];
    if (role !== "admin" && level < section.level) return [];
    return shelves.map((shelf) => ({
      label: `${section.name}: ${shelfNames[shelf]}`,
      path: libraryPath(category, shelf),
      accent: section.segment,
      keywords: shelf,
    }));
  });
}

const progressPages: readonly Destination[] = [
  { label: destinationNames.progress, path: paths.progress, keywords: "levels statistics rank" },
  {
    label: destinationNames.achievements,
    path: paths.achievements,
    keywords: "badges streak certificates",
  },
];

const mentorPages: readonly Destination[] = [
  { label: destinationNames.studio, path: paths.studio, keywords: "drafts write mentor" },
  { label: destinationNames.analytics, path: paths.studioAnalytics, keywords: "figures readers" },
  { label: destinationNames.selling, path: paths.studioSelling, keywords: "sales price buyers" },
  { label: destinationNames.training, path: paths.training, keywords: "mentors courses" },
];

const consolePages: readonly Destination[] = [
  { label: destinationNames.consoleMembers, path: paths.adminMembers, keywords: "accounts" },
  {
    label: destinationNames.consoleQueues,
    path: paths.adminQueues,
    keywords: "reports moderation review",
  },
  { label: destinationNames.consoleContent, path: paths.adminContent, keywords: "library" },
  {
    label: destinationNames.consoleMoney,
    path: paths.adminMoney,
    keywords: "payments payouts revenue",
  },
  {
    label: destinationNames.consoleSettings,
    path: paths.adminSettings,
    keywords: "requirements levels rooms",
  },
  { label: destinationNames.consoleAudit, path: paths.adminAudit, keywords: "history" },
];

/** What administrators have no use for: they pay nothing and earn nothing. */
const membershipPages: readonly Destination[] = [
  {
    label: destinationNames.membership,
    path: paths.subscriptions,
    keywords: "subscription plan payment cancel",
  },
  {
    label: destinationNames.guarantee,
    path: paths.progressGuarantee,
    keywords: "money back refund promise income",
  },
  { label: destinationNames.yourCourses, path: paths.yourCourses, keywords: "bought purchases" },
  {
    label: destinationNames.affiliates,
    path: paths.affiliates,
    keywords: "link referral commission earn",
  },
  {
    label: destinationNames.identity,
    path: paths.verification,
    keywords: "verification document passport",
  },
];

const accountPages: readonly Destination[] = [
  {
    label: destinationNames.account,
    path: paths.account,
    keywords: "profile picture goals",
  },
  {
    label: destinationNames.appearance,
    path: `${paths.account}#appearance`,
    keywords: "theme dark light colours text size",
  },
  {
    label: destinationNames.privacy,
    path: `${paths.account}#directory`,
    keywords: "blocked members who can write",
  },
  {
    label: destinationNames.signIn,
    path: `${paths.account}#sign-in`,
    keywords: "email e-mail password second factor sessions devices",
  },
  {
    label: destinationNames.data,
    path: `${paths.account}#data`,
    keywords: "export download delete account",
  },
  {
    label: destinationNames.notifications,
    path: `${paths.account}#notifications`,
    keywords: "notifications emails push bell",
  },
];

/** The destinations whose label or keywords contain every word of the query. */
export function matchDestinations(
  destinations: readonly Destination[],
  query: string,
): Destination[] {
  const words = searchKey(query).split(" ");
  return destinations.filter(({ label, keywords = "" }) => {
    const text = searchKey(`${label} ${keywords}`);
    return words.every((word) => text.includes(word));
  });
}

/** Whether the name of a page, or what stands after its colon, begins with the query: that page is meant, and no text with the word. */
export function isNamed({ label }: Destination, query: string): boolean {
  const typed = searchKey(query);
  return typed !== "" && label.split(": ").some((part) => searchKey(part).startsWith(typed));
}
