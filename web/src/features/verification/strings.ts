import type { FlaggedAccount, FlaggedDecision } from "./api/flagged-accounts.ts";
import type { VerificationStatus } from "./model/verification.ts";

/** What a member reads who is asked for a document, on the page and in onboarding. */
export const verificationStrings = {
  back: "Back to Dashboard",
  title: "Identity verification",
  intro:
    "We check that every member is who they say they are. Only administrators see your document, and it is deleted 30 days after their decision.",
  introOnboarding:
    "One photo or scan is enough. An administrator looks at it within 24 hours, or 48 when many are waiting; you can carry on straight away.",
  loading: "Loading your verification",
  loadingOnboarding: "Looking up your documents",
  loadFailed: "We couldn't load your verification",
  loadFailedOnboarding: "We couldn't look up your documents",
  rejectionReason: "Reason for the rejection",
  form: "Upload a document",
  documentType: "Document type",
  document: "Identity document",
  documentHint: "JPG, PNG or PDF, up to 10 MB.",
  requirementsTitle: "What we need:",
  submit: "Submit for Verification",
  wrongType: "Please upload a JPG, PNG, or PDF file.",
  unreadable: "This file couldn't be read. Please choose another photo, scan or PDF.",
  tooLarge: "File size must be less than 10MB.",
  noFile: "Please select a file to upload.",
  uploadFailed: "Failed to upload document. Please try again.",
  uploadFailedOnboarding: "Failed to upload verification document. Please try again.",
  uploaded: "Document uploaded successfully! Verification typically takes 24-48 hours.",
  exhausted: "Maximum verification attempts exceeded. Please contact support for assistance.",
  exhaustedOnboarding: "Maximum verification attempts exceeded. Please contact support.",
} as const;

/** What a status means to the member. */
export const statusTexts: Readonly<Record<VerificationStatus, string>> = {
  approved: "Your identity has been verified successfully!",
  rejected: "Your document was rejected. Please upload a new document.",
  pending: "Your document is being reviewed. This typically takes 24-48 hours.",
  none: "Please upload a valid identity document for verification.",
};

/** A status in a word or three. */
export const verificationStatusNames: Readonly<Record<VerificationStatus, string>> = {
  approved: "Approved",
  rejected: "Rejected",
  pending: "Pending",
  none: "Not verified yet",
};

/** Said from the third to the fourth rejection. */
export function attemptsWarning(rejections: number): string {
  return `Warning: ${rejections}/5 verification attempts used. Account will be removed after 5 consecutive failures.`;
}

/** What a document must be like to be accepted. */
export const documentRequirements = [
  "Clear and fully visible, with all four corners in the picture",
  "All text readable",
  "Current and not expired",
  "The photo matches the holder",
  "No screenshots or photocopies",
] as const;

/** What is wrong with most documents, as the member reads it. */
export const rejectionReasons = [
  "The picture is blurred or too dark to read. Please take it again in good light.",
  "Part of the document is cut off. All four corners have to be visible.",
  "The document has expired. Please send one that is valid today.",
  "This is a screenshot or a photocopy. Please send a photo of the document itself.",
  "The name on the document isn't the name on your profile.",
  "This isn't a passport, driving licence or national ID card.",
  "The file couldn't be opened. Please send it again as a JPG, PNG or PDF.",
] as const;

export const reviewQueueStrings = {
  group: "Documents to review",
  panel: "The open document",
  title: "Identity reviews",
  loading: "Loading the queue",
  loadFailed: "We couldn't load the queue",
  emptyTitle: "No documents to review",
  emptyText: "New documents appear here automatically, oldest first.",
  keyboard:
    "Keyboard: J and K move between documents. Enter opens one, Enter again moves into it, Esc closes it. With one open, + and − zoom, R rotates, A approves and X rejects.",
  /** The document of a row, and how many were rejected before it. */
  document: (type: string, rejections: number) =>
    rejections > 0 ? `${type} · ${rejections} rejected before` : type,
  /** Of an administrator's own document, in place of the time that is left and of its type. */
  ownMark: "Yours",
  own: "Another administrator decides",
  hoursLeft: (hours: number) => `${hours} h left`,
  lessThanHourLeft: "Less than 1 h left",
  hoursOverdue: (hours: number) => `${hours} h overdue`,
} as const;

export const reviewPanelStrings = {
  profileName: "Name on the profile",
  profileNameMissing: "Not given yet",
  email: "Email",
  emailMissing: "Not known",
  document: "Document",
  sent: "Sent",
  rejectedBefore: "Rejected before",
  rejectedBeforeCount: (count: number) => `${count} of 5`,
  differs: {
    title: "This is not the file the member submitted",
    missing: "The file is no longer stored. Reject it and ask for another one.",
    changed: "The file was replaced after it was submitted. Reject it and ask for another one.",
  },
  ownTitle: "This is your own document",
  own: "Another administrator has to review it.",
  commonReasons: "Common reasons",
  chooseReason: "Choose one, or write your own",
  reason: "Reason for a rejection",
  reasonHint: "The member reads this. Say what to do differently.",
  reasonMissing: "Say why, so that the member can send a better document.",
  approve: "Approve",
  approveTitle: (name: string) => `Approve ${name}?`,
  approveText:
    "The document shows this person and the name matches. Your decision is final and recorded with your name.",
  approveConfirm: "Approve document",
  approved: (name: string) => `${name} is verified.`,
  reject: "Reject",
  rejectTitle: (name: string) => `Reject the document of ${name}?`,
  rejectText: (reason: string) =>
    `They will read: “${reason}” Your decision is final and recorded with your name.`,
  rejectConfirm: "Reject document",
  rejected: (name: string) => `${name} was asked for another document.`,
  notYet: "Not yet",
} as const;

export const documentViewStrings = {
  openFailed: "The document couldn't be opened.",
  picture: (size: string) => `Picture, ${size}`,
  pictureAlt: (holder: string) => `Identity document of ${holder}`,
  pdf: "This is a PDF. Save it to read it.",
  unknownTitle: "This is neither a picture nor a PDF",
  unknown: "Reject it and ask for a photo or a scan.",
  savePdf: "Save the PDF",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  rotate: "Rotate",
  openInTab: "Open in a new tab",
  retry: "Try again",
  exactFile: "Your decision applies to exactly this file.",
} as const;

/** Why a decision about a document or a flagged account was not stored. */
export const decisionErrorStrings = {
  documentDecided:
    "Another administrator has decided about this document already. Refresh the queue.",
  ownDocument: "This is your own document. Another administrator has to review it.",
  documentReplaced: "This is not the file the member submitted. Reject it and ask for another one.",
  documentChanged:
    "The file has changed since you opened it. Refresh the queue and look at it again.",
  accountDecided:
    "Another administrator has decided about this account already. Refresh the queue.",
  ownAccount: "This is your own account. Another administrator has to decide.",
  notSaved: "Your decision was not saved. Check your connection and try again.",
} as const;

export const flaggedQueueStrings = {
  title: "Flagged accounts",
  loading: "Loading the accounts",
  loadFailed: "We couldn't load the accounts",
  emptyTitle: "No accounts to decide on",
  emptyText:
    "Accounts appear here after five rejected documents, when they're paying for several memberships, or when the bank has reversed an earlier payment.",
  closedTitle: "Kept closed",
  closedCount: "in all",
  lastRejected: (reason: string) => `Last rejected: ${reason} · `,
  closedOn: (date: string) => `Kept closed on ${date}`,
  subscriptions: "Subscriptions",
  otherPlan: "Another product",
  /** Before the subscription's id. */
  subscription: (plan: string, status: string, since: string, isCurrent: boolean) =>
    `${plan}, ${status}, since ${since}${isCurrent ? ", gives access" : ""} `,
  decide: "Decide",
  openAgain: "Open again",
  decideTitle: (name: string) => `Decide about ${name}`,
} as const;

/** Why an account is flagged, and what the decision about it means. */
export const flagTexts: Readonly<
  Record<FlaggedAccount["kind"], { readonly name: string; readonly decision: string }>
> = {
  rejections: {
    name: "Five rejected documents",
    decision:
      "The member can send five more documents, or none. Your decision is recorded with your name.",
  },
  subscriptions: {
    name: "Several subscriptions",
    decision:
      "End all but one of the subscriptions at the card provider first. Your decision is recorded with your name.",
  },
  dispute: {
    name: "Lost dispute",
    decision:
      "The bank returned an earlier payment to the member. The membership ends with the month they've paid for, unless they renew it. Your decision is recorded with your name.",
  },
};

export const flagDecisionStrings = {
  reason: "Reason",
  reasonHint: "For the record. The member doesn't see it.",
  reasonMissing: "Say why. It is recorded with your name.",
} as const;

interface FlagDecisionTexts {
  readonly label: string;
  /** Said afterwards, about the account. */
  readonly done: (name: string) => string;
}

/** The ways to decide about a flagged account. */
export const flagDecisionTexts: Readonly<Record<FlaggedDecision, FlagDecisionTexts>> = {
  reset: { label: "Let them try again", done: (name) => `${name} can send documents again.` },
  keep_closed: { label: "Keep closed", done: (name) => `${name} can't send more documents.` },
  resolved: { label: "Mark as resolved", done: (name) => `${name} is no longer flagged.` },
};
