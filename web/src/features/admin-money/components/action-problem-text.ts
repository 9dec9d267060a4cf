import { messageOf } from "@/lib/errors.ts";
import type { ActionProblem } from "../api/actions.ts";
import { codeMessages, notDone } from "../strings/actions.ts";

/** Why an act was not done, for the administrator; empty when no answer came, null when it was done. */
export function actionProblemText(problem: ActionProblem | null): string | null {
  if (problem === null || problem.code === "") return problem?.message ?? null;
  return codeMessages[problem.code] ?? messageOf(problem, notDone);
}

/** Why the card provider's side did not do it, in the server's words where the code has none. */
export function actionRefusalText({ code, message }: ActionProblem): string {
  return codeMessages[code] ?? message;
}
