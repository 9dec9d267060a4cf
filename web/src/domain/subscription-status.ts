/** Every status the card provider reports, and `not_started` for somebody who never subscribed. */
export const subscriptionStatuses = [
  "active",
  "trialing",
  "incomplete",
  "incomplete_expired",
  "past_due",
  "not_started",
  "canceled",
  "unpaid",
  "paused",
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** A paying member is one whose subscription is active or on trial; nothing else counts. */
export function isLiveStatus(status: string): boolean {
  return status === "active" || status === "trialing";
}
