import { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  client,
  customerWith,
  failure,
  openFixture,
  openReceiver,
  basicPrice,
  testPublishableKey,
  webhookSecret,
  type Receiver,
} from "./testing/sandbox-fixture.ts";
import type { Sandbox } from "./main.ts";

let receiver: Receiver;
let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answerWith(200);
  sandbox = await openFixture({ webhookUrl: receiver.url });
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

async function subscribe(token: string): Promise<Stripe.Subscription> {
  const customer = await customerWith(stripe, token);
  return await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: basicPrice }],
  });
}

describe("events", () => {
  it("report a first payment in order, with signatures the official library accepts", async () => {
    await subscribe("pm_card_visa");
    await sandbox.control.settled();
    expect(receiver.types()).toEqual([
      "customer.created",
      "payment_method.attached",
      "customer.updated",
      "customer.subscription.created",
      "invoice.created",
      "invoice.finalized",
      "payment_intent.created",
      "charge.succeeded",
      "payment_intent.succeeded",
      "invoice_payment.paid",
      "invoice.paid",
      "invoice.payment_succeeded",
      "customer.subscription.updated",
    ]);
    for (const { body, signature } of receiver.received) {
      const event = await stripe.webhooks.constructEventAsync(body, signature, webhookSecret);
      expect(event.api_version).toBe(Stripe.API_VERSION);
      expect((await stripe.events.retrieve(event.id)).pending_webhooks).toBe(0);
    }
    const updated = JSON.parse(receiver.received.at(-1)?.body ?? "") as Stripe.Event;
    expect(updated.data).toMatchObject({
      object: { status: "active" },
      previous_attributes: { status: "incomplete" },
    });
  });

  it("report a declined and an unauthenticated payment", async () => {
    await subscribe("pm_card_chargeCustomerFail");
    await sandbox.control.settled();
    expect(receiver.types().slice(7)).toEqual([
      "charge.failed",
      "payment_intent.payment_failed",
      "invoice.updated",
      "invoice.payment_failed",
    ]);
    receiver.received.length = 0;
    await subscribe("pm_card_authenticationRequired");
    await sandbox.control.settled();
    expect(receiver.types().slice(7)).toEqual([
      "payment_intent.requires_action",
      "invoice.updated",
      "invoice.payment_failed",
      "invoice.payment_action_required",
    ]);
  });

  it("are listed by type", async () => {
    const subscription = await subscribe("pm_card_visa");
    await stripe.subscriptions.cancel(subscription.id);
    const ended = await stripe.events.list({ type: "customer.subscription.deleted" });
    expect(ended.data).toHaveLength(1);
    expect((await stripe.events.list({ types: ["invoice.*"] })).data).toHaveLength(4);
  });
});

describe("the webhook endpoint", () => {
  it("is listed and read, without its secret", async () => {
    const { data } = await stripe.webhookEndpoints.list();
    expect(data).toMatchObject([
      { object: "webhook_endpoint", url: receiver.url, status: "enabled", enabled_events: ["*"] },
    ]);
    const id = data[0]?.id ?? "";
    const one = await stripe.webhookEndpoints.retrieve(id);
    expect(one.url).toBe(receiver.url);
    expect(JSON.stringify([data, one])).not.toContain(webhookSecret);
    expect((await failure(stripe.webhookEndpoints.retrieve("we_none"))).code).toBe(
      "resource_missing",
    );
    const isPublic = client(sandbox, testPublishableKey).webhookEndpoints.list();
    expect((await failure(isPublic)).code).toBe("secret_key_required");
  });

  it("is not there when events are sent nowhere, and stays after a reset", async () => {
    await sandbox.control.reset();
    expect((await stripe.webhookEndpoints.list()).data).toHaveLength(1);
    const silent = await openFixture();
    expect((await client(silent).webhookEndpoints.list()).data).toEqual([]);
    await silent.stop();
  });
});
