import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { addIntervals } from "../clock.ts";
import { expandableId } from "../ids.ts";
import { newDiscount } from "../objects/discount-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** A coupon to redeem, or a discount that exists already. */
export interface DiscountInput {
  coupon?: string | undefined;
  discount?: string | undefined;
}

/** What one discount takes off an invoice, in minor units. */
export interface DiscountAmount {
  discount: string;
  amount: number;
}

/**
 * The discounts of what was given, by id: coupons are redeemed, a discount that exists already keeps its end.
 * @throws {StripeApiError} 400 for a coupon or discount that does not exist.
 */
export function redeemDiscounts(
  state: SandboxState,
  subscription: Stripe.Subscription,
  given: readonly DiscountInput[],
  param = "discounts",
): string[] {
  return given.map(({ coupon, discount }, index) => {
    if (discount !== undefined) {
      return state.get("discounts", discount, `${param}[${index}][discount]`).id;
    }
    if (coupon === undefined) {
      throw invalidRequest("You must pass one of coupon or discount.", `${param}[${index}]`);
    }
    return redeem(state, subscription, coupon, `${param}[${index}][coupon]`).id;
  });
}

function redeem(
  state: SandboxState,
  subscription: Stripe.Subscription,
  couponId: string,
  param: string,
): Stripe.Discount {
  const coupon = state.get("coupons", couponId, param);
  const now = state.now();
  const months = coupon.duration_in_months;
  const end = months === null ? null : addIntervals(now, months, "month");
  state.update("coupons", coupon.id, { times_redeemed: coupon.times_redeemed + 1 });
  const discount = newDiscount(coupon, subscription, now, end);
  state.put("discounts", discount);
  state.emit("customer.discount.created", discount);
  return discount;
}

/** What the subscription's discounts take off a subtotal at this moment (epoch seconds), one after the other. */
export function discountAmounts(
  state: SandboxState,
  subscription: Stripe.Subscription,
  subtotal: number,
  moment: number,
): DiscountAmount[] {
  let left = Math.max(0, subtotal);
  return subscription.discounts.flatMap((reference) => {
    const discount = state.get("discounts", expandableId(reference));
    if (discount.end !== null && discount.end <= moment) return [];
    const { percent_off: percent, amount_off: fixed } = couponOf(state, discount);
    const amount = Math.min(left, fixed ?? Math.round((left * (percent ?? 0)) / 100));
    left -= amount;
    return [{ discount: discount.id, amount }];
  });
}

/** Takes discounts off a subscription that have ended, and those for one invoice after that invoice. */
export function dropUsedDiscounts(state: SandboxState, id: string): void {
  const { discounts } = state.get("subscriptions", id);
  const kept = discounts.filter((reference) => {
    const discount = state.get("discounts", expandableId(reference));
    const hasEnded = discount.end !== null && discount.end <= state.now();
    return !hasEnded && couponOf(state, discount).duration !== "once";
  });
  if (kept.length < discounts.length) state.update("subscriptions", id, { discounts: kept });
}

function couponOf(state: SandboxState, { source }: Stripe.Discount): Stripe.Coupon {
  return state.get("coupons", expandableId(source.coupon));
}
