import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import type { SandboxState } from "../sandbox-state.ts";

const noticeS = 3 * dayS;

/** When the end of a trial is announced: three days before it, at once for a shorter one; null when it was, or never. */
export function announcementOf(
  state: SandboxState,
  { id, status, trial_end: end, start_date: start }: Stripe.Subscription,
): number | null {
  const isAnnounced = state.tables.subscriptionNotes.get(id)?.isTrialEndAnnounced === true;
  if (status !== "trialing" || end === null || isAnnounced) return null;
  return Math.max(start, end - noticeS);
}

export function announceTrialEnd(state: SandboxState, id: string): void {
  const note = state.tables.subscriptionNotes.get(id);
  if (note) state.tables.subscriptionNotes.set(id, { ...note, isTrialEndAnnounced: true });
  state.emit("customer.subscription.trial_will_end", state.get("subscriptions", id));
}
