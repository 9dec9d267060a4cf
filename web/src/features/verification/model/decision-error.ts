import {
  alreadyDecided,
  documentChanged,
  documentReplaced,
  ownDocument,
} from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";

/** Why a decision about a document was not stored, and what to do, for the reviewer. */
export function decisionErrorMessage(error: unknown): string {
  switch (toAppError(error).code) {
    case alreadyDecided:
      return "Another administrator has decided about this document already. Refresh the queue.";
    case ownDocument:
      return "This is your own document. Another administrator has to review it.";
    case documentReplaced:
      return "This is not the file the member submitted. Reject it and ask for another one.";
    case documentChanged:
      return "The file has changed since you opened it. Refresh the queue and look at it again.";
    default:
      return "Your decision was not saved. Check your connection and try again.";
  }
}

/** The same for a decision about a flagged account. */
export function flagErrorMessage(error: unknown): string {
  switch (toAppError(error).code) {
    case alreadyDecided:
      return "Another administrator has decided about this account already. Refresh the queue.";
    case ownDocument:
      return "This is your own account. Another administrator has to decide.";
    default:
      return "Your decision was not saved. Check your connection and try again.";
  }
}
