import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { pluralise } from "@/lib/format-count.ts";

/** Achievements, and what of them and of certificates is shared. */
export const achievementStrings = {
  title: "Your achievements",
  intro: "Earned by what you do here, and yours to keep.",
  loading: "Loading your achievements",
  failed: "We couldn't load your achievements",
  reassurance: "They're all safe.",
  heading: "Achievements",
  seeAll: "See all achievements",
  totals: (achievements: number, certificates: number) =>
    `You have ${pluralise(achievements, "achievement")}${
      certificates === 0 ? "" : ` and ${pluralise(certificates, "certificate")}`
    }.`,
  achieved: "Achieved",
  next: "Next",
  progress: (done: number, needed: number, noun: string) => `${done} of ${needed} ${noun}`,
  emptyTitle: "Nothing here yet",
  empty: "Open a room, write a message or read an article: each first step counts.",
  toChats: "Open the chat rooms",
  streakTitle: "Streak",
  streak: (weeks: number, isActive: boolean) =>
    `You're on a ${weeks}-week streak. ${isActive ? "You've been active this week." : "Do something this week to keep it."}`,
  streakNone: "No streak at the moment. Anything you do this week starts one.",
  streakRule: "One missed week in any four is forgiven.",
  shown: "Members see these on your profile.",
  hidden: "Members don't see these on your profile.",
  choose: "Change what your profile shows",
  certificates: "Certificates",
  noCertificates: "You get a certificate for every course you finish as a member.",
  revoked: "Revoked",
  share: "Share",
  shared: "Shared",
  shareLabel: (title: string) => `Share ${title}`,
  sharedLabel: (title: string) => `${title}: shared`,
  shareTitle: "Share this",
  shareText:
    "This makes a public page with your name and these words. Anyone with the link can see it until you stop sharing.",
  makePublic: "Make it public",
  keepPrivate: "Keep it private",
  sharedText: "Anyone with this link sees the card below, and nothing else about you.",
  /** Opens the system's own window. */
  shareBySystem: "Share…",
  copyLink: "Copy the link",
  downloadPicture: "Download the picture",
  stopSharing: "Stop sharing",
  stopped: "It's no longer shared.",
  copied: "The link is copied.",
  notShared: "We couldn't share this.",
  notStopped: "We couldn't stop sharing.",
  noPicture: "The picture couldn't be made. You can still copy the link.",
  lookUpFailed: "We couldn't look this up",
  lookUpAdvice: "Wait a minute and try again.",
  loadingCard: "Loading the card",
  unknownCard: "There is nothing here",
  unknownCardText: "The member has stopped sharing this, or the link isn't complete.",
} as const;

export const certificateStrings = {
  see: "See your certificate",
  back: "Back to your achievements",
  print: "Print or save as PDF",
  loading: "Loading the certificate",
  loadFailed: "We couldn't load this certificate",
  gone: "Certificate not found",
  goneText: "It doesn't exist, or it belongs to another account.",
  isRevoked: "This certificate was revoked. Its public page says so to everyone who looks it up.",
  check: { before: "Anyone with the code can check it: ", link: "open the public page" },
  // On the certificate itself.
  sheetLabel: (course: string) => `Certificate for ${course}`,
  certifies: "This certifies that",
  hasFinished: "has finished the course",
  finishedOn: "Finished on",
  mentor: "Mentor",
  verifyAt: (address: string) => `Verify at ${address}`,
  // Where it is verified.
  verifyTitle: "Verify a certificate",
  code: "Code",
  codeHint: "The twenty characters at the foot of the certificate.",
  lookUp: "Look it up",
  lookingUp: "Looking up the certificate",
  unknownCode: "No certificate has this code",
  unknownCodeText:
    "Check the twenty characters on the certificate. A certificate also disappears when its member deletes the account.",
  otherCode: "Check another code",
  valid: "This certificate is valid",
  revoked: "This certificate was revoked",
  name: "Name",
  course: "Course",
  revokeOpen: "Revoke this certificate",
  revokeTitle: "Revoke this certificate?",
  revokeText:
    "Everyone who looks it up will see that it was revoked. You can't undo this. The reason stays in the audit log and is not public.",
  reason: "Reason",
  reasonMissing: "Say why.",
  revoke: "Revoke",
  keepValid: "Keep it valid",
  notRevoked: "It wasn't revoked.",
} as const;

/** What each measure counts, after a number. */
export const measureNouns = {
  rooms: ["room", "rooms"],
  messages: ["message", "messages"],
  submissions: ["submission", "submissions"],
  articles: ["article", "articles"],
  courses: ["course", "courses"],
  pacts: ["pact with a witness", "pacts with a witness"],
  weeks: ["week", "weeks"],
  levels: ["level", "levels"],
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF860: "It isn't yours to share, or it isn't valid any more.",
  FF861: "Give a reason of up to 500 characters.",
  FF862: "No valid certificate has this code. It may have been revoked already.",
  FF005: "Your account needs a second factor for this.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainAchievementError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
