import { isActive, type Subscription } from "./subscription.ts";

/** What a member without access does to get it back. */
export type SubscriptionNextStep = "update-card" | "choose-plan" | "contact-support" | "resume";

/** The one next step of a subscription that gives no access; null for one that does. */
export function nextStepOf(subscription: Subscription): SubscriptionNextStep | null {
  if (isActive(subscription)) return null;
  if (subscription.hold === "disputed") return "contact-support";
  if (subscription.hold === "paused") return "resume";
  return subscription.status === "past_due" ? "update-card" : "choose-plan";
}
