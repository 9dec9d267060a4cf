import type Stripe from "stripe";
import { nextPeriodEnd } from "../clock.ts";
import { planOf, termsOf } from "../objects/catalogue-objects.ts";

/** True when two prices are billed in another rhythm. */
export const isOtherRhythm = (price: Stripe.Price, other: Stripe.Price): boolean =>
  JSON.stringify(termsOf(price)) !== JSON.stringify(termsOf(other));

/** An item at another price. In another rhythm its period begins at `moment`, otherwise it stays. */
export function changedItem(
  item: Stripe.SubscriptionItem,
  price: Stripe.Price,
  quantity: number,
  moment: number,
): Stripe.SubscriptionItem {
  const { interval, intervalCount } = termsOf(price);
  const period = isOtherRhythm(price, item.price) && {
    current_period_start: moment,
    current_period_end: nextPeriodEnd(moment, moment, interval, intervalCount),
  };
  return { ...item, price, plan: planOf(price), quantity, ...period };
}

/** The items of a subscription with this one in the place of the one it was. */
export const itemsWith = (
  { items }: Stripe.Subscription,
  changed: Stripe.SubscriptionItem,
): Stripe.Subscription["items"] => ({
  ...items,
  data: items.data.map((row) => (row.id === changed.id ? changed : row)),
});
