import { isActive, type Subscription } from "./subscription.ts";

/** What `/success` knows about the payment. */
export type CardPaymentResult =
  /** The subscription has not been read yet, or its payment is being confirmed. */
  | "waiting"
  | "paid"
  /** The membership is on trial: active, and nothing is charged yet. */
  | "trial"
  /** Nothing was ever paid. */
  | "none"
  /** There is a subscription, but it gives no access. */
  | "not-active";

/** Reads the result from the subscription; undefined while it is on its way. */
export function paymentResultOf(subscription: Subscription | null | undefined): CardPaymentResult {
  if (subscription === undefined) return "waiting";
  if (subscription === null || subscription.status === "not_started") return "none";
  if (subscription.status === "trialing") return "trial";
  if (isActive(subscription)) return "paid";
  return subscription.status === "incomplete" && subscription.hold === null
    ? "waiting"
    : "not-active";
}
