import { brand } from "@/domain/brand.ts";
import { paths } from "@/domain/paths.ts";

/** The entries of the rail. */
export const areaNames = {
  home: "Home",
  console: "Console",
  chats: "Chats",
  learn: "Learn",
  library: "Library",
  people: "People",
  progress: "Progress",
  studio: "Studio",
  account: "Account",
} as const;

/** The tabs of the areas, and the entries of the menu under one's face. */
export const pageNames = {
  rooms: "Rooms",
  messages: "Messages",
  submissions: "Submissions",
  pacts: "Pacts",
  directory: "Directory",
  collaborate: "Collaborate",
  levels: "Levels",
  achievements: "Achievements",
  guarantee: "Guarantee",
  writing: "Writing",
  analytics: "Analytics",
  selling: "Selling",
  training: "Training",
  account: "Account",
  membership: "Membership",
  yourCourses: "Your courses",
  gifts: "Gifts",
  affiliates: "Affiliates",
  identity: "Identity",
} as const;

/** The rail, the account's menu, and what stands there while a page is being found. */
export const shellStrings = {
  level: (level: number) => `Level ${level}`,
  /** Said after a number. */
  unreadRooms: (count: number) => (count === 1 ? "unread room" : "unread rooms"),
  /** Said after the number of what waits for an administrator. */
  waiting: "waiting",
  /** Said before the member's name. */
  accountOf: "Account of ",
  signOut: "Sign out",
  loading: `${brand.name} is loading`,
  stillLoading:
    "Still loading. If this takes much longer, check your connection and reload the page.",
} as const;

/** The parts of the console. */
export const consoleStrings = {
  overview: "Overview",
  members: "Members",
  queues: "Queues",
  content: "Content",
  money: "Money",
  settings: "Settings",
  audit: "Audit log",
} as const;

export const queuesPageStrings = {
  title: "Queues",
  intro: (isBySeriousness: boolean) =>
    `Waiting for your decision, ${isBySeriousness ? "most serious" : "oldest"} first.`,
  tabs: {
    identity: "Identity",
    reports: "Reports",
    accounts: "Accounts",
    disputes: "Disputes",
    review: "Drafts",
    payouts: "Payouts",
    claims: "Claims",
  },
  loading: "Loading the queues",
  allDone: "Nothing is waiting for a decision",
  allDoneNote:
    "Documents, reports, flagged accounts, disputes, drafts, payouts and claims appear here when they need you.",
  empty: "nothing waiting",
  oldest: (ago: string) => `oldest ${ago}`,
  factorTitle: "The queues need a second factor",
  /** What a password alone is not enough for. */
  factorPurpose: "open members' documents and decide about them",
} as const;

/** Why a page is closed, and the way on, by where the visitor was to be sent. */
export const closedReasons: Readonly<Record<string, readonly [reason: string, action: string]>> = {
  [paths.auth]: ["Sign in to open this page.", "Sign in"],
  [paths.paywall]: ["This page needs an active membership.", "Choose a plan"],
  [paths.onboarding]: ["Finish onboarding to open this page.", "Continue onboarding"],
};

/** Where a page is not shown: a title, a reason, and the way on. */
export const closedPageStrings = {
  tabTitle: `Page not open · ${brand.name}`,
  title: "You can't open this page",
  otherwise: ["This page isn't open to you yet.", "Continue"],
  /** Addresses that lead every visitor on; nothing is closed there. */
  leadingOn: {
    moved: ["This page has moved", "It has a new address.", "Continue"],
    "auth-page": ["You're already signed in", "There is nothing to do on this page.", "Continue"],
  },
} as const;

export const unavailableStrings = {
  tabTitle: `Connection trouble · ${brand.name}`,
  title: "We can't reach the server",
  text: "Your account and everything in it are safe. Check your connection and try again in a moment.",
  retry: "Try again",
  signOut: "Sign out",
} as const;

/** Shown where the code of a page can't be loaded without a connection. */
export const offlinePageStrings = {
  tabTitle: `You're offline · ${brand.name}`,
  title: "You're offline",
  text: "This page opens when you're back online.",
} as const;

export const errorPageStrings = {
  tabTitle: `Unexpected Application Error! · ${brand.name}`,
  title: "Unexpected Application Error!",
  /** The address stands between the two. */
  textBefore:
    "Something went wrong on this page. Everything you saved is safe. Reloading usually helps. If it doesn't, switch off your browser's translation and its extensions for this site, or write to ",
  textAfter: ".",
  reload: "Reload the page",
  home: "Go home",
} as const;
