import {
  alreadyDecided,
  documentChanged,
  documentReplaced,
  ownDocument,
} from "@/lib/error-codes.ts";
import { toAppError } from "@/lib/errors.ts";
import { decisionErrorStrings } from "../strings.ts";

/** Why a decision about a document was not stored, and what to do, for the reviewer. */
export function decisionErrorMessage(error: unknown): string {
  switch (toAppError(error).code) {
    case alreadyDecided:
      return decisionErrorStrings.documentDecided;
    case ownDocument:
      return decisionErrorStrings.ownDocument;
    case documentReplaced:
      return decisionErrorStrings.documentReplaced;
    case documentChanged:
      return decisionErrorStrings.documentChanged;
    default:
      return decisionErrorStrings.notSaved;
  }
}

/** The same for a decision about a flagged account. */
export function flagErrorMessage(error: unknown): string {
  switch (toAppError(error).code) {
    case alreadyDecided:
      return decisionErrorStrings.accountDecided;
    case ownDocument:
      return decisionErrorStrings.ownAccount;
    default:
      return decisionErrorStrings.notSaved;
  }
}
