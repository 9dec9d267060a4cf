/** How long a document may wait for a verdict. Hours. */
export const reviewLimitHours = 48;

export interface ReviewClock {
  readonly waitedHours: number;
  readonly overdue: boolean;
  /** For people, such as `26 h left` or `3 h overdue`. */
  readonly words: string;
}

const hourMs = 3_600_000;

/** Where a document stands against the 48 hours. Both times in epoch milliseconds. */
export function reviewClock(submittedAt: number, now: number): ReviewClock {
  const waited = Math.max(0, now - submittedAt);
  const left = reviewLimitHours * hourMs - waited;
  const overdue = left < 0;
  const words = overdue
    ? `${Math.ceil(-left / hourMs)} h overdue`
    : left < hourMs
      ? "Less than 1 h left"
      : `${Math.floor(left / hourMs)} h left`;
  return { waitedHours: Math.floor(waited / hourMs), overdue, words };
}
