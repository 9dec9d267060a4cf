import { documentChanged, documentReplaced, ownDocument } from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Why a decision was not stored, and what to do, for the reviewer. */
export function decisionErrorMessage(error: unknown): string {
  switch (toAppError(error).code) {
    case ownDocument:
      return "This is your own document. Another administrator has to review it.";
    case documentReplaced:
      return "This is not the file the member submitted. Reject it and ask for another one.";
    case documentChanged:
      return "The file has changed since you opened it. Refresh the queue and look at it again.";
    default:
      return "Your decision was not saved. Another administrator may have decided already. Refresh the queue to check.";
  }
}
