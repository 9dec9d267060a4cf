import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { basicPrice, client, failure, openFixture } from "./testing/sandbox-fixture.ts";
import { createBasicSubscription } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

type Ending = "cancel" | "create_invoice" | "pause";

/** A trial of three days without a card. */
async function trial(missing_payment_method: Ending): Promise<Stripe.Subscription> {
  const { id: customer } = await stripe.customers.create({});
  return await stripe.subscriptions.create({
    customer,
    items: [{ price: basicPrice }],
    trial_period_days: 3,
    trial_settings: { end_behavior: { missing_payment_method } },
  });
}

async function addCard(subscription: Stripe.Subscription, token: string): Promise<void> {
  const customer = expandableId(subscription.customer);
  const method = await stripe.paymentMethods.attach(token, { customer });
  await stripe.subscriptions.update(subscription.id, { default_payment_method: method.id });
}

const types = () => sandbox.control.events().map(({ type }) => type);
const invoicesOf = async ({ id }: Stripe.Subscription) =>
  (await stripe.invoices.list({ subscription: id })).data.map((row) => [row.status, row.total]);

describe("the end of a trial", () => {
  const announced = () =>
    types().filter((type) => type === "customer.subscription.trial_will_end").length;

  it("is announced once, three days before", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa", { trial_period_days: 14 });
    await sandbox.control.advance({ days: 10 });
    expect(announced()).toBe(0);
    await sandbox.control.advance({ days: 1, hours: 1 });
    expect(announced()).toBe(1);
    const event = sandbox.control.events().at(-1);
    expect(event?.data.object).toMatchObject({ id, status: "trialing" });
    expect((event?.created ?? 0) + 3 * 86_400).toBe(
      (await stripe.subscriptions.retrieve(id)).trial_end,
    );
    await sandbox.control.advance({ months: 2 });
    expect(announced()).toBe(1);
  });

  it("is announced at once when the trial is shorter, and never without one", async () => {
    await createBasicSubscription(stripe, "pm_card_visa", { trial_period_days: 2 });
    expect(announced()).toBe(1);
    await createBasicSubscription(stripe, "pm_card_visa");
    const ended = await createBasicSubscription(stripe, "pm_card_visa", { trial_period_days: 9 });
    await stripe.subscriptions.cancel(ended.id);
    await sandbox.control.advance({ months: 1 });
    expect(announced()).toBe(1);
  });
});

describe("a trial that ends without a card", () => {
  it.each([
    ["create_invoice", "past_due", 2],
    ["cancel", "canceled", 1],
    ["pause", "paused", 1],
  ] as const)("set to %s is %s", async (ending, status, invoices) => {
    const started = await trial(ending);
    expect(started.trial_settings?.end_behavior.missing_payment_method).toBe(ending);
    await sandbox.control.advance({ days: 4 });
    expect((await stripe.subscriptions.retrieve(started.id)).status).toBe(status);
    expect(await invoicesOf(started)).toHaveLength(invoices);
    expect(types().includes("customer.subscription.paused")).toBe(ending === "pause");
  });

  it("goes on when a card was added, or another ending was chosen", async () => {
    const [paying, ended] = [await trial("pause"), await trial("pause")];
    await addCard(paying, "pm_card_visa");
    await stripe.subscriptions.update(ended.id, {
      trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
    });
    await sandbox.control.advance({ days: 4 });
    expect((await stripe.subscriptions.retrieve(paying.id)).status).toBe("active");
    expect((await stripe.subscriptions.retrieve(ended.id)).status).toBe("canceled");
  });
});

describe("a paused subscription", () => {
  it("stays so for months, and resumes with a new period that is paid", async () => {
    const started = await trial("pause");
    await sandbox.control.advance({ months: 3 });
    expect(await invoicesOf(started)).toEqual([["paid", 0]]);
    await addCard(started, "pm_card_visa");
    const resumed = await stripe.subscriptions.resume(started.id);
    expect(resumed.status).toBe("active");
    const [item] = resumed.items.data;
    expect(resumed.billing_cycle_anchor).toBe(item?.current_period_start);
    expect(Math.abs(resumed.billing_cycle_anchor - sandbox.control.now())).toBeLessThan(60);
    expect(await invoicesOf(started)).toEqual([
      ["paid", 5000],
      ["paid", 0],
    ]);
    expect(types().at(-1)).toBe("customer.subscription.resumed");
    await sandbox.control.advance({ months: 1, hours: 2 });
    expect(await invoicesOf(started)).toHaveLength(3);
  });

  it("is past due when the card is declined", async () => {
    const started = await trial("pause");
    await sandbox.control.advance({ days: 4 });
    await addCard(started, "pm_card_chargeCustomerFail");
    expect((await stripe.subscriptions.resume(started.id)).status).toBe("past_due");
    expect((await invoicesOf(started))[0]).toEqual(["open", 5000]);
  });

  it("alone can be resumed, and only from now on", async () => {
    const started = await trial("pause");
    const early = await failure(stripe.subscriptions.resume(started.id));
    expect(early).toMatchObject({ statusCode: 400, type: "StripeInvalidRequestError" });
    await sandbox.control.advance({ days: 4 });
    const unchanged = { billing_cycle_anchor: { type: "unchanged" as const } };
    const refused = await failure(stripe.subscriptions.resume(started.id, unchanged));
    expect(refused.param).toBe("billing_cycle_anchor[type]");
    await stripe.subscriptions.cancel(started.id);
    expect((await failure(stripe.subscriptions.resume(started.id))).statusCode).toBe(400);
  });
});
