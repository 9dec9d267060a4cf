import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { addIntervals } from "../clock.ts";
import { expandableId } from "../ids.ts";
import { newDiscount } from "../objects/discount-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** A coupon or a promotion code to redeem, or a discount that exists already. */
export interface DiscountInput {
  coupon?: string | undefined;
  promotion_code?: string | undefined;
  discount?: string | undefined;
}

/** What one discount takes off an invoice, in minor units. */
export interface DiscountAmount {
  discount: string;
  amount: number;
}

/** A coupon that can be redeemed now, and the code that was given for it. */
interface Redeemable {
  coupon: Stripe.Coupon;
  code: Stripe.PromotionCode | null;
}

/**
 * Checks that this customer can use a code or coupon now. Nothing is counted.
 * @throws {StripeApiError} 400 when it does not exist, is inactive, expired, used up or for customers without a payment.
 */
function requireRedeemable(
  state: SandboxState,
  customer: string,
  given: DiscountInput,
  param: string,
): Redeemable {
  const codeParam = `${param}[promotion_code]`;
  const code =
    given.promotion_code === undefined
      ? null
      : state.get("promotionCodes", given.promotion_code, codeParam);
  const couponId = code === null ? given.coupon : expandableId(code.promotion.coupon);
  if (couponId === undefined) {
    throw invalidRequest("You must pass one of coupon, promotion_code or discount.", param);
  }
  const now = state.now();
  if (code && !isCodeUsable(code, now)) {
    throw invalidRequest("This promotion code is inactive.", codeParam);
  }
  const coupon = state.get("coupons", couponId, `${param}[coupon]`);
  if (code?.restrictions.first_time_transaction && hasPaid(state, customer)) {
    throw invalidRequest(
      "This promotion code cannot be redeemed because the associated customer has prior transactions.",
    );
  }
  if (!isCouponUsable(coupon, now)) {
    throw invalidRequest(
      `Coupon ${coupon.id} is used up or has expired.`,
      code ? codeParam : `${param}[coupon]`,
    );
  }
  return { coupon, code };
}

/** Stripe counts any successful payment, and any open or paid invoice, be it over nothing. */
function hasPaid(state: SandboxState, customer: string): boolean {
  const isTheirs = (row: { customer: Stripe.Invoice["customer"] }) =>
    expandableId(row.customer) === customer;
  return (
    state
      .rows("invoices")
      .some((invoice) => isTheirs(invoice) && /^(?:open|paid)$/.test(invoice.status ?? "")) ||
    state.rows("charges").some((charge) => isTheirs(charge) && charge.status === "succeeded")
  );
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

/**
 * The discounts of what was given, as functions that redeem them. What cannot be redeemed is refused before anything is
 * written; a discount that exists already keeps its end.
 * @throws {StripeApiError} 400 for what does not exist or cannot be used now.
 */
export function checkDiscounts(
  state: SandboxState,
  customer: string,
  given: readonly DiscountInput[],
  param = "discounts",
): ((subscription: Stripe.Subscription) => string)[] {
  return given.map((each, index) => {
    const place = `${param}[${index}]`;
    if (each.discount !== undefined) {
      const { id } = state.get("discounts", each.discount, `${place}[discount]`);
      return () => id;
    }
    const found = requireRedeemable(state, customer, each, place);
    return (subscription) => redeem(state, subscription, found).id;
  });
}

/** The ids of the given discounts; coupons and codes are redeemed. See {@link checkDiscounts}. */
export function redeemDiscounts(
  state: SandboxState,
  subscription: Stripe.Subscription,
  given: readonly DiscountInput[],
  param?: string,
): string[] {
  const customer = expandableId(subscription.customer);
  return checkDiscounts(state, customer, given, param).map((take) => take(subscription));
}

function redeem(
  state: SandboxState,
  subscription: Stripe.Subscription,
  { coupon, code }: Redeemable,
): Stripe.Discount {
  const now = state.now();
  const months = coupon.duration_in_months;
  const end = months === null ? null : addIntervals(now, months, "month");
  state.update("coupons", coupon.id, { times_redeemed: coupon.times_redeemed + 1 });
  if (code) {
    const used = code.times_redeemed + 1;
    const isUsedUp = used === code.max_redemptions;
    const changes = { times_redeemed: used, ...(isUsedUp && { active: false }) };
    state.update("promotionCodes", code.id, changes);
  }
  const discount = newDiscount(coupon, code, subscription, now, end);
  state.put("discounts", discount);
  state.emit("customer.discount.created", discount);
  return discount;
}

/**
 * What the subscription's discounts take off these lines at this moment (epoch seconds), one after the other. A coupon for some
 * products counts their lines only; none takes off more than is left.
 */
export function discountAmounts(
  state: SandboxState,
  subscription: Stripe.Subscription,
  lines: readonly Stripe.InvoiceLineItem[],
  moment: number,
): DiscountAmount[] {
  let left = Math.max(0, sumOf(lines));
  return subscription.discounts.flatMap((reference) => {
    const discount = state.get("discounts", expandableId(reference));
    if (discount.end !== null && discount.end <= moment) return [];
    const coupon = couponOf(state, discount);
    const products = coupon.applies_to?.products;
    const base = products
      ? sumOf(lines.filter((line) => products.includes(productOf(line))))
      : left;
    const from = Math.min(left, Math.max(0, base));
    const amount = Math.min(
      from,
      coupon.amount_off ?? Math.round((from * (coupon.percent_off ?? 0)) / 100),
    );
    left -= amount;
    return [{ discount: discount.id, amount }];
  });
}

function sumOf(lines: readonly Stripe.InvoiceLineItem[]): number {
  return lines.reduce((sum, line) => sum + line.amount, 0);
}

function productOf(line: Stripe.InvoiceLineItem): string {
  return String(line.pricing?.price_details?.product);
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
  const id = expandableId(source.coupon);
  return state.tables.deletedCoupons.get(id) ?? state.get("coupons", id);
}
