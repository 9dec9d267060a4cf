import { longDate } from "@/lib/format-time.ts";
import { pactStrings } from "../strings.ts";
import { dayOf } from "../model/pact-draft.ts";

const dayMs = 86_400_000;

interface Dated {
  readonly due_on: string;
  readonly closed_at: string | null;
}

/** `Due today`, `Due tomorrow`, `Due on 27 November 2026`, `Overdue, was due on 20 November 2026`, `Closed on 24 November 2026`. */
export function dueText({ due_on: dueOn, closed_at: closedAt }: Dated, now: number): string {
  if (closedAt !== null) return pactStrings.closedOn(longDate(Date.parse(closedAt)));
  if (dueOn === dayOf(now)) return pactStrings.dueToday;
  if (dueOn === dayOf(now + dayMs)) return pactStrings.dueTomorrow;
  // Noon, so that it is the same day wherever it is shown.
  const day = longDate(Date.parse(`${dueOn}T12:00:00`));
  return dueOn < dayOf(now) ? pactStrings.overdue(day) : pactStrings.dueOn(day);
}

/** `3 days left`; null on the last two days, which have words of their own, and when the day is over. */
export function daysLeft(
  { due_on: dueOn, closed_at: closedAt }: Dated,
  now: number,
): string | null {
  const days = Math.round((Date.parse(dueOn) - Date.parse(dayOf(now))) / dayMs);
  return closedAt === null && days > 1 ? pactStrings.daysLeft(days) : null;
}

export function dueTone(pact: Dated & { readonly is_overdue: boolean }) {
  return pact.closed_at === null ? (pact.is_overdue ? "overdue" : "open") : "over";
}
