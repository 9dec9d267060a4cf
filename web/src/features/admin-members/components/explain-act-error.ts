import { toAppError, tryAgain } from "@/lib/errors.ts";
import { refusalText } from "@/lib/refusal.ts";
import { sessionStrings } from "@/features/session/index.ts";
import { CodeRefused } from "../api/member-acts.ts";
import { memberActFailed, memberActProblems } from "../strings.ts";

/** Why an act was not done, in words for the administrator. */
export function explainActError(error: unknown): string {
  if (error instanceof CodeRefused) return refusalText(error.refusal, sessionStrings);
  return memberActProblems[toAppError(error).code] ?? `${memberActFailed} ${tryAgain}`;
}
