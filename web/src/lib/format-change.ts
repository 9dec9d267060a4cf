import { formatCount } from "./format-count.ts";

/** A count, and the same count of as many days before. */
export interface Compared {
  readonly now: number;
  readonly before: number;
}

function changeText({ now, before }: Compared, when: string): string {
  const difference = now - before;
  if (difference === 0) return `as many as ${when}`;
  // What began within the period has nothing to be compared with.
  if (before === 0) return `none ${when}`;
  const change = `${formatCount(Math.abs(difference))} ${difference > 0 ? "more" : "fewer"}`;
  // The figure stays on the line of the last word.
  return `${change} than ${when}\u00a0(${formatCount(before)})`;
}

/** Such as `4 more than in the 30 days before (8)`. */
export function formatChange(compared: Compared, days: number): string {
  return changeText(compared, `in the ${days} days before`);
}

/** Of what is counted at a moment, such as `4 more than 30 days ago (8)`. */
export function formatChangeSince(compared: Compared, days: number): string {
  return changeText(compared, `${days} days ago`);
}
