import { adminSecondFactorDue, uniqueViolation } from "@/lib/error-codes.ts";
import { retryLaterMessage, toAppError, tryAgain } from "@/lib/errors.ts";

/** Why a change of content was not saved. */
export function describeSaveError(error: unknown): string {
  switch (toAppError(error).code) {
    case uniqueViolation:
      return "That address is already taken. Choose another one.";
    case "23514":
      return "One of the fields is too long, empty or not valid. Check them and save again.";
    case "FF430":
      return "It no longer exists. Close this panel and refresh the page.";
    case "FF002":
      return "Only administrators can change this.";
    case adminSecondFactorDue:
      return "Enter the code of your second factor first, on your account page.";
    case "FF511":
      return "Give a reason of at most 500 characters.";
    case "FF513":
      return "Another administrator has to do this for your own course.";
    case "FF858":
      return "Another administrator was first. The panel shows the sale as it is now.";
    default:
      return retryLaterMessage(error) ?? `Your change wasn't saved. ${tryAgain}`;
  }
}

/** Said wherever something is hidden from members. */
export const nothingIsTakenAway =
  "Nobody loses a read, a completion or a level, and you can bring it back at any time.";

/** The sale of a course beyond the membership. */
export const saleStrings = {
  heading: "Sale",
  loadFailed: "We couldn't load the sale of this course",
  open: "On sale at",
  paused: "Paused: nobody can buy it now.",
  off: "Its mentor has taken it off sale.",
  endedAt: "Sale ended",
  reason: "Reason",
  reasonMissing: "Say why. It is recorded with your name.",
  keep: "Keep things as they are",
  end: {
    button: "End sale",
    question: (title: string) => `End the sale of ${title}?`,
    description:
      "Nobody can buy the course any more, and its mentor can't put it back on sale until an administrator allows it. Buyers keep it; refunds are made under Money. Members still read it: withdraw the course to hide it.",
    reasonHint: "Its mentor reads this. It also stays in the audit log.",
    done: (title: string) => `${title} is no longer on sale.`,
  },
  allow: {
    button: "Allow sale",
    question: (title: string) => `Let ${title} be sold again?`,
    description: "Its mentor can put the course back on sale. It isn't on sale until they do.",
    reasonHint: "For the audit log. Its mentor doesn't read it.",
    done: (title: string) => `The mentor can sell ${title} again.`,
  },
} as const;
