import type { ReportCategory } from "@/domain/report-categories.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { pluralise } from "@/lib/format-count.ts";
import type { QueueName } from "./model/queue-counts.ts";
import type { ReportRemoval, ReportKind } from "./model/report-kinds.ts";

interface KindStrings {
  /** As in “Keep this message?”. */
  readonly name: string;
  /** As in “Reported messages”. */
  readonly plural: string;
  /** In the console's filter. */
  readonly filter: string;
  /** Before the link to it or to where it stands; empty where its author says it all. */
  readonly place: string;
  /** The title of the window that reports it; `name` is what it is called. */
  readonly title: (name: string) => string;
  readonly label: string;
  /** Who will see what. */
  readonly note: string;
  readonly removal: ReportRemoval;
}

const note = "Only administrators see your report. The author isn't told who reported it.";
const label = "What's wrong?";

/** What is said of each kind, to who reports it and to who decides. */
const kindStrings: Readonly<Record<ReportKind, KindStrings>> = {
  message: {
    name: "message",
    plural: "messages",
    filter: "Room messages",
    place: "in ",
    title: () => "Report this message",
    label: "What's wrong with this message?",
    note: "Only administrators see your report. The author isn't told who reported the message.",
    removal: "remove",
  },
  direct_message: {
    name: "direct message",
    plural: "direct messages",
    filter: "Direct messages",
    place: "in a direct message",
    title: () => "Report this message",
    label: "What's wrong with this message?",
    note: "Administrators will read this message and up to five before it, and nothing else in your conversation. The author isn't told who reported it.",
    removal: "remove",
  },
  post: {
    name: "post",
    plural: "posts",
    filter: "Collaborate posts",
    place: "on Collaborate",
    title: (name) => `Report “${name}”`,
    label: "What's wrong with this post?",
    note: "Only administrators see your report. The author isn't told who reported the post.",
    removal: "remove",
  },
  submission: {
    name: "submission",
    plural: "submissions",
    filter: "Submissions",
    place: "submission ",
    title: () => "Report this submission",
    label,
    note,
    removal: "remove",
  },
  comment: {
    name: "comment",
    plural: "comments",
    filter: "Comments",
    place: "comment on ",
    title: () => "Report this comment",
    label,
    note,
    removal: "remove",
  },
  profile: {
    name: "profile",
    plural: "profiles",
    filter: "Profiles",
    place: "",
    title: (name) => `Report ${name}`,
    label,
    note: "Only administrators see your report and the profile as it is now. The member isn't told who reported them.",
    removal: "clear",
  },
};

export const stringsOfKind = (kind: ReportKind): KindStrings => kindStrings[kind];

/** What a report is about, such as “Room messages”; the kind itself when a later release added it. */
export function reportKindName(kind: string): string {
  return Object.hasOwn(kindStrings, kind) ? kindStrings[kind as ReportKind].filter : kind;
}

/** The window in which a member reports something. */
export const reportDialogStrings = {
  nothingSaid: "Choose what's wrong, or say it in your own words.",
  words: "In your own words",
  wordsMissing: "Please say what's wrong.",
  notSent: (advice: string) => `We couldn't send your report. ${advice}`,
  sent: "Thank you. An administrator will look at it.",
  send: "Send report",
  cancel: "Cancel",
} as const;

/** The administrators' queue. */
export const reportQueueStrings = {
  title: (kind: ReportKind | null) =>
    kind === null ? "Reports" : `Reported ${kindStrings[kind].plural}`,
  filter: "What was reported",
  mostSerious: "Most serious first",
  all: "All",
  loading: "Loading the reports",
  failed: "We couldn't load the reports",
  emptyTitle: (kind: ReportKind | null) =>
    kind === null ? "No reports" : `No reported ${kindStrings[kind].plural}`,
  emptyText: (kind: ReportKind | null) =>
    kind === null
      ? "What members report appears here, oldest first."
      : `When members report ${kindStrings[kind].plural}, they appear here, oldest first.`,
  by: (name: string, author: string) =>
    `${name.charAt(0).toUpperCase()}${name.slice(1)} by ${author}`,
  open: (count: number, since: string) => `Waiting since ${since} · ${pluralise(count, "report")}`,
  panel: "The open report",
  keyboard:
    "Keyboard: J and K move between reports. Enter opens one, Enter again moves into it, Esc closes it. With one open, A keeps what was reported and R or X removes it.",
  reports: (count: number, since: string) => `${pluralise(count, "report")}, ${since}`,
  before: "What was written before",
  after: "What was written after",
  alone: "Nobody has written anything else here.",
  deletedLine: "deleted",
  showMore: "Show more",
  showLess: "Show less",
  topics: "Topics",
  changed: "This has since been edited. The reported version is shown above.",
  deleted: (name: string) => `This ${name} has since been deleted.`,
  reasons: "Reasons",
  noDescription: "Picture without a description",
  pictureNotLoaded: "The picture couldn't be loaded.",
  suspend: "Suspend the author",
  suspended: "Suspended",
  openAccount: "Open the account",
  explanationHint: "The author will see this, but not who reported it.",
  notYet: "Not yet",
  notSaved: "Your decision wasn't saved. Another administrator may have decided already.",
} as const;

/** Why most things are taken away, as their author reads it. */
export const removalReasons = [
  "It insults or threatens someone.",
  "It's advertising, or the same thing posted again and again.",
  "It makes promises about money that nobody can keep.",
  "It shares someone's private details.",
  "It uses someone else's work without permission.",
  "It's sexual or violent.",
] as const;

/** The listed reason for what was reported as this; undefined where none fits. */
export function removalReasonFor(category: ReportCategory | null): string | undefined {
  const places: Partial<Record<ReportCategory, number>> = {
    harassment: 0,
    spam: 1,
    scam: 2,
    privacy: 3,
  };
  return category === null ? undefined : removalReasons[places[category] ?? -1];
}

/** What the author is told of a removal. */
export const explanationStrings = {
  common: "Common reasons",
  choose: "Choose one, or write your own",
  label: "Why",
  hint: "The author will see this, but not who deleted it.",
  missing: "Tell the author why.",
} as const;

const recorded = "Your decision is recorded with your name.";

/** What an administrator presses, is asked before the decision, and is told after it. `name` says what was reported. */
export const decisionStrings = {
  keep: {
    press: "Keep",
    title: (name: string) => `Keep this ${name}?`,
    text: (name: string) => `The ${name} stays and its reports are closed. ${recorded}`,
    confirm: (name: string) => `Keep ${name}`,
    done: (name: string) => `The ${name} was kept.`,
  },
  remove: {
    press: "Delete",
    title: (name: string) => `Delete this ${name}?`,
    text: (name: string) =>
      `This deletes the ${name} for everyone. You can't undo this. ${recorded}`,
    confirm: (name: string) => `Delete ${name}`,
    done: (name: string) => `The ${name} was deleted.`,
  },
  clear: {
    press: "Clear bio and topics",
    title: (name: string) => `Clear this ${name}?`,
    text: () => `This deletes the bio and the topics. You can't undo this. ${recorded}`,
    confirm: (name: string) => `Clear ${name}`,
    done: (name: string) => `The ${name} was cleared.`,
  },
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF316: "This message is no longer here.",
  FF317: "You've said a lot about this already. An administrator will look at it.",
  FF345: "Choose another reason.",
  FF332: "This submission is no longer here.",
  FF333: "This comment is no longer here.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF702: "This member is no longer here.",
  FF833: "This post is no longer here.",
  FF834: "This is your own post. You can close it instead.",
};

/** Why a report was not sent, after a sentence that says so. */
export function explainReportError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}

/** Each queue on the console's overview. */
export const queueTitles: Readonly<Record<QueueName, string>> = {
  identity: "Identity documents",
  reports: "Reports by members",
  accounts: "Flagged accounts",
  disputes: "Disputes",
  review: "Drafts to review",
  payouts: "Affiliate payouts",
  claims: "Guarantee claims",
};

export const disputeQueueStrings = {
  title: "Disputes",
  count: "open",
  loading: "Loading the disputes",
  loadFailed: "We couldn't load the disputes",
  emptyTitle: "No open disputes",
  emptyText:
    "When a cardholder asks their bank for their money back, the dispute appears here with the date the bank needs evidence by.",
  note: "A dispute pauses the member's access until the bank decides; a warning alone doesn't. Send evidence from the card provider's dashboard.",
  deletedAccount: "A deleted account",
  opened: (date: string) => `opened ${date}`,
  due: (date: string, isOver: boolean) => `${isOver ? "Was due" : "Due"} ${date}`,
} as const;
