import type { ReviewDeadline } from "../model/review-deadline.ts";
import { reviewQueueStrings } from "../strings.ts";

/** Such as `26 h left` or `3 h overdue`. */
export function deadlineText({ overdue, hours }: ReviewDeadline): string {
  if (overdue) return reviewQueueStrings.hoursOverdue(hours);
  return hours < 1 ? reviewQueueStrings.lessThanHourLeft : reviewQueueStrings.hoursLeft(hours);
}
