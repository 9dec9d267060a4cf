import type Stripe from "stripe";
import { z } from "zod";
import { orWhenMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";

/** A discount that ends some time after a pause begins: the provider counts its months on while nothing is paid. */
export const keptCode = z.object({
  coupon: z.string(),
  /** Of those, how many are left when the pause begins. */
  months: z.number(),
});
export type KeptCode = z.infer<typeof keptCode>;

/** Whole months from one moment to another, rounded up; both in epoch seconds. */
export function monthsUntil(from: number, to: number): number {
  const end = new Date(to * 1000);
  let months = 0;
  for (; months < 120; months += 1) {
    const reached = new Date(from * 1000);
    const day = reached.getUTCDate();
    reached.setUTCDate(1);
    reached.setUTCMonth(reached.getUTCMonth() + months);
    const last = new Date(
      Date.UTC(reached.getUTCFullYear(), reached.getUTCMonth() + 1, 0),
    ).getUTCDate();
    reached.setUTCDate(Math.min(day, last));
    // A discount begins some seconds after the period does.
    if (reached.getTime() + 3_600_000 >= end.getTime()) break;
  }
  return months;
}

/** The discounts of a subscription, expanded, that would run out while its payments rest from `begins` on, in epoch seconds. */
export function codesToKeep(held: Stripe.Subscription, begins: number): KeptCode[] {
  return held.discounts.flatMap((discount) => {
    if (typeof discount === "string" || discount.end === null || discount.source.coupon === null) {
      return [];
    }
    const months = monthsUntil(begins, discount.end);
    return months > 0 ? [{ coupon: idOf(discount.source.coupon), months }] : [];
  });
}

/**
 * The discounts with which a paused subscription goes on: those it has, and in the place of those that were kept as many
 * months as were left. The provider has no way to lengthen one, so that a coupon of its own gives them.
 */
export async function keptDiscounts(
  stripe: Stripe,
  held: Stripe.Subscription,
  codes: readonly KeptCode[],
  key: string,
): Promise<Stripe.SubscriptionUpdateParams.Discount[]> {
  const kept = new Set(codes.map(({ coupon }) => coupon));
  const { discounts } = await stripe.subscriptions.retrieve(held.id, { expand: ["discounts"] });
  const going = discounts.flatMap((discount): Stripe.SubscriptionUpdateParams.Discount[] => {
    const coupon =
      typeof discount === "object" && discount.source.coupon !== null
        ? idOf(discount.source.coupon)
        : "";
    return kept.has(coupon) ? [] : [{ discount: idOf(discount) }];
  });
  for (const [place, { coupon: id, months }] of codes.entries()) {
    const coupon = await orWhenMissing(
      stripe.coupons.retrieve(id, { expand: ["applies_to"] }),
      null,
    );
    if (coupon === null) continue;
    const again = await stripe.coupons.create(
      {
        duration: "repeating",
        duration_in_months: months,
        max_redemptions: 1,
        metadata: { continues: id },
        ...(coupon.name !== null && { name: coupon.name }),
        ...(coupon.percent_off === null
          ? { amount_off: coupon.amount_off ?? 0, currency: coupon.currency ?? "gbp" }
          : { percent_off: coupon.percent_off }),
        ...(coupon.applies_to && { applies_to: coupon.applies_to }),
      },
      { idempotencyKey: `${key}-code-${place}` },
    );
    going.push({ coupon: again.id });
  }
  return going;
}
