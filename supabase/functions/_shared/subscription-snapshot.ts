import type Stripe from "stripe";

/** A subscription as the table stripe_subscriptions keeps it. Times in epoch seconds. */
export interface SubscriptionSnapshot {
  subscription_id: string;
  customer_id: string;
  status: string;
  price_id: string | null;
  current_period_start: number | null;
  current_period_end: number | null;
  cancel_at_period_end: boolean;
  payment_method_brand: string | null;
  payment_method_last4: string | null;
  created: number;
  /** All items; the database knows which prices are memberships. */
  items: SnapshotItem[];
}

/** One price of a subscription. */
export type SnapshotItem = Pick<
  SubscriptionSnapshot,
  "price_id" | "current_period_start" | "current_period_end"
>;

/** The id of a reference that may be expanded. */
export function idOf(reference: string | { id: string }): string;
export function idOf(reference: string | { id: string } | null): string | null;
export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "object" ? (reference?.id ?? null) : reference;
}

function methodOf(subscription: Stripe.Subscription): Stripe.PaymentMethod | null {
  const method = subscription.default_payment_method;
  return typeof method === "object" ? method : null;
}

/** True when the subscription ends with its current period, by `cancel_at_period_end` or `cancel_at`. */
export function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  const end = subscription.items.data[0]?.current_period_end;
  const { cancel_at: moment } = subscription;
  return (
    subscription.cancel_at_period_end || (moment !== null && end !== undefined && moment <= end)
  );
}

/**
 * Maps a subscription to the table's columns. The period is on the item; the card is known only when
 * `default_payment_method` was expanded.
 */
export function snapshotOf(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const item = subscription.items.data[0];
  const method = methodOf(subscription);
  return {
    subscription_id: subscription.id,
    customer_id: idOf(subscription.customer),
    status: subscription.status,
    price_id: item?.price.id ?? null,
    current_period_start: item?.current_period_start ?? null,
    current_period_end: item?.current_period_end ?? null,
    cancel_at_period_end: endsWithPeriod(subscription),
    payment_method_brand: method?.card?.brand ?? method?.type ?? null,
    payment_method_last4: method?.card?.last4 ?? null,
    created: subscription.created,
    items: subscription.items.data.map((each) => ({
      price_id: each.price.id,
      current_period_start: each.current_period_start,
      current_period_end: each.current_period_end,
    })),
  };
}

/** True for `active` and `trialing`. */
export function isActiveSubscription(subscription: Stripe.Subscription): boolean {
  return subscription.status === "active" || subscription.status === "trialing";
}

/** True for `canceled` and `incomplete_expired`. */
export function isEndedSubscription(subscription: Stripe.Subscription): boolean {
  return subscription.status === "canceled" || subscription.status === "incomplete_expired";
}
