import { stepTitles } from "../strings.ts";

export const stepCount = 9;

/** A number from 1 to 9. */
export type StepNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Step {
  readonly number: StepNumber;
  readonly title: string;
}

export const steps: readonly Step[] = [
  { number: 1, title: stepTitles[1] },
  { number: 2, title: stepTitles[2] },
  { number: 3, title: stepTitles[3] },
  { number: 4, title: stepTitles[4] },
  { number: 5, title: stepTitles[5] },
  { number: 6, title: stepTitles[6] },
  { number: 7, title: stepTitles[7] },
  { number: 8, title: stepTitles[8] },
  { number: 9, title: stepTitles[9] },
];

/** The step with this number, or undefined outside 1 to 9. */
export function stepByNumber(number: number): Step | undefined {
  return steps.find((step) => step.number === number);
}

/** Progress is the step's number divided by nine, in per cent, not rounded. */
export function stepProgress(step: number): number {
  return (step / stepCount) * 100;
}

/** The numbers of all steps before this one. */
export function completedBefore(step: number): number[] {
  return steps.map((each) => each.number).filter((number) => number < step);
}

/** Reads `?step=`: null when absent, NaN when it is not a whole number. */
export function parseStep(text: string | null): number | null {
  if (text === null) return null;
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}
