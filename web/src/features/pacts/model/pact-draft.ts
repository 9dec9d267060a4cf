/** Characters; the database refuses more. */
export const maxPactTitleLength = 150;
export const maxPactContentLength = 10_000;
/** Days; the database refuses more. */
const maxDaysAhead = 366;

const dayMs = 86_400_000;

/** The day of a moment in UTC, as the database counts, as `YYYY-MM-DD`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** The first and last day a pact may be due, and the one offered: a week from now. */
export function dueDays(now: number) {
  return {
    first: dayOf(now),
    offered: dayOf(now + 7 * dayMs),
    last: dayOf(now + maxDaysAhead * dayMs),
  };
}

/** A pact that can be made. */
export interface PactDraft {
  readonly title: string;
  /** As `YYYY-MM-DD`. */
  readonly dueOn: string;
  readonly content: string;
}
