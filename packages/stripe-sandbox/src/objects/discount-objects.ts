import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";

export interface CouponInput {
  id: string;
  name: string | null;
  percentOff: number | null;
  /** Minor units. */
  amountOff: number | null;
  currency: string | null;
  duration: "forever" | "once" | "repeating";
  durationInMonths: number | null;
  metadata: Record<string, string>;
}

export function newCoupon(input: CouponInput, created: number): Stripe.Coupon {
  return {
    id: input.id,
    object: "coupon",
    amount_off: input.amountOff,
    created,
    currency: input.currency,
    duration: input.duration,
    duration_in_months: input.durationInMonths,
    livemode: false,
    max_redemptions: null,
    metadata: input.metadata,
    name: input.name,
    percent_off: input.percentOff,
    redeem_by: null,
    times_redeemed: 0,
    valid: true,
  };
}

/** A redeemed coupon. `end` is in epoch seconds, null when the coupon has no number of months. */
export function newDiscount(
  coupon: Stripe.Coupon,
  subscription: Stripe.Subscription,
  start: number,
  end: number | null,
): Stripe.Discount {
  return {
    id: newObjectId("di"),
    object: "discount",
    checkout_session: null,
    customer: subscription.customer,
    customer_account: null,
    end,
    invoice: null,
    invoice_item: null,
    promotion_code: null,
    source: { coupon: coupon.id, type: "coupon" },
    start,
    subscription: subscription.id,
    subscription_item: null,
  };
}
