import type Stripe from "stripe";
import { newObjectId, randomText } from "../ids.ts";

export interface CouponInput {
  id: string;
  name: string | null;
  percentOff: number | null;
  /** Minor units. */
  amountOff: number | null;
  currency: string | null;
  duration: "forever" | "once" | "repeating";
  durationInMonths: number | null;
  maxRedemptions: number | null;
  /** Epoch seconds. */
  redeemBy: number | null;
  /** Ids of the products it is for; null for all. */
  products: string[] | null;
  metadata: Record<string, string>;
}

export function newCoupon(input: CouponInput, created: number): Stripe.Coupon {
  return {
    id: input.id,
    object: "coupon",
    amount_off: input.amountOff,
    ...(input.products && { applies_to: { products: input.products } }),
    created,
    currency: input.currency,
    duration: input.duration,
    duration_in_months: input.durationInMonths,
    livemode: false,
    max_redemptions: input.maxRedemptions,
    metadata: input.metadata,
    name: input.name,
    percent_off: input.percentOff,
    redeem_by: input.redeemBy,
    times_redeemed: 0,
    valid: true,
  };
}

export interface PromotionCodeInput {
  code: string | undefined;
  coupon: string;
  active: boolean;
  maxRedemptions: number | null;
  expiresAt: number | null;
  /** Only for customers without a payment. */
  firstTimeTransaction: boolean;
  metadata: Record<string, string>;
}

export function newPromotionCode(input: PromotionCodeInput, created: number): Stripe.PromotionCode {
  return {
    id: newObjectId("promo"),
    object: "promotion_code",
    active: input.active,
    code: input.code ?? randomText(8).toUpperCase(),
    created,
    customer: null,
    customer_account: null,
    expires_at: input.expiresAt,
    livemode: false,
    max_redemptions: input.maxRedemptions,
    metadata: input.metadata,
    promotion: { coupon: input.coupon, type: "coupon" },
    restrictions: {
      first_time_transaction: input.firstTimeTransaction,
      minimum_amount: null,
      minimum_amount_currency: null,
    },
    times_redeemed: 0,
  };
}

/** A redeemed coupon, and the code it was redeemed with. `end` is in epoch seconds, null when the coupon has no number of months. */
export function newDiscount(
  coupon: Stripe.Coupon,
  promotionCode: Stripe.PromotionCode | null,
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
    promotion_code: promotionCode?.id ?? null,
    source: { coupon: coupon.id, type: "coupon" },
    start,
    subscription: subscription.id,
    subscription_item: null,
  };
}
