import type { Requirement, RequirementKind } from "@/domain/level-progress.ts";
import { maximumLevel, type LevelNumber } from "@/domain/levels.ts";
import { sections } from "@/domain/library-paths.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { HistoryRange } from "./model/history.ts";
import type { ProgressEventFilter } from "./model/progress-event.ts";

/** On the page of the progress, its card and the doors that are still closed. */
export const progressStrings = {
  title: "Your progress",
  intro: "Every figure comes from something you did. Select one to see what.",
  loading: "Loading your progress",
  loadFailed: "Your progress couldn't be loaded",
  nothingLost: "None of it is lost.",
  tryAgain: "Try again",
  show: "See your progress",
  levelTitle: (number: number, name: string) => `Level ${number}: ${name}`,
  doneOf: (done: number, needed: number) => `${done} of ${needed}`,
  requirements: (level: number) => `What Level ${level} asks for`,
  /** @param between how many levels lie between the present one and the door. */
  locked: (level: number, between: number) =>
    `You're on Level ${level}. Here's what it asks for${
      between > 0 ? `, with ${pluralise(between, "more level")} to go after it` : ""
    }.`,
} as const;

export const progressSummaryStrings = {
  label: "Overall",
  completion: "Overall completion",
  completionValue: (percent: number, done: number, total: number) =>
    `${percent} per cent, ${done} of ${total}`,
  beforeLevels: "Before level 1",
  beforeLevelsText: "Your levels start when you finish onboarding.",
  rankFailed: "Your engagement rank couldn't be loaded.",
  rankLabel: "Engagement rank: ",
  noRank: "Send, reply to or like a message to get your rank.",
  rankAlone: (engagements: string) => `With ${engagements} you are the only member so far.`,
  rank: (engagements: string, percent: string, members: string) =>
    `With ${engagements} you are ahead of ${percent}% of all ${members} members.`,
} as const;

export const progressCardStrings = {
  allDone: "You have completed all four levels. See everything you did under Progress.",
  levelDone: "You have done everything this level asks for. The next one is about to open.",
  overall: "Overall ",
  overallLink: (percent: number, done: number, total: number) =>
    `Overall completion ${percent} per cent, ${done} of ${total}. See your progress`,
  overallFigures: (done: number, total: number) => ` · ${done} of ${total}`,
} as const;

/** The four levels in a row. */
export const levelStripStrings = {
  title: "Level Advancements",
  loading: "Loading your level",
  loadFailed: "Your level couldn't be loaded.",
} as const;

export const levelColumnsStrings = {
  title: "What each level asks for",
  level: "Level ",
  now: "Now",
  ahead: "Ahead",
  done: "Done",
  doneOn: (date: string) => `Done on ${date}`,
  showEvidence: (level: number) => `at level ${level}. See the evidence`,
  requirementLabel: (title: string, level: number) => `${title}, level ${level}`,
} as const;

export const goalsPanelStrings = {
  stepTitle: "Your next step",
  goalsTitle: "Your goals",
  inSixMonths: "In six months",
  inAYear: "In a year",
  private: { before: "Only you see your goals. ", link: "Change them" },
} as const;

/** What a member without access reads, and the way on. */
export const membershipNoticeStrings = {
  lapsed: { title: "Your membership is not active", action: "See your membership" },
  unpaid: { title: "You don't have a membership yet", action: "Choose a plan" },
  onboarding: { title: "Your membership is not complete", action: "Finish onboarding" },
} as const;

/** The celebration, and what it says of each milestone. */
export const levelUpStrings = {
  label: "Level up",
  announced: (title: string, text: string) => `You have reached ${title}. ${text}`,
  reached: "You have reached",
  stay: "Stay on this page",
  open: (name: string) => `Open ${name}`,
  opened: {
    2: "Knowledge is open: foundations to read, courses to take, and four more chat rooms.",
    3: "Business is open: foundations to read, courses to take, and five more chat rooms.",
    4: "Wealth is open: foundations to read, courses to take, and the last five chat rooms.",
  },
  counted: (done: readonly string[]) => `What counted: ${done.join(", ")}.`,
  complete: "All four levels, complete",
  completeText: "You have done everything the four levels ask for. Look back at how you did it.",
} as const;

export const nextStepStrings = {
  goal: (level: LevelNumber) =>
    level < maximumLevel ? `Level ${level + 1}` : "completing all four levels",
  remaining: (left: number, goal: string) => `${left} more towards ${goal}`,
  sentence: (task: string, goal: string) => `${task} on your way to ${goal}.`,
  roomsLeft: (left: number) => `Open ${pluralise(left, "more chat room")}`,
  submissionsLeft: (left: number) => `Post ${pluralise(left, "more learning submission")}`,
  messagesLeft: (left: number) => `Write or like ${pluralise(left, "more message")}`,
  articlesLeft: (left: number, category: string) =>
    `Read ${pluralise(left, `more ${category} article`)}`,
  coursesLeft: (left: number, category: string) =>
    `Complete ${pluralise(left, `more ${category} course`)}`,
  // One may have written in a room from Home without having opened any.
  openRoom: (isFirst: boolean) => (isFirst ? "Open a chat room" : "Open another chat room"),
  postSubmission: (isFirst: boolean) =>
    isFirst ? "Post your first learning submission" : "Post a learning submission",
  joinConversation: "Join a conversation",
  readArticle: (category: string) => `Read a ${category} article`,
  takeCourse: (category: string) => `Take a ${category} course`,
} as const;

export const requirementNames: Readonly<Record<RequirementKind, string>> = {
  rooms: "Chat rooms opened",
  submissions: "Learning submissions",
  engagements: "Message engagements",
  articles: "Articles read",
  courses: "Courses completed",
};

/** A requirement that is met, such as `5 chat rooms opened`. */
export function requirementMet({ kind, needed, category = "general" }: Requirement): string {
  const { name } = sections[category];
  switch (kind) {
    case "rooms":
      return `${pluralise(needed, "chat room")} opened`;
    case "submissions":
      return pluralise(needed, "learning submission");
    case "engagements":
      return pluralise(needed, "message engagement");
    case "articles":
      return `${pluralise(needed, `${name} article`)} read`;
    case "courses":
      return `${pluralise(needed, `${name} course`)} completed`;
  }
}

/** The counter as a title. */
export function progressEventTitle({ kind, category }: ProgressEventFilter): string {
  switch (kind) {
    case "rooms":
    case "submissions":
    case "engagements":
      return requirementNames[kind];
    case "articles":
      return `${sections[category ?? "general"].name} articles read`;
    case "courses":
      return `${sections[category ?? "general"].name} courses completed`;
  }
}

export const eventLabels: Readonly<Record<string, string>> = {
  room_opened: "Room opened",
  submission: "Submission",
  message: "Message",
  like: "Like",
  article_read: "Article read",
  course_completed: "Course completed",
};

/** What stands behind one counter. */
export const evidenceStrings = {
  description: "Everything that counted towards this figure, newest first.",
  loading: "Loading the evidence",
  loadFailed: "The evidence couldn't be loaded",
  empty: "Nothing has counted here yet.",
  list: "Evidence",
  showEarlier: "Show earlier",
  gone: "No longer available, but it still counts",
} as const;

export const historyStrings = {
  title: "Over time",
  loading: "Loading the charts",
  loadFailed: "The charts couldn't be loaded",
  range: "How far back",
  chart: (name: string, total: number, range: string) =>
    `${name}: ${total} in ${range}. The figures are in the table below.`,
  table: "Figures as a table",
  caption: (range: string) => `What you did in ${range}, newest first`,
} as const;

export const rangeLabels: Readonly<Record<HistoryRange, string>> = {
  30: "30 days",
  90: "90 days",
  365: "1 year",
};

/** What one bar stands for. */
export const periodLabels: Readonly<Record<HistoryRange, string>> = {
  30: "Day",
  90: "Week from",
  365: "Month",
};
