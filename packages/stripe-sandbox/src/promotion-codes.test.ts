import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { basicPrice, client, failure, openFixture, plusPrice } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;
beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

async function codeFor(
  coupon: Stripe.CouponCreateParams,
  code: Partial<Stripe.PromotionCodeCreateParams> = {},
): Promise<Stripe.PromotionCode> {
  const { id } = await stripe.coupons.create(coupon);
  return await stripe.promotionCodes.create({ promotion: { type: "coupon", coupon: id }, ...code });
}

async function subscribe(code: Stripe.PromotionCode, price = basicPrice) {
  const { id: customer } = await stripe.customers.create({});
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
  return await stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: method.id,
    discounts: [{ promotion_code: code.id }],
    expand: ["latest_invoice"],
  });
}

/** Totals of the subscription's invoices, oldest first. */
async function totalsOf({ id }: Stripe.Subscription): Promise<number[]> {
  const { data } = await stripe.invoices.list({ subscription: id, limit: 100 });
  return data.map(({ total }) => total).toReversed();
}

describe("a promotion code", () => {
  it("takes a percentage off as many months as its coupon says, and is counted", async () => {
    const price = await stripe.prices.retrieve(basicPrice);
    const full = price.unit_amount ?? 0;
    const once = await subscribe(await codeFor({ percent_off: 20, duration: "once" }));
    const twice = await codeFor({ percent_off: 20, duration: "repeating", duration_in_months: 2 });
    const repeating = await subscribe(twice);
    const forever = await subscribe(
      await codeFor({ amount_off: 100, currency: "gbp", duration: "forever" }),
    );
    expect(once.latest_invoice).toMatchObject({
      subtotal: full,
      total: full * 0.8,
      status: "paid",
    });
    for (let month = 1; month <= 2; month += 1)
      await sandbox.control.advance({ months: 1, hours: 2 });
    expect(await totalsOf(once)).toEqual([full * 0.8, full, full]);
    expect(await totalsOf(repeating)).toEqual([full * 0.8, full * 0.8, full]);
    expect(await totalsOf(forever)).toEqual([full - 100, full - 100, full - 100]);
    const read = await stripe.promotionCodes.retrieve(twice.id, { expand: ["promotion.coupon"] });
    expect(read).toMatchObject({
      times_redeemed: 1,
      promotion: { coupon: { percent_off: 20, times_redeemed: 1 } },
    });
  });

  it("of everything makes the first invoice paid without a payment", async () => {
    const free = await subscribe(await codeFor({ percent_off: 100, duration: "once" }));
    expect(free).toMatchObject({ status: "active", latest_invoice: { status: "paid", total: 0 } });
  });

  it("applies to the products it names only", async () => {
    const { product } = await stripe.prices.retrieve(plusPrice);
    const code = await codeFor({
      percent_off: 50,
      duration: "forever",
      applies_to: { products: [expandableId(product)] },
    });
    const [basic, plus] = [await subscribe(code), await subscribe(code, plusPrice)];
    expect(basic.latest_invoice).toMatchObject({ total_discount_amounts: [{ amount: 0 }] });
    const { subtotal, total } = plus.latest_invoice as Stripe.Invoice;
    expect(total).toBe(subtotal / 2);
  });

  it("for a first payment is refused to a customer who has paid", async () => {
    const code = await codeFor(
      { percent_off: 10 },
      { restrictions: { first_time_transaction: true } },
    );
    const { customer } = await subscribe(code);
    const again = stripe.subscriptions.create({
      customer: expandableId(customer),
      items: [{ price: basicPrice }],
      discounts: [{ promotion_code: code.id }],
      payment_behavior: "default_incomplete",
    });
    const refused = await failure(again);
    expect(refused).toMatchObject({ statusCode: 400, param: undefined, code: undefined });
    expect(refused.message).toContain("prior transactions");
  });

  it("is refused when it is off, over, used up or unknown, and cannot exist twice", async () => {
    const off = await codeFor({ percent_off: 10 });
    await stripe.promotionCodes.update(off.id, { active: false });
    const over = await codeFor({ percent_off: 10 }, { expires_at: 1 });
    const limited = await codeFor({ percent_off: 10 }, { max_redemptions: 1 });
    await subscribe(limited);
    for (const code of [off, over, limited]) {
      expect(await failure(subscribe(code))).toMatchObject({
        statusCode: 400,
        param: "discounts[0][promotion_code]",
      });
    }
    expect(await failure(subscribe({ ...off, id: "promo_none" }))).toMatchObject({
      code: "resource_missing",
    });
    await codeFor({ percent_off: 10 }, { code: "SUMMER" });
    expect(await failure(codeFor({ percent_off: 10 }, { code: "summer" }))).toMatchObject({
      param: "code",
    });
    const { data } = await stripe.promotionCodes.list({ code: "summer" });
    expect(data).toMatchObject([{ code: "SUMMER", active: true }]);
  });

  it.each([
    { percent_off: 10, amount_off: 10, currency: "gbp" },
    { amount_off: 10 },
    { percent_off: 101 },
    { percent_off: 10, duration: "repeating" as const },
    { percent_off: 10, duration: "repeating" as const, duration_in_months: 0 },
    {},
  ])("cannot be made for a coupon of %j", async (coupon) => {
    expect(await failure(stripe.coupons.create(coupon))).toMatchObject({ statusCode: 400 });
  });
});
