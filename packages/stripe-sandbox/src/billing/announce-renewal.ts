import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { previewInvoice } from "./preview-invoice.ts";

const noticeS = 7 * dayS;

/**
 * When the next invoice of a subscription is announced: a week before its period ends, at once in a shorter one; null when it
 * was, when there will be none, or for a subscription with several items, of which no preview can be made.
 */
export function upcomingOf(
  state: SandboxState,
  { id, items, cancel_at: ends, pause_collection: pause }: Stripe.Subscription,
): number | null {
  const [item, ...more] = items.data;
  if (item === undefined || more.length > 0 || pause) return null;
  const { current_period_start: start, current_period_end: end } = item;
  if (ends !== null && ends <= end) return null;
  if (state.tables.subscriptionNotes.get(id)?.upcomingAnnounced === end) return null;
  return Math.max(start, end - noticeS);
}

export function announceRenewal(state: SandboxState, id: string): void {
  const note = state.tables.subscriptionNotes.get(id);
  const upcomingAnnounced = state.get("subscriptions", id).items.data[0]?.current_period_end ?? 0;
  if (note) state.tables.subscriptionNotes.set(id, { ...note, upcomingAnnounced });
  state.emit("invoice.upcoming", previewInvoice(state, id, undefined, { proration: "none" }));
}
