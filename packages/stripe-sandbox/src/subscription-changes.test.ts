import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { client, failure, plusPrice, openFixture } from "./testing/sandbox-fixture.ts";
import {
  paymentExpansions,
  latestIntentOf,
  invoiceOf,
  createBasicSubscription,
} from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

describe("changes", () => {
  it("cancel at period end and take it back", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const ending = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: true,
    });
    expect(ending).toMatchObject({
      status: "active",
      cancel_at_period_end: true,
      cancel_at: subscription.items.data[0]?.current_period_end,
    });
    const going = await stripe.subscriptions.update(subscription.id, {
      cancel_at_period_end: false,
    });
    expect(going).toMatchObject({
      cancel_at_period_end: false,
      cancel_at: null,
      canceled_at: null,
    });
  });

  it("swap the price and prorate", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const item = subscription.items.data[0]?.id ?? "";
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item, price: plusPrice }],
      proration_behavior: "always_invoice",
      expand: paymentExpansions,
    });
    expect(changed.items.data[0]?.price.id).toBe(plusPrice);
    const invoice = invoiceOf(changed);
    expect(invoice.billing_reason).toBe("subscription_update");
    expect(invoice.lines.data).toHaveLength(2);
    expect(Math.abs(invoice.amount_paid - 5000)).toBeLessThanOrEqual(1);
  });

  it("end at once, and only once", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const ended = await stripe.subscriptions.cancel(subscription.id);
    expect(ended.status).toBe("canceled");
    expect(ended.ended_at).not.toBeNull();
    expect((await failure(stripe.subscriptions.cancel(subscription.id))).code).toBe(
      "resource_missing",
    );
    const customer = expandableId(subscription.customer);
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer, status: "all" })).data).toHaveLength(1);
    expect((await stripe.subscriptions.list({ customer, status: "canceled" })).data).toHaveLength(
      1,
    );
    const late = await failure(
      stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true }),
    );
    expect(late.statusCode).toBe(400);
  });

  it("void the invoice of one that never started", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_authenticationRequired");
    expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe("incomplete_expired");
    expect((await stripe.invoices.retrieve(invoiceOf(subscription).id)).status).toBe("void");
    expect((await stripe.paymentIntents.retrieve(latestIntentOf(subscription).id)).status).toBe(
      "canceled",
    );
  });
});

describe("two open invoices", () => {
  it("leave it past due until the latest is paid", async () => {
    const { id, customer, items } = await createBasicSubscription(stripe, "pm_card_visa");
    const attach = async (card: string) =>
      await stripe.paymentMethods.attach(card, { customer: expandableId(customer) });
    const failing = await attach("pm_card_chargeCustomerFail");
    await stripe.subscriptions.update(id, { default_payment_method: failing.id });
    await sandbox.control.advance({ months: 1, hours: 1 });
    await stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? "", price: plusPrice }],
      proration_behavior: "always_invoice",
    });
    const { data: open } = await stripe.invoices.list({ subscription: id, status: "open" });
    expect(open).toHaveLength(2);
    const good = await attach("pm_card_visa");
    const statuses: string[] = [];
    for (const invoice of open.toReversed()) {
      await stripe.invoices.pay(invoice.id, { payment_method: good.id });
      statuses.push((await stripe.subscriptions.retrieve(id)).status);
    }
    expect(statuses).toEqual(["past_due", "active"]);
  });
});

describe("refunds", () => {
  it("give a charge back in parts and no further", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const intent = latestIntentOf(subscription).id;
    const part = await stripe.refunds.create({ payment_intent: intent, amount: 2000 });
    expect(part).toMatchObject({ status: "succeeded", amount: 2000 });
    const much = await failure(stripe.refunds.create({ payment_intent: intent, amount: 4000 }));
    expect(much.param).toBe("amount");
    await stripe.refunds.create({ payment_intent: intent });
    const again = await failure(stripe.refunds.create({ payment_intent: intent }));
    expect(again.code).toBe("charge_already_refunded");
    const charges = await stripe.charges.list({ payment_intent: intent });
    expect(charges.data[0]).toMatchObject({ refunded: true, amount_refunded: 5000 });
  });
});
