import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

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
  reported: "Thank you. An administrator will look at it.",
  feedFailed: "We couldn't load the submissions",
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
