import type { ProgressCounters } from "@/domain/level-progress.ts";
import type { Today } from "./today.ts";

const firstDaysMs = 7 * 24 * 60 * 60 * 1000;

/** What a new student does in the first days, in the order of the list. */
const firstSteps = ["hello", "rooms", "pact", "income", "submission"] as const;
export type FirstStep = (typeof firstSteps)[number];
export type FirstStepState = readonly [step: FirstStep, isDone: boolean];

/** Whether a membership is so new that its Home begins with the list. */
export function isNew(joinedAtMs: number | undefined, nowMs: number): boolean {
  return joinedAtMs !== undefined && nowMs - joinedAtMs < firstDaysMs;
}

/** The steps of the list, each with whether it is done; null once all are, or the first level is left. */
export function firstStepsOf(
  { level, pact, baseline_until: incomeUntil }: Today,
  { chatRoomsOpened, learningSubmissions }: ProgressCounters,
  saidHello: boolean,
  roomsNeeded: number,
): readonly FirstStepState[] | null {
  if (level !== 1) return null;
  const done: Readonly<Record<FirstStep, boolean>> = {
    hello: saidHello,
    rooms: chatRoomsOpened >= roomsNeeded,
    pact: pact !== null,
    income: incomeUntil === null,
    submission: learningSubmissions > 0,
  };
  if (firstSteps.every((step) => done[step])) return null;
  // Whose income is not asked for, or is on record, has nothing to read about it here.
  return firstSteps
    .filter((step) => step !== "income" || !done.income)
    .map((step) => [step, done[step]] as const);
}
