import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { nextPeriodEnd } from "../clock.ts";
import { expandableId } from "../ids.ts";
import { newDiscount } from "../objects/coupon-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** A coupon or a promotion code, as `discounts` of a new subscription names it. */
export interface DiscountInput {
  coupon?: string | undefined;
  promotion_code?: string | undefined;
}

const redeemParam = "discounts[0][promotion_code]";

/**
 * Checks that a code or coupon can be used now. Nothing is counted.
 * @throws {StripeApiError} 400 when it is inactive, expired or used up.
 */
export function requireRedeemable(
  state: SandboxState,
  given: DiscountInput,
): { coupon: Stripe.Coupon; code: Stripe.PromotionCode | null } {
  const code =
    given.promotion_code === undefined
      ? null
      : state.get("promotionCodes", given.promotion_code, redeemParam);
  const couponId = code === null ? given.coupon : expandableId(code.promotion.coupon);
  const coupon = state.get("coupons", couponId ?? "", "discounts[0][coupon]");
  const now = state.now();
  if (code && !isCodeUsable(code, now)) {
    throw invalidRequest("This promotion code is inactive.", redeemParam);
  }
  if (!isCouponUsable(coupon, now)) {
    throw invalidRequest(`Coupon ${coupon.id} is used up or has expired.`, redeemParam);
  }
  return { coupon, code };
}

function isCodeUsable(code: Stripe.PromotionCode, now: number): boolean {
  return (
    code.active &&
    (code.expires_at === null || code.expires_at > now) &&
    (code.max_redemptions === null || code.times_redeemed < code.max_redemptions)
  );
}

function isCouponUsable(coupon: Stripe.Coupon, now: number): boolean {
  return (
    coupon.valid &&
    (coupon.redeem_by === null || coupon.redeem_by > now) &&
    (coupon.max_redemptions === null || coupon.times_redeemed < coupon.max_redemptions)
  );
}

/** Puts a discount on a subscription and counts the redemption. */
export function redeem(
  state: SandboxState,
  subscription: Stripe.Subscription,
  { coupon, code }: ReturnType<typeof requireRedeemable>,
): void {
  const now = state.now();
  const months = coupon.duration === "repeating" ? (coupon.duration_in_months ?? 1) : null;
  const discount = newDiscount(
    {
      coupon: coupon.id,
      promotionCode: code?.id ?? null,
      customer: expandableId(subscription.customer),
      subscription: subscription.id,
    },
    now,
    months === null ? null : nextPeriodEnd(now, now, "month", months),
  );
  state.put("discounts", discount);
  state.update("subscriptions", subscription.id, { discounts: [discount.id] });
  state.update("coupons", coupon.id, { times_redeemed: coupon.times_redeemed + 1 });
  if (code) {
    const used = code.times_redeemed + 1;
    const isUsedUp = used === code.max_redemptions;
    state.update("promotionCodes", code.id, {
      times_redeemed: used,
      ...(isUsedUp && { active: false }),
    });
  }
}

/** The discount that a subscription's next invoice has at this moment, with its coupon. */
function discountAt(
  state: SandboxState,
  subscription: Stripe.Subscription,
  at: number,
): { id: string; coupon: Stripe.Coupon } | null {
  const discount = state.find("discounts", expandableId(subscription.discounts[0]));
  if (!discount || (discount.end !== null && discount.end <= at)) return null;
  const coupon = state.find("coupons", expandableId(discount.source.coupon));
  return coupon ? { id: discount.id, coupon } : null;
}

/**
 * The invoice with the subscription's discount taken off its lines. A percentage applies to every line, an amount to
 * the sum of the lines; neither goes below nothing.
 */
export function withDiscount(
  state: SandboxState,
  invoice: Stripe.Invoice,
  subscription: Stripe.Subscription,
): Stripe.Invoice {
  const found = discountAt(state, subscription, invoice.created);
  if (found === null) return invoice;
  const { id, coupon } = found;
  let left = coupon.amount_off ?? 0;
  const data = invoice.lines.data.map((line): Stripe.InvoiceLineItem => {
    const product = line.pricing?.price_details?.product;
    if (coupon.applies_to && !coupon.applies_to.products.includes(String(product))) return line;
    const amount =
      coupon.percent_off === null
        ? Math.min(left, Math.max(0, line.amount))
        : Math.round((line.amount * coupon.percent_off) / 100);
    if (coupon.percent_off === null) left -= amount;
    return amount === 0 ? line : { ...line, discount_amounts: [{ amount, discount: id }] };
  });
  const off = data.reduce((sum, line) => sum + (line.discount_amounts?.[0]?.amount ?? 0), 0);
  const total = invoice.subtotal - off;
  const due = Math.max(0, total);
  return {
    ...invoice,
    discounts: [id],
    lines: { ...invoice.lines, data },
    total,
    total_discount_amounts: [{ amount: off, discount: id }],
    total_excluding_tax: total,
    amount_due: due,
    amount_remaining: due,
  };
}

/** Takes a discount for one invoice off the subscription after that invoice. */
export function endSingleDiscount(state: SandboxState, subscription: Stripe.Subscription): void {
  const found = discountAt(state, subscription, state.now());
  if (found?.coupon.duration === "once") {
    state.update("subscriptions", subscription.id, { discounts: [] });
  }
}
