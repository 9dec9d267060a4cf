import { toAppError, tryAgain } from "@/lib/errors.ts";
import type { TextSources } from "./model/text-figures.ts";

/** From where members came, as the analytics name it. */
export const sourceNames: Readonly<Record<TextSources[number]["source"], string>> = {
  category: "The category's pages",
  search: "Search",
  room: "A link in a room or the feed",
  today: "Home: Today and Continue",
  profile: "A member's profile",
  other: "Elsewhere, or a link from outside",
  unknown: "Before this was counted",
};

export const analyticsStrings = {
  sourcesTitle: "Where they came from",
  sourcesIntro:
    "The page a member came from when they first opened it. We keep one word of a fixed list, and nothing about the member's browser.",
  ratingsTitle: "Ratings",
  noRatings: "No ratings yet. Members can rate this once they have finished it.",
  sentencesTitle: "In their words",
  takeDownTitle: "Take down this sentence?",
  takeDownText:
    "This removes the sentence for good and keeps the stars. It is recorded with your name.",
  nudge: "Remind",
  nudgeTitle: (name: string) => `Remind ${name} of this course?`,
  nudgeText:
    "They get one notification with a link to the course. You can remind them again in 14 days.",
  nudged: "Reminder sent.",
} as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You've sent many reminders. Wait a while and try again.",
  FF734: "This sentence is no longer here.",
  FF741: "This student can't be reminded.",
  FF742: "They were active in the last seven days.",
  FF743: "They were reminded in the last 14 days.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainAnalyticsError(error: unknown): string {
  return known[toAppError(error).code] ?? tryAgain;
}
