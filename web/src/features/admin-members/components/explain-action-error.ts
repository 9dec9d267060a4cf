import { toAppError, tryAgain } from "@/lib/errors.ts";
import { refusalText } from "@/lib/refusal.ts";
import { sessionStrings } from "@/features/session/index.ts";
import { CodeRefused } from "../api/member-actions.ts";
import { memberActionFailed, memberActionProblems } from "../strings.ts";

/** Why an act was not done, in words for the administrator. */
export function explainActionError(error: unknown): string {
  if (error instanceof CodeRefused) return refusalText(error.refusal, sessionStrings);
  return memberActionProblems[toAppError(error).code] ?? `${memberActionFailed} ${tryAgain}`;
}
