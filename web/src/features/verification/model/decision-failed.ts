import { toAppError } from "@/lib/errors.ts";

/** Why a decision was not stored, and what to do, for the reviewer. */
export function decisionFailed(error: unknown): string {
  switch (toAppError(error).code) {
    case "FF124":
      return "This is your own document. Another administrator has to decide about it.";
    case "FF125":
      return "This is not the file that was handed in. Reject it and ask for another.";
    case "FF126":
      return "The file has changed since you opened it. Refresh the queue and look at it again.";
    default:
      return "The verdict was not stored. Somebody else may have decided already; refresh the queue.";
  }
}
