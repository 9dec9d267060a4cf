import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { client, customerWith, failure, MENTOR, openFixture, STUDENT } from "./testing/fixture.ts";
import type { Sandbox } from "./main.ts";
import { idOf } from "./ids.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

const EXPAND = [
  "latest_invoice.confirmation_secret",
  "latest_invoice.payments.data.payment.payment_intent",
  "default_payment_method",
];

async function subscribe(
  token: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const customer = await customerWith(stripe, token);
  return await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: STUDENT }],
    expand: EXPAND,
    ...more,
  });
}

function invoiceOf(subscription: Stripe.Subscription): Stripe.Invoice {
  const invoice = subscription.latest_invoice;
  if (invoice === null || typeof invoice === "string") throw new Error("invoice not expanded");
  return invoice;
}

function intentOf(subscription: Stripe.Subscription): Stripe.PaymentIntent {
  const intent = invoiceOf(subscription).payments?.data[0]?.payment.payment_intent;
  if (intent === undefined || typeof intent === "string") throw new Error("intent not expanded");
  return intent;
}

async function chargesOf(subscription: Stripe.Subscription): Promise<string[]> {
  const list = await stripe.charges.list({ customer: idOf(subscription.customer) });
  return list.data.map((charge) => charge.status);
}

describe("allow_incomplete", () => {
  it("charges a good card at once", async () => {
    const subscription = await subscribe("pm_card_visa");
    expect(subscription.status).toBe("active");
    const item = subscription.items.data[0];
    expect(item?.price.id).toBe(STUDENT);
    expect(item?.current_period_start).toBe(subscription.start_date);
    const days = ((item?.current_period_end ?? 0) - subscription.start_date) / 86_400;
    expect([28, 29, 30, 31]).toContain(Math.round(days));
    expect(invoiceOf(subscription)).toMatchObject({
      status: "paid",
      amount_paid: 5000,
      billing_reason: "subscription_create",
      parent: { subscription_details: { subscription: subscription.id } },
    });
    expect(intentOf(subscription)).toMatchObject({ status: "succeeded", amount_received: 5000 });
    expect(await chargesOf(subscription)).toEqual(["succeeded"]);
  });

  it("leaves a declined one incomplete with the reason on the intent", async () => {
    const subscription = await subscribe("pm_card_chargeCustomerFail");
    expect(subscription.status).toBe("incomplete");
    expect(invoiceOf(subscription)).toMatchObject({ status: "open", attempt_count: 1 });
    expect(intentOf(subscription)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined", message: "Your card was declined." },
    });
    expect(await chargesOf(subscription)).toEqual(["failed"]);
    const next = await stripe.paymentMethods.attach("pm_card_visa", {
      customer: idOf(subscription.customer),
    });
    const paid = await stripe.invoices.pay(invoiceOf(subscription).id, { payment_method: next.id });
    expect(paid.status).toBe("paid");
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
  });

  it("asks for authentication", async () => {
    const subscription = await subscribe("pm_card_authenticationRequired");
    expect(subscription.status).toBe("incomplete");
    const intent = intentOf(subscription);
    expect(intent).toMatchObject({
      status: "requires_action",
      next_action: { type: "use_stripe_sdk" },
    });
    const secret = invoiceOf(subscription).confirmation_secret;
    expect(secret).toEqual({ type: "payment_intent", client_secret: intent.client_secret });
    expect(secret?.client_secret).toMatch(/^pi_\w+_secret_\w+$/);
    expect(await chargesOf(subscription)).toEqual([]);
  });

  it("needs somebody to charge", async () => {
    const customer = await stripe.customers.create();
    const error = await failure(
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: STUDENT }] }),
    );
    expect(error).toMatchObject({ statusCode: 400, code: "resource_missing" });
    const foreign = await stripe.paymentMethods.create({
      type: "card",
      card: { token: "tok_visa" },
    });
    const unattached = await failure(
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: STUDENT }],
        default_payment_method: foreign.id,
      }),
    );
    expect(unattached).toMatchObject({ statusCode: 400, param: "default_payment_method" });
    expect(
      (await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data,
    ).toEqual([]);
  });
});

describe("default_incomplete", () => {
  it("waits for a confirmation, then keeps the card as asked", async () => {
    const customer = await stripe.customers.create();
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: MENTOR }],
      payment_behavior: "default_incomplete",
      payment_settings: { save_default_payment_method: "on_subscription" },
      expand: EXPAND,
    });
    expect(subscription.status).toBe("incomplete");
    const intent = intentOf(subscription);
    expect(intent).toMatchObject({ status: "requires_payment_method", amount: 10_000 });
    const confirmed = await stripe.paymentIntents.confirm(intent.id, {
      payment_method: "pm_card_visa",
    });
    expect(confirmed.status).toBe("succeeded");
    const after = await stripe.subscriptions.retrieve(subscription.id);
    expect(after).toMatchObject({
      status: "active",
      default_payment_method: confirmed.payment_method,
    });
    const method = await stripe.paymentMethods.retrieve(idOf(confirmed.payment_method));
    expect(method.customer).toBe(customer.id);
  });

  it("does not charge the default card by itself", async () => {
    const subscription = await subscribe("pm_card_visa", {
      payment_behavior: "default_incomplete",
    });
    expect(intentOf(subscription).status).toBe("requires_confirmation");
    expect(await chargesOf(subscription)).toEqual([]);
  });
});

describe("error_if_incomplete", () => {
  it.each([
    ["pm_card_chargeCustomerFail", "card_declined"],
    ["pm_card_authenticationRequired", "subscription_payment_intent_requires_action"],
  ])("refuses %s and makes no subscription", async (token, code) => {
    const customer = await customerWith(stripe, token);
    const error = await failure(
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: STUDENT }],
        payment_behavior: "error_if_incomplete",
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code });
    expect(
      (await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data,
    ).toEqual([]);
  });
});

describe("changes", () => {
  it("cancel at period end and take it back", async () => {
    const subscription = await subscribe("pm_card_visa");
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
    const subscription = await subscribe("pm_card_visa");
    const item = subscription.items.data[0]?.id ?? "";
    const changed = await stripe.subscriptions.update(subscription.id, {
      items: [{ id: item, price: MENTOR }],
      proration_behavior: "always_invoice",
      expand: EXPAND,
    });
    expect(changed.items.data[0]?.price.id).toBe(MENTOR);
    const invoice = invoiceOf(changed);
    expect(invoice.billing_reason).toBe("subscription_update");
    expect(invoice.lines.data).toHaveLength(2);
    expect(Math.abs(invoice.amount_paid - 5000)).toBeLessThanOrEqual(1);
  });

  it("end at once, and only once", async () => {
    const subscription = await subscribe("pm_card_visa");
    const ended = await stripe.subscriptions.cancel(subscription.id);
    expect(ended.status).toBe("canceled");
    expect(ended.ended_at).not.toBeNull();
    expect((await failure(stripe.subscriptions.cancel(subscription.id))).code).toBe(
      "resource_missing",
    );
    const customer = idOf(subscription.customer);
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
    const subscription = await subscribe("pm_card_authenticationRequired");
    expect((await stripe.subscriptions.cancel(subscription.id)).status).toBe("incomplete_expired");
    expect((await stripe.invoices.retrieve(invoiceOf(subscription).id)).status).toBe("void");
    expect((await stripe.paymentIntents.retrieve(intentOf(subscription).id)).status).toBe(
      "canceled",
    );
  });
});

describe("refunds", () => {
  it("give a charge back in parts and no further", async () => {
    const subscription = await subscribe("pm_card_visa");
    const intent = intentOf(subscription).id;
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
