import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture, plusPrice } from "./testing/sandbox-fixture.ts";
import { createBasicSubscription, invoiceOf } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

async function subscribeWith(coupon: Stripe.CouponCreateParams): Promise<Stripe.Subscription> {
  const { id } = await stripe.coupons.create(coupon);
  return await createBasicSubscription(stripe, "pm_card_visa", { discounts: [{ coupon: id }] });
}

async function months(count: number): Promise<number[]> {
  for (let month = 0; month < count; month += 1) {
    await sandbox.control.advance({ months: 1, hours: 1 });
  }
  return sandbox.control.charges().map(({ amount }) => amount);
}

describe("a coupon", () => {
  it("takes its share off every invoice", async () => {
    const subscription = await subscribeWith({ percent_off: 20, duration: "forever" });
    expect(invoiceOf(subscription)).toMatchObject({
      subtotal: 5000,
      total: 4000,
      amount_paid: 4000,
      discounts: subscription.discounts,
      total_discount_amounts: [{ amount: 1000 }],
    });
    expect(await months(2)).toEqual([4000, 4000, 4000]);
  });

  it("for one invoice, or for some months, ends with them", async () => {
    await subscribeWith({ amount_off: 500, currency: "gbp", duration: "once" });
    expect(await months(1)).toEqual([4500, 5000]);
    await subscribeWith({ percent_off: 10, duration: "repeating", duration_in_months: 2 });
    const amounts = (await months(3)).slice(2).filter((amount) => amount === 4500);
    expect(amounts).toHaveLength(2);
  });

  it("of the whole price leaves nothing to pay, and never less", async () => {
    const subscription = await subscribeWith({ amount_off: 9000, currency: "gbp" });
    expect(subscription.status).toBe("active");
    expect(invoiceOf(subscription)).toMatchObject({ status: "paid", total: 0, amount_paid: 0 });
  });

  it("is given and taken while the subscription runs", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    const coupon = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
    const given = await stripe.subscriptions.update(id, { discounts: [{ coupon: coupon.id }] });
    expect(given.discounts).toHaveLength(1);
    const preview = await stripe.invoices.createPreview({ subscription: id });
    expect(preview).toMatchObject({ subtotal: 5000, total: 2500, amount_due: 2500 });
    const taken = await stripe.subscriptions.update(id, { discounts: "" });
    expect(taken.discounts).toEqual([]);
    expect((await stripe.coupons.retrieve(coupon.id)).times_redeemed).toBe(1);
  });

  it("is refused without exactly one kind of reduction, and when it does not exist", async () => {
    expect((await failure(stripe.coupons.create({ duration: "once" }))).param).toBe("percent_off");
    const both = { percent_off: 10, amount_off: 100, currency: "gbp" };
    expect((await failure(stripe.coupons.create(both))).param).toBe("percent_off");
    const months = stripe.coupons.create({ percent_off: 10, duration: "repeating" });
    expect((await failure(months)).param).toBe("duration_in_months");
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    const missing = stripe.subscriptions.update(id, { discounts: [{ coupon: "none" }] });
    expect((await failure(missing)).code).toBe("resource_missing");
    const { id: once } = await stripe.coupons.create({ percent_off: 10, max_redemptions: 1 });
    await stripe.subscriptions.update(id, { discounts: [{ coupon: once }] });
    const usedUp = stripe.subscriptions.update(id, { discounts: [{ coupon: once }] });
    expect((await failure(usedUp)).param).toBe("discounts[0][coupon]");
  });

  it.each([
    ["named by its phases stays, with its end", true, [4000, 8000, 8000, 10_000]],
    ["that a phase does not name is gone", false, [4000, 10_000]],
  ])("%s", async (_, isNamed, expected) => {
    const subscription = await subscribeWith({
      percent_off: 20,
      duration: "repeating",
      duration_in_months: 3,
    });
    const { id } = await stripe.subscriptionSchedules.create({
      from_subscription: subscription.id,
    });
    const [item] = subscription.items.data;
    const discounts = subscription.discounts.map((discount) => ({
      discount: expandableId(discount),
    }));
    const kept = isNamed ? { discounts } : {};
    await stripe.subscriptionSchedules.update(id, {
      phases: [
        {
          items: [{ price: item?.price.id ?? "" }],
          start_date: item?.current_period_start ?? 0,
          end_date: item?.current_period_end ?? 0,
          ...kept,
        },
        {
          items: [{ price: plusPrice }],
          duration: { interval: "month", interval_count: 1 },
          ...kept,
        },
      ],
    });
    expect(await months(expected.length - 1)).toEqual(expected);
  });
});
