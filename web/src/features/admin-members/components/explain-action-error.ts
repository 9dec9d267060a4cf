import { toAppError, tryAgain } from "@/lib/errors.ts";
import { memberActionFailed, memberActionProblems } from "../strings.ts";

/** Why an act was not done, in words for the administrator. */
export function explainActionError(error: unknown): string {
  return memberActionProblems[toAppError(error).code] ?? `${memberActionFailed} ${tryAgain}`;
}
