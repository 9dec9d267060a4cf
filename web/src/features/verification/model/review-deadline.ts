import { reviewQueueStrings } from "../strings.ts";

/** How long a document may wait for a decision. Hours. */
export const reviewLimitHours = 48;

export interface ReviewDeadline {
  readonly waitedHours: number;
  readonly overdue: boolean;
  /** For people, such as `26 h left` or `3 h overdue`. */
  readonly label: string;
}

const hourMs = 3_600_000;

/** How long a document has waited and how much of the 48 hours is left. Both times in epoch milliseconds. */
export function reviewDeadline(submittedAt: number, now: number): ReviewDeadline {
  const waited = Math.max(0, now - submittedAt);
  const left = reviewLimitHours * hourMs - waited;
  const overdue = left < 0;
  const label = overdue
    ? reviewQueueStrings.hoursOverdue(Math.ceil(-left / hourMs))
    : left < hourMs
      ? reviewQueueStrings.lessThanHourLeft
      : reviewQueueStrings.hoursLeft(Math.floor(left / hourMs));
  return { waitedHours: Math.floor(waited / hourMs), overdue, label };
}
