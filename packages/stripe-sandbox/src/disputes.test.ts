import type Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import {
  client,
  customerWith,
  plusPrice,
  openFixture,
  basicPrice,
} from "./testing/sandbox-fixture.ts";
import { latestIntentOf, invoiceOf, createBasicSubscription } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;
beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

const types = () => sandbox.control.events().map(({ type }) => type);

describe("a dispute", () => {
  it("is opened automatically by its test card after the payment", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_createDispute");
    expect(subscription.status).toBe("active");
    const payment = latestIntentOf(subscription);
    const charge = await stripe.charges.retrieve(expandableId(payment.latest_charge));
    expect(charge).toMatchObject({ paid: true, disputed: true, refunded: false });
    const { data } = await stripe.disputes.list({ charge: charge.id });
    expect(data).toMatchObject([
      { object: "dispute", status: "needs_response", reason: "fraudulent", amount: charge.amount },
    ]);
    expect(types().slice(-2)).toEqual(["charge.dispute.created", "charge.dispute.funds_withdrawn"]);
  });

  it("is opened for a payment without an invoice, too", async () => {
    const { id: customer } = await stripe.customers.create({});
    const { latest_charge: charge } = await stripe.paymentIntents.create({
      amount: 1200,
      currency: "gbp",
      customer,
      payment_method: "pm_card_createDispute",
      confirm: true,
    });
    const { data } = await stripe.disputes.list({ charge: expandableId(charge) });
    expect(data).toMatchObject([{ status: "needs_response", amount: 1200 }]);
  });

  it.each([
    ["winning_evidence", "won", "charge.dispute.funds_reinstated"],
    ["losing_evidence", "lost", "charge.dispute.closed"],
  ])("with %s is %s", async (text, status, last) => {
    await createBasicSubscription(stripe, "pm_card_createDispute");
    const [open] = sandbox.control.disputes();
    const closed = await stripe.disputes.update(open?.id ?? "", {
      evidence: { uncategorized_text: text },
    });
    expect(closed).toMatchObject({ status, evidence: { uncategorized_text: text } });
    expect(types().at(-1)).toBe(last);
    await expect(stripe.disputes.close(closed.id)).rejects.toThrow("already closed");
  });

  it("is opened and decided by the control, and accepted by closing it", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const charge = expandableId(latestIntentOf(subscription).latest_charge);
    const inquiry = await sandbox.control.openDispute(charge, { isInquiry: true });
    expect(inquiry.status).toBe("warning_needs_response");
    expect(types()).not.toContain("charge.dispute.funds_withdrawn");
    await expect(sandbox.control.openDispute(charge)).rejects.toThrow("cannot be disputed");
    expect((await sandbox.control.closeDispute(inquiry.id, "won")).status).toBe("warning_closed");
    const other = await createBasicSubscription(stripe, "pm_card_createDispute");
    const { data } = await stripe.disputes.list({ payment_intent: latestIntentOf(other).id });
    expect((await stripe.disputes.close(data[0]?.id ?? "")).status).toBe("lost");
  });
});

describe("an early fraud warning", () => {
  it("comes with its test card, and can be acted on until the money is back", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_createIssuerFraudRecord");
    const { id: intent, latest_charge: charge } = latestIntentOf(subscription);
    expect(types()).toContain("radar.early_fraud_warning.created");
    const { earlyFraudWarnings } = stripe.radar;
    const { data } = await earlyFraudWarnings.list({ payment_intent: intent });
    expect(data).toMatchObject([{ actionable: true, charge: expandableId(charge) }]);
    const id = data[0]?.id ?? "";
    await stripe.refunds.create({ payment_intent: intent, amount: 1000 });
    expect((await earlyFraudWarnings.retrieve(id)).actionable).toBe(true);
    await stripe.refunds.create({ payment_intent: intent });
    expect((await earlyFraudWarnings.retrieve(id)).actionable).toBe(false);
    expect((await earlyFraudWarnings.list({ charge: "ch_none" })).data).toEqual([]);
  });

  it("is no longer to be acted on once the charge is disputed", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_createIssuerFraudRecord");
    await sandbox.control.openDispute(expandableId(latestIntentOf(subscription).latest_charge));
    const { data } = await stripe.radar.earlyFraudWarnings.list();
    expect(data).toMatchObject([{ actionable: false }]);
  });
});

describe("dashboard operations", () => {
  it("finds the invoice behind a payment", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    const { data } = await stripe.invoicePayments.list({
      payment: { type: "payment_intent", payment_intent: latestIntentOf(subscription).id },
      expand: ["data.invoice"],
    });
    expect(data).toMatchObject([{ invoice: { id: invoiceOf(subscription).id } }]);
  });

  it("adds a second price to a subscription, billed with the next invoice", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    await stripe.subscriptionItems.create({ subscription: id, price: plusPrice });
    const after = await stripe.subscriptions.retrieve(id);
    expect(after.items.data.map(({ price }) => price.id)).toEqual([basicPrice, plusPrice]);
    await expect(
      stripe.subscriptionItems.create({ subscription: id, price: plusPrice }),
    ).rejects.toThrow("already using");
  });

  it("ends a subscription with a credit for the time that is left", async () => {
    const customer = await customerWith(stripe, "pm_card_visa");
    const { id } = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: basicPrice }],
    });
    const ended = await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
    expect(ended.status).toBe("canceled");
    const held = await stripe.customers.retrieve(customer.id);
    expect(held).toMatchObject({ balance: -5000 });
  });
});
