export const stepCount = 9;

/** A number from 1 to 9. */
export type StepNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

export interface Step {
  readonly number: StepNumber;
}

export const steps: readonly Step[] = ([1, 2, 3, 4, 5, 6, 7, 8, 9] as const).map((number) => ({
  number,
}));

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
