import { messageOf } from "@/lib/errors.ts";
import type { ActProblem } from "../api/acts.ts";
import { codeMessages, notDone } from "../strings/acts.ts";

/** Why an act was not done, for the administrator; empty when no answer came, null when it was done. */
export function actProblemText(problem: ActProblem | null): string | null {
  if (problem === null || problem.code === "") return problem?.message ?? null;
  return codeMessages[problem.code] ?? messageOf(problem, notDone);
}

/** Why the card provider's side did not do it, in the server's words where the code has none. */
export function actRefusalText({ code, message }: ActProblem): string {
  return codeMessages[code] ?? message;
}
