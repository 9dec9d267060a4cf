import { cardName } from "@/domain/card-name.ts";
import { systemClock } from "@/lib/clock.ts";
import { longDate } from "@/lib/format-time.ts";
import {
  holdNotes,
  statusNotes,
  subscriptionStatusNames,
  subscriptionStatusStrings,
} from "../strings/membership.ts";
import { graceEnd, type Subscription } from "../model/subscription.ts";

/** The name of a status; one the provider adds later is shown as it came. */
export function formatStatus(status: string, hold: string | null = null): string {
  if (hold === "disputed") return subscriptionStatusStrings.disputed;
  return subscriptionStatusNames[status] ?? status.replaceAll("_", " ");
}

/** What a status asks of the member; null when nothing needs saying. */
export function statusNote(status: string, hold: string | null = null): string | null {
  const held = hold === null ? undefined : holdNotes[hold];
  return held ?? statusNotes[status] ?? null;
}

/** What a note leaves open: whether there is access, and what the next step does. Null when nothing is open. */
export function statusHint(subscription: Subscription): string | null {
  const { status, hold, cancelAtPeriodEnd } = subscription;
  if (hold === "refunded") return subscriptionStatusStrings.refunded;
  if (hold !== null) return null;
  const grace = graceEnd(subscription, systemClock.now());
  if (grace !== null) return subscriptionStatusStrings.grace(longDate(grace));
  if (status === "past_due") {
    return cancelAtPeriodEnd
      ? subscriptionStatusStrings.overdueEnding
      : subscriptionStatusStrings.overdue;
  }
  return status === "incomplete" ? subscriptionStatusStrings.incomplete : null;
}

/** What a trial costs and when; null without one. `price` is what the plan costs, such as `£50 per month`. */
export function trialNote(subscription: Subscription, price: string | null): string | null {
  const { status, cancelAtPeriodEnd, currentPeriodEnd: end } = subscription;
  if (status !== "trialing") return null;
  const day = end === null ? subscriptionStatusStrings.unknownTrialEnd : formatEpochDay(end);
  if (cancelAtPeriodEnd) return subscriptionStatusStrings.trialEnding;
  if (subscription.paymentMethodLast4 === null) {
    return subscriptionStatusStrings.trialWithoutCard(day);
  }
  const card = cardName(subscription.paymentMethodBrand, subscription.paymentMethodLast4);
  return subscriptionStatusStrings.trial(
    day,
    price ?? subscriptionStatusStrings.unknownPrice,
    card ?? subscriptionStatusStrings.unknownCard,
  );
}

/** `1767225600` → `1 January 2026`. Takes epoch seconds. */
export function formatEpochDay(epochSeconds: number): string {
  return longDate(epochSeconds * 1000);
}
