import { cardName } from "@/domain/card-name.ts";
import { longDate } from "@/lib/format-time.ts";
import type { Subscription } from "./subscription.ts";

const statusNames: Readonly<Record<string, string>> = {
  active: "Active",
  trialing: "On trial",
  incomplete: "Incomplete",
  incomplete_expired: "Expired",
  past_due: "Past due",
  not_started: "Not started",
  canceled: "Cancelled",
  unpaid: "Unpaid",
  paused: "Paused",
};

/** The name of a status; one the provider adds later is shown as it came. */
export function formatStatus(status: string, hold: string | null = null): string {
  if (hold === "disputed") return "On hold";
  return statusNames[status] ?? status.replaceAll("_", " ");
}

/** What a status asks of the member; null when nothing needs saying. */
export function statusNote(status: string, hold: string | null = null): string | null {
  switch (hold) {
    case null:
      break;
    case "disputed":
      return "Your bank has disputed a payment, so your membership is on hold until that is decided. If you did not mean to dispute it, ask your bank to withdraw the dispute.";
    case "dispute_lost":
      return "Your bank reversed a payment, so your membership has ended. Choose a plan to come back; your progress is kept.";
    case "refunded":
      return "Your last payment was refunded, so your membership has ended. Choose a plan to come back; your progress is kept.";
  }
  switch (status) {
    case "incomplete":
      return "Your payment is still processing or requires further action.";
    case "past_due":
      return "Your last payment failed. Please update your payment method.";
    case "incomplete_expired":
      return "The first payment was not completed in time. Choose a plan to start again.";
    case "unpaid":
      return "Several payments failed, so your membership is on hold. Choose a plan to start again.";
    case "paused":
      return "Your membership is paused and nothing is charged. Choose a plan to come back; your progress is kept.";
    case "canceled":
      return "Your membership has ended. Choose a plan to come back; your progress is kept.";
    default:
      return null;
  }
}

/** What a note leaves open: whether there is access, and what the next step does. Null when nothing is open. */
export function statusHint({ status, hold, cancelAtPeriodEnd }: Subscription): string | null {
  if (hold !== null) return null;
  if (status === "past_due") {
    return cancelAtPeriodEnd
      ? "Your access is off until the payment is made. We take it as soon as you save a card, and your membership still ends with this period."
      : "Your access is off until the payment is made. We take it as soon as you save a card.";
  }
  if (status === "incomplete") {
    return "Your access starts once it is paid. To pay again, choose your plan; you are charged once.";
  }
  return null;
}

/** What a trial costs and when; null without one. `price` is what the plan costs, such as `£50 per month`. */
export function trialNote(subscription: Subscription, price: string | null): string | null {
  const { status, cancelAtPeriodEnd, currentPeriodEnd: end } = subscription;
  if (status !== "trialing") return null;
  const day = end === null ? "your trial ends" : formatEpochDay(end);
  if (cancelAtPeriodEnd) return "Your trial ends without a charge.";
  if (subscription.paymentMethodLast4 === null) {
    return `Nothing is charged until ${day}. Add a card before then to keep your access.`;
  }
  const card =
    cardName(subscription.paymentMethodBrand, subscription.paymentMethodLast4) ?? "your card";
  return `Nothing is charged until ${day}. Then we charge ${price ?? "your plan's price"}, before any discounts, to ${card}.`;
}

/** `1767225600` → `1 January 2026`. Takes epoch seconds. */
export function formatEpochDay(epochSeconds: number): string {
  return longDate(epochSeconds * 1000);
}
