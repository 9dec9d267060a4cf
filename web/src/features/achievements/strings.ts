import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

export const achievementStrings = {
  title: "Your achievements",
  intro: "Earned by what you do here, and yours to keep.",
  loading: "Loading your achievements",
  failed: "We couldn't load your achievements",
  reassurance: "They're all safe.",
  emptyTitle: "Nothing here yet",
  empty: "Open a room, write a message or read an article: each first step counts.",
  streakNone: "No streak at the moment. Anything you do this week starts one.",
  streakRule: "One missed week in any four is forgiven.",
  shown: "Members see these on your profile.",
  hidden: "Members don't see these on your profile.",
  choose: "Change what your profile shows",
  certificates: "Certificates",
  noCertificates: "You get a certificate for every course you finish as a member.",
  shareTitle: "Share this",
  shareText:
    "This makes a public page with your name and these words. Anyone with the link can see it until you stop sharing.",
  sharedText: "Anyone with this link sees the card below, and nothing else about you.",
  stopped: "It's no longer shared.",
  copied: "The link is copied.",
  notShared: "We couldn't share this.",
  notStopped: "We couldn't stop sharing.",
  noPicture: "The picture couldn't be made. You can still copy the link.",
  certificateGone: "Certificate not found",
  certificateGoneText: "It doesn't exist, or it belongs to another account.",
  unknownCode: "No certificate has this code",
  unknownCodeText:
    "Check the twenty characters on the certificate. A certificate also disappears when its member deletes the account.",
  lookUpFailed: "We couldn't look this up",
  unknownCard: "There is nothing here",
  unknownCardText: "The member has stopped sharing this, or the link isn't complete.",
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
