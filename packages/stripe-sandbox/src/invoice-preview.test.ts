import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture, plusPrice } from "./testing/sandbox-fixture.ts";
import { createBasicSubscription, invoiceOf, paymentExpansions } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

describe("a preview", () => {
  it("is the next renewal, and stores nothing", async () => {
    const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
    const preview = await stripe.invoices.createPreview({ subscription: id });
    expect(preview).toMatchObject({
      billing_reason: "subscription_cycle",
      amount_due: 5000,
      period_end: items.data[0]?.current_period_end,
    });
    expect(preview.id).toMatch(/^upcoming_in_/);
    expect((await stripe.invoices.list({ subscription: id })).data).toHaveLength(1);
    expect((await failure(stripe.invoices.retrieve(preview.id))).code).toBe("resource_missing");
  });

  it("of a change has the amount of the invoice that the change makes at that moment", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    await sandbox.control.advance({ days: 10 });
    const change = {
      items: [{ id: subscription.items.data[0]?.id ?? "", price: plusPrice }],
      proration_behavior: "always_invoice" as const,
    };
    const preview = await stripe.invoices.createPreview({
      subscription: subscription.id,
      subscription_details: change,
    });
    expect(preview.lines.data.map(({ amount }) => Math.sign(amount))).toEqual([-1, 1]);
    const moment = Math.max(...preview.lines.data.map(({ period }) => period.start));
    const passedS = moment - (subscription.items.data[0]?.current_period_start ?? 0);
    expect(Math.floor(passedS / 60)).toBe(10 * 24 * 60);
    await sandbox.control.advance({ days: 2 });
    const changed = await stripe.subscriptions.update(subscription.id, {
      ...change,
      proration_date: moment,
      expand: paymentExpansions,
    });
    expect(invoiceOf(changed)).toMatchObject({
      billing_reason: "subscription_update",
      amount_paid: preview.amount_due,
    });
  });

  it("without prorations is the renewal at the other price", async () => {
    const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
    const preview = await stripe.invoices.createPreview({
      subscription: id,
      subscription_details: {
        items: [{ id: items.data[0]?.id ?? "", price: plusPrice }],
        proration_behavior: "none",
      },
    });
    expect(preview).toMatchObject({ billing_reason: "subscription_cycle", amount_due: 10_000 });
  });

  it("is refused for a subscription or price that does not exist", async () => {
    const none = stripe.invoices.createPreview({ subscription: "sub_none" });
    expect((await failure(none)).code).toBe("resource_missing");
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    const price = stripe.invoices.createPreview({
      subscription: id,
      subscription_details: { items: [{ price: "price_none" }] },
    });
    expect((await failure(price)).code).toBe("resource_missing");
  });
});
