/** How long a document may wait for a decision. Hours. */
export const reviewLimitHours = 48;

export interface ReviewDeadline {
  readonly waitedHours: number;
  readonly overdue: boolean;
  /** What is left of the time, less than 1 in the last hour; once it is overdue, the hours begun since. */
  readonly hours: number;
}

const hourMs = 3_600_000;

/** How long a document has waited and how much of the 48 hours is left. Both times in epoch milliseconds. */
export function reviewDeadline(submittedAt: number, now: number): ReviewDeadline {
  const waited = Math.max(0, now - submittedAt);
  const left = reviewLimitHours * hourMs - waited;
  const overdue = left < 0;
  const hours = overdue ? Math.ceil(-left / hourMs) : Math.floor(left / hourMs);
  return { waitedHours: Math.floor(waited / hourMs), overdue, hours };
}
