import { uniqueViolation } from "@/lib/error-codes.ts";
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
    default:
      return retryLaterMessage(error) ?? `Your change wasn't saved. ${tryAgain}`;
  }
}

/** Said wherever something is hidden from members. */
export const nothingIsTakenAway =
  "Nobody loses a read, a completion or a level, and you can bring it back at any time.";
