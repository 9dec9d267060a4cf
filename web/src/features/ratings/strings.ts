import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";
import { pluralise } from "@/lib/format-count.ts";

export const ratingStrings = {
  articleTitle: "What did you think of this article?",
  courseTitle: "What did you think of this course?",
  stars: "Your rating",
  choose: "Choose 1 to 5 stars.",
  sentence: "One sentence (optional)",
  sentenceHint: "The author reads it without your name. Other members see the stars only.",
  mayQuote: "Show my sentence on this course's public page",
  mayQuoteHint:
    "If the course is sold to everyone, visitors may read it there with your stars and first name. You can change this at any time.",
  save: "Save rating",
  change: "Change rating",
  saved: "Your rating is saved.",
  failed: "We couldn't save your rating.",
  /** Said to screen readers in place of the star and its numbers. */
  rated: (average: number, count: number) =>
    `Rated ${average} of 5 by ${pluralise(count, "member")}`,
} as const;

/** What each number of stars means, from one to five. */
export const starNames = [
  "1 star: not useful",
  "2 stars: a little useful",
  "3 stars: useful",
  "4 stars: very useful",
  "5 stars: excellent",
] as const;

const known: Readonly<Record<string, string>> = {
  FF300: "You're going too fast. Wait a while and try again.",
  FF730: "This is no longer open to you.",
  FF731: "Finish it first, then rate it.",
};

/** What went wrong, after a sentence that says what didn't happen. */
export function explainRatingError(error: unknown): string {
  return known[toAppError(error).code] ?? retryLaterMessage(error) ?? tryAgain;
}
