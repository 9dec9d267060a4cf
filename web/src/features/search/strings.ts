import { pluralise } from "@/lib/format-count.ts";
import type { SearchResult } from "./model/search-results.ts";

export const searchStrings = {
  title: "Search",
  shortcut: "Ctrl K",
  appleShortcut: "⌘ K",
  placeholder: "Search articles, courses, rooms, members…",
  tooShort: "Type at least two letters",
  searching: "Searching…",
  failed: "Search failed",
  failedTitle: "We couldn't search",
  results: (count: number) => pluralise(count, "result"),
  nothingFound: (query: string) => `No results for “${query}”. Try fewer or different words.`,
  members: "Members",
  otherMembers: "Members who mention it",
  /** Titles of what one cannot open yet. */
  locked: "Opens at a higher level",
  opensAt: (level: number, name: string) => `Level ${level} · ${name}`,
  destinations: "Go to",
  /** Below what was found, when other pages stand above it. */
  otherDestinations: "Other pages",
  /** What was opened from here before. */
  recent: "Opened before",
} as const;

/** The sheet of keys. */
export const keyStrings = {
  title: "Keyboard shortcuts",
  goToName: "Go to an area",
  goTo: (letter: string) => `G then ${letter.toUpperCase()}`,
  places: [
    {
      name: "Everywhere",
      keys: [
        ["Ctrl K or ⌘ K", "Search, and go to any page"],
        ["?", "This list"],
        ["Esc", "Close what is open"],
      ],
    },
    {
      name: "In a room",
      keys: [
        ["Enter", "Send"],
        ["Shift Enter", "New line"],
        ["/", "Search the messages"],
        ["Any letter", "Write it; on a message all but R, L and E"],
        ["↑ ↓", "Move between messages, from the empty field too"],
      ],
    },
    {
      name: "On a message",
      keys: [
        ["R", "Reply"],
        ["L", "Like, or take your like back"],
        ["E", "Edit your own"],
        ["Esc", "Back to the field"],
        ["Tab", "Its reactions and the rest of its actions"],
      ],
    },
    {
      name: "In the feed of submissions",
      keys: [["J or K", "Next or previous post"]],
    },
    {
      name: "In an article or a lesson",
      keys: [
        ["J or →", "Next"],
        ["K or ←", "Previous"],
      ],
    },
    {
      name: "In the studio's editor",
      keys: [["/", "Insert a heading, a list, a picture and more"]],
    },
    {
      name: "In a table or a queue of the console",
      keys: [
        ["J or K", "Next or previous"],
        ["Enter", "Open"],
        ["A", "Approve, or keep what was reported"],
        ["X", "Reject, or delete what was reported"],
        ["+ or −", "Enlarge or reduce a document"],
        ["R", "Turn a document"],
        ["S", "Save a document that is a PDF"],
      ],
    },
  ],
} as const;

/** The headings above the results of each kind. */
export const resultHeadings: Readonly<Record<SearchResult["kind"], string>> = {
  article: "Articles",
  course: "Courses",
  room: "Chat rooms",
  submission: "Submissions",
};

/** The names of the pages that can be opened. */
export const destinationNames = {
  home: "Home",
  chats: "Chats",
  messages: "Messages",
  submissions: "Submissions",
  newSubmission: "New submission",
  pacts: "Pacts",
  collaborate: "Collaborate",
  directory: "Directory",
  progress: "Progress",
  achievements: "Achievements",
  studio: "Studio",
  analytics: "Analytics",
  selling: "Selling",
  training: "Training",
  consoleOverview: "Console: Overview",
  consoleMembers: "Console: Members",
  consoleQueues: "Console: Queues",
  consoleContent: "Console: Content",
  consoleMoney: "Console: Money",
  consoleSettings: "Console: Settings",
  consoleAudit: "Console: Audit log",
  membership: "Membership",
  guarantee: "Guarantee",
  yourCourses: "Your courses",
  affiliates: "Affiliates",
  identity: "Identity",
  account: "Account",
  appearance: "Appearance",
  privacy: "Privacy",
  signIn: "Sign-in and security",
  data: "Your data",
  notifications: "Notification settings",
} as const;
