import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import {
  client,
  customerWith,
  failure,
  plusPrice,
  openFixture,
  basicPrice,
} from "./testing/sandbox-fixture.ts";
import type { Sandbox } from "./main.ts";
import {
  paymentExpansions,
  latestIntentOf,
  invoiceOf,
  createBasicSubscription,
} from "./testing/subscribe.ts";
import { expandableId } from "./ids.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

async function chargesOf(subscription: Stripe.Subscription): Promise<string[]> {
  const list = await stripe.charges.list({ customer: expandableId(subscription.customer) });
  return list.data.map((charge) => charge.status);
}

describe("allow_incomplete", () => {
  it("charges a good card at once", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa");
    expect(subscription.status).toBe("active");
    const item = subscription.items.data[0];
    expect(item?.price.id).toBe(basicPrice);
    expect(item?.current_period_start).toBe(subscription.start_date);
    const days = ((item?.current_period_end ?? 0) - subscription.start_date) / 86_400;
    expect([28, 29, 30, 31]).toContain(Math.round(days));
    expect(invoiceOf(subscription)).toMatchObject({
      status: "paid",
      amount_paid: 5000,
      billing_reason: "subscription_create",
      parent: { subscription_details: { subscription: subscription.id } },
    });
    expect(latestIntentOf(subscription)).toMatchObject({
      status: "succeeded",
      amount_received: 5000,
    });
    expect(await chargesOf(subscription)).toEqual(["succeeded"]);
  });

  it("leaves a declined one incomplete with the reason on the intent", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_chargeCustomerFail");
    expect(subscription.status).toBe("incomplete");
    expect(invoiceOf(subscription)).toMatchObject({ status: "open", attempt_count: 1 });
    expect(latestIntentOf(subscription)).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "card_declined", message: "Your card was declined." },
    });
    expect(await chargesOf(subscription)).toEqual(["failed"]);
    const next = await stripe.paymentMethods.attach("pm_card_visa", {
      customer: expandableId(subscription.customer),
    });
    const paid = await stripe.invoices.pay(invoiceOf(subscription).id, { payment_method: next.id });
    expect(paid.status).toBe("paid");
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
  });

  it("asks for authentication", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_authenticationRequired");
    expect(subscription.status).toBe("incomplete");
    const intent = latestIntentOf(subscription);
    expect(intent).toMatchObject({
      status: "requires_action",
      next_action: { type: "use_stripe_sdk" },
    });
    const secret = invoiceOf(subscription).confirmation_secret;
    expect(secret).toEqual({ type: "payment_intent", client_secret: intent.client_secret });
    expect(secret?.client_secret).toMatch(/^pi_\w+_secret_\w+$/);
    expect(await chargesOf(subscription)).toEqual([]);
  });

  it("requires a payment method", async () => {
    const customer = await stripe.customers.create();
    const error = await failure(
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: basicPrice }] }),
    );
    expect(error).toMatchObject({ statusCode: 400, code: "resource_missing" });
    const foreign = await stripe.paymentMethods.create({
      type: "card",
      card: { token: "tok_visa" },
    });
    const unattached = await failure(
      stripe.subscriptions.create({
        customer: customer.id,
        items: [{ price: basicPrice }],
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
      items: [{ price: plusPrice }],
      payment_behavior: "default_incomplete",
      payment_settings: { save_default_payment_method: "on_subscription" },
      expand: paymentExpansions,
    });
    expect(subscription.status).toBe("incomplete");
    const intent = latestIntentOf(subscription);
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
    const method = await stripe.paymentMethods.retrieve(expandableId(confirmed.payment_method));
    expect(method.customer).toBe(customer.id);
  });

  it("does not charge the default card by itself", async () => {
    const subscription = await createBasicSubscription(stripe, "pm_card_visa", {
      payment_behavior: "default_incomplete",
    });
    expect(latestIntentOf(subscription).status).toBe("requires_confirmation");
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
        items: [{ price: basicPrice }],
        payment_behavior: "error_if_incomplete",
      }),
    );
    expect(error).toMatchObject({ statusCode: 402, code });
    expect(
      (await stripe.subscriptions.list({ customer: customer.id, status: "all" })).data,
    ).toEqual([]);
  });
});
