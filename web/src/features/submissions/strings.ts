import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import type { SubmissionType } from "./model/submission-type.ts";

/**
 * Interface texts of submissions that are quoted by the specification or used in several places.
 */
export const submissionStrings = {
  missingFields: "Please fill in all required fields.",
  wrongImage: "Please upload a JPG or PNG image.",
  unreadableImage: "We couldn't read this image. Please choose another JPG or PNG.",
  imageTooLarge: "Image size must be less than 5MB.",
  failed: "Failed to create submission. Please try again.",
  created: "Submission created successfully!",
  feedFailed: "We couldn't load the submissions",
  all: "All submissions",
  locked: "Submissions are for active members. Everything you've shared is kept.",
} as const;

/** What a type of submission is called. */
export interface SubmissionTypeTexts {
  readonly name: string;
  /** In a sentence such as `No failures yet`. */
  readonly plural: string;
  /** Shown to a member who is choosing a type. */
  readonly prompt: string;
}

export const submissionTypeStrings: Readonly<Record<SubmissionType, SubmissionTypeTexts>> = {
  pact: {
    name: "Pact",
    plural: "pacts",
    prompt: "What you commit to, and by when.",
  },
  progress_report: {
    name: "Progress report",
    plural: "progress reports",
    prompt: "What you did, how it went and what's next.",
  },
  before_after: {
    name: "Before and after",
    plural: "before and afters",
    prompt: "Where you started, where you are now and what made the difference.",
  },
  failure: {
    name: "Failure",
    plural: "failures",
    prompt: "What went wrong, and how others can avoid it.",
  },
  success: {
    name: "Success",
    plural: "successes",
    prompt: "What worked, and what it took.",
  },
};

/** The page of all submissions, and of a single one. */
export const submissionFeedStrings = {
  title: "Learning submissions",
  intro: "What members tried, how it went and what they learned.",
  create: "New Submission",
  offlineTitle: "You're offline",
  offline: "You're seeing what was loaded earlier. New submissions appear when you're back online.",
  filter: "Filter by type",
  allTypes: "All",
  list: "Submissions",
  loading: "Loading submissions",
  showOlder: "Show older submissions",
  emptyTitle: "Nothing has been shared yet",
  emptyTypeTitle: (plural: string) => `No ${plural} yet`,
  empty: "Submissions appear here as members share them, newest first.",
  shareFirst: "Share the first one",
  notFoundTitle: "Submission not found",
  notFound: "It may have been deleted, or the link may be wrong.",
  oneFailed: "We couldn't load the submission",
} as const;

export const submissionCardStrings = {
  edited: " · edited",
  featured: "Featured",
  showMore: "Show more",
  showLess: "Show less",
  pictureAlt: (author: string, title: string) =>
    `Shown by ${author} with “${title}”; opens in full`,
  like: "Like",
  likeFailed: (advice: string) => `We couldn't save your like. ${advice}`,
  comments: "Comments",
} as const;

export const submissionMenuStrings = {
  label: (title: string) => `More about “${title}”`,
  copyLink: "Copy link",
  linkCopied: "Link copied.",
  edit: "Edit",
  visitors: "Show to visitors",
  report: "Report",
  feature: "Feature",
  unfeature: "Remove from featured",
  featureFailed: (advice: string) => `We couldn't change the featured mark. ${advice}`,
  delete: "Delete",
  deleteTitle: "Delete this submission?",
  deleteText: (title: string) =>
    `This deletes “${title}” with its likes and comments. You can't undo this. Progress towards a level is kept.`,
  deleteOthersText: (title: string) =>
    `This deletes “${title}” with its likes and comments, and tells its author why. You can't undo this.`,
  deleteConfirm: "Delete submission",
  deleteCancel: "Keep it",
  deleted: "Submission deleted.",
  deleteFailed: (advice: string) => `We couldn't delete the submission. ${advice}`,
} as const;

/** Where an author decides whether visitors read a submission. */
export const visitorsStrings = {
  title: "May visitors read this?",
  text: "If you agree and an administrator features this submission, its title and beginning can stand on our front page, with your first name, occupation and profile picture. You can take this back at any time.",
  loadFailed: "We couldn't check what you chose",
  isAgreed: "You have agreed.",
  isNotAgreed: "You haven't agreed. Only members read it.",
  agree: "Let visitors read it",
  takeBack: "Take it back",
  agreed: "Thank you. It can stand on the front page now.",
  takenBack: "Taken back. It leaves the front page within seconds.",
  failed: (advice: string) => `We couldn't save your choice. ${advice}`,
} as const;

export const editSubmissionStrings = {
  title: "Edit submission",
  intro: "Type and image stay as they are. Others see that it was edited.",
  save: "Save",
  saved: "Submission changed.",
  saveFailed: (advice: string) => `We couldn't save your change. ${advice}`,
  discard: "Discard changes",
} as const;

/** The page of a new submission; the fields are those of the edit window as well. */
export const newSubmissionStrings = {
  title: "New submission",
  intro: "Share something other members can learn from. It counts towards your level.",
  typeLabel: "Type",
  typeMissing: "Choose a type.",
  titleLabel: "Title",
  titleMissing: "Add a title.",
  contentLabel: "Content",
  contentMissing: "Write what happened.",
  offline: "You're offline. What you wrote is kept until you're back online.",
  imageLabel: "Image",
  optional: "(optional)",
  imageHint: "JPG or PNG, under 5 MB. It's cropped to 16:9 in the feed.",
  imageAlt: "Preview of your upload",
  submit: "Submit",
  allPacts: "All pacts",
  pact: "Your pact",
} as const;

export const submissionCommentStrings = {
  list: (title: string) => `Comments on “${title}”`,
  loading: "Loading comments",
  offline: "You're offline. Comments load when you're back online.",
  loadFailed: "We couldn't load the comments.",
  tryAgain: "Try again",
  showEarlier: "Show earlier comments",
  empty: "No comments yet.",
  form: (title: string) => `Comment on “${title}”`,
  label: "Your comment",
  send: "Comment",
  sendFailed: "We couldn't save your comment. Check your connection and try again.",
  report: (author: string) => `Report the comment by ${author}`,
  delete: (author: string) => `Delete the comment by ${author}`,
  deleteTitle: "Delete this comment?",
  deleteText: "You can't undo this.",
  deleteOthersText: "This deletes the comment, and tells its author why. You can't undo this.",
  deleteConfirm: "Delete comment",
  deleteCancel: "Keep it",
  deleteFailed: (advice: string) => `We couldn't delete the comment. ${advice}`,
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a moment and try again.",
  FF333: "This comment is no longer here.",
  FF700: "Your membership has ended. This works again once it's running.",
  FF332: "This submission is no longer here.",
  FF761: "Your membership has ended. This works again once it's running.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainSubmissionError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
