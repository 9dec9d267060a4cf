import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import {
  basicPrice,
  client,
  customerWith,
  failure,
  openFixture,
  plusPrice,
} from "./testing/sandbox-fixture.ts";
import { createBasicSubscription, invoiceOf, paymentExpansions } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

async function vat(): Promise<string> {
  const given = { display_name: "VAT", inclusive: true, percentage: 20, country: "GB" };
  return (await stripe.taxRates.create(given)).id;
}

const taxOf = ({ total_taxes: taxes }: Stripe.Invoice) =>
  (taxes ?? []).reduce((sum, { amount }) => sum + amount, 0);

describe("an inclusive tax rate", () => {
  it("is named with what it took of each invoice, and leaves the amount as it is", async () => {
    const rate = await vat();
    const subscription = await createBasicSubscription(stripe, "pm_card_visa", {
      default_tax_rates: [rate],
    });
    expect(subscription.default_tax_rates).toMatchObject([{ id: rate, percentage: 20 }]);
    expect(invoiceOf(subscription)).toMatchObject({
      amount_paid: 5000,
      total: 5000,
      total_excluding_tax: 4167,
      subtotal_excluding_tax: 4167,
      default_tax_rates: [{ id: rate }],
      total_taxes: [
        {
          amount: 833,
          tax_behavior: "inclusive",
          tax_rate_details: { tax_rate: rate },
          taxable_amount: 4167,
          taxability_reason: "not_available",
          type: "tax_rate_details",
        },
      ],
      lines: { data: [{ amount: 5000, taxes: [{ amount: 833 }] }] },
    });
  });

  it("counts what a discount left, renewals, and a planned change whose phases name it", async () => {
    const rate = await vat();
    const coupon = await stripe.coupons.create({ percent_off: 10, duration: "once" });
    const { id, items } = await createBasicSubscription(stripe, "pm_card_visa", {
      default_tax_rates: [rate],
      discounts: [{ coupon: coupon.id }],
    });
    const [item] = items.data;
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    expect(schedule.phases[0]?.default_tax_rates).toMatchObject([{ id: rate }]);
    const phase = { default_tax_rates: [rate] };
    await stripe.subscriptionSchedules.update(schedule.id, {
      phases: [
        {
          ...phase,
          items: [{ price: basicPrice }],
          start_date: item?.current_period_start ?? 0,
          end_date: item?.current_period_end ?? 0,
        },
        {
          ...phase,
          items: [{ price: plusPrice }],
          duration: { interval: "month", interval_count: 1 },
        },
      ],
    });
    await sandbox.control.advance({ months: 1, hours: 2 });
    const { data } = await stripe.invoices.list({ subscription: id });
    const sums = data.map((invoice) => [invoice.total, taxOf(invoice)]);
    expect(sums).toEqual([
      [10_000, 1667],
      [4500, 750],
    ]);
  });

  it("is refused when it is inactive, or no rate at all", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    const rate = await vat();
    await stripe.taxRates.update(rate, { active: false });
    for (const unknown of [rate, "txr_none"]) {
      const refused = await failure(
        stripe.subscriptions.update(id, { default_tax_rates: [unknown] }),
      );
      expect(refused.param).toBe("default_tax_rates[0]");
    }
  });
});

describe("automatic tax", () => {
  it("needs the customer's country, and takes its rate", async () => {
    const price = await stripe.prices.create({
      currency: "gbp",
      unit_amount: 5000,
      recurring: { interval: "month" },
      product_data: { name: "Taxed" },
      tax_behavior: "inclusive",
    });
    const customer = await customerWith(stripe, "pm_card_visa");
    const start = () =>
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: price.id }],
        automatic_tax: { enabled: true },
        expand: paymentExpansions,
      });
    expect((await failure(start())).code).toBe("customer_tax_location_invalid");
    const place = (country: string) =>
      stripe.customers.update(customer.id, {
        address: { country },
        tax: { validate_location: "immediately" },
      });
    expect((await failure(place("Atlantis"))).code).toBe("customer_tax_location_invalid");
    await place("IE");
    const invoice = invoiceOf(await start());
    expect(invoice).toMatchObject({
      total: 5000,
      total_excluding_tax: 4065,
      automatic_tax: { enabled: true, status: "complete" },
      total_taxes: [{ amount: 935, taxability_reason: "standard_rated" }],
    });
    const used = expandableId(invoice.total_taxes?.[0]?.tax_rate_details?.tax_rate);
    expect((await stripe.taxRates.retrieve(used)).effective_percentage).toBe(23);
    await place("US");
    expect(invoiceOf(await start())).toMatchObject({ total: 5000, total_taxes: [] });
  });
});
