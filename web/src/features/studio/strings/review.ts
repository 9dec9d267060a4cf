import type { DraftKind } from "../model/draft.ts";

/** The drafts that wait for a review, and deciding on one. */
export const reviewStrings = {
  title: "Articles and courses",
  panel: "The open draft",
  keyboard:
    "Keyboard: J and K move between drafts. Enter opens one, Enter again moves into it, Esc closes it. With one open, A publishes and X returns it with your comments.",
  queueLoading: "Loading the queue",
  queueFailed: "We couldn't load the queue",
  emptyTitle: "Nothing to review",
  empty: "What mentors submit appears here, oldest first.",
  changes: (kind: DraftKind) => `Changes to a published ${kind}`,
  by: (name: string) => `by ${name}`,
  draftFailed: "We couldn't load this draft",
  draftLoading: "Loading the draft",
  draftLink: "Versions and preview",
  comments: "Your comments",
  removeComment: "Remove",
  askedTime: (time: string) => `Its mentor asked for ${time}.`,
  publish: "Publish",
  schedule: "Schedule",
  return: "Return",
  returnWithComments: "Return with comments",
  returned: "Returned.",
  question: (act: string, title: string) => `${act} “${title}”?`,
  publishText: (what: string) =>
    `${what} Its mentor is notified. Your decision is recorded with your name.`,
  returnText:
    "Its mentor reads your comments and can submit it again. Your decision is recorded with your name.",
  confirm: (act: string, kind: DraftKind) => `${act} ${kind}`,
  cancel: "Not yet",
} as const;

export const reviewCommentStrings = {
  title: "Comment",
  quote: "Quote the selected words",
  nothingSelected: "Select the words in the draft first, then press this again.",
  removeQuote: "Remove the quote",
  comment: "Your comment",
  add: "Add comment",
} as const;
