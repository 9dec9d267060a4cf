import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type Stripe from "stripe";
import { addIntervals, nextPeriodEnd, SandboxClock } from "./clock.ts";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { createBasicSubscription } from "./testing/subscribe.ts";
import {
  client,
  customerWith,
  openFixture,
  openReceiver,
  basicPrice,
} from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

async function subscribe(
  token: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const customer = await customerWith(stripe, token);
  return await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: basicPrice }],
    ...more,
  });
}

const outcomes = () => sandbox.control.charges().map((charge) => charge.status);
/** Types of events since then, without those of payouts and of invoices to come, which accompany everything. */
const typesSince = (count: number) =>
  sandbox.control
    .events()
    .slice(count)
    .map((event) => event.type)
    .filter((type) => !/^(?:payout\.|invoice\.upcoming$)/.test(type));

/** Makes the saved card one that is refused from now on. */
async function switchToFailingCard(subscription: Stripe.Subscription): Promise<void> {
  const customer = expandableId(subscription.customer);
  const method = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", { customer });
  await stripe.customers.update(customer, {
    invoice_settings: { default_payment_method: method.id },
  });
}

describe("months", () => {
  const at = (text: string) => Date.parse(`${text}T10:00:00Z`) / 1000;

  it.each([
    ["2026-01-31", 1, "2026-02-28"],
    ["2026-01-31", 2, "2026-03-31"],
    ["2028-01-31", 1, "2028-02-29"],
    ["2026-12-15", 1, "2027-01-15"],
  ])("%s and %i is %s", (from, count, to) => {
    expect(addIntervals(at(from), count, "month")).toBe(at(to));
  });

  it("keep the anchor's day from period to period", () => {
    const anchor = at("2026-01-31");
    expect(nextPeriodEnd(anchor, at("2026-02-28"), "month", 1)).toBe(at("2026-03-31"));
  });
});

describe("a clock that is moved by months", () => {
  afterEach(() => void vi.useRealTimers());

  const stepsFrom = (start: string, hours: number, count: number) => {
    vi.useFakeTimers({ now: new Date(start), toFake: ["Date"] });
    const clock = new SandboxClock();
    return Array.from({ length: count }, () => {
      clock.advanceByMonths(1);
      clock.advanceBy(hours * 3600);
      return new Date(clock.now() * 1000).toISOString().slice(0, 16);
    });
  };

  it("comes back to the day it began with after a shorter month", () => {
    expect(stepsFrom("2027-01-31T10:00:00Z", 0, 3)).toEqual([
      "2027-02-28T10:00",
      "2027-03-31T10:00",
      "2027-04-30T10:00",
    ]);
  });

  it("renews what began after hours had led into the next month", () => {
    vi.useFakeTimers({ now: new Date("2027-01-30T22:30:00Z"), toFake: ["Date"] });
    const clock = new SandboxClock();
    clock.advanceByMonths(1);
    clock.advanceBy(2 * 3600);
    const bought = clock.now();
    clock.advanceByMonths(1);
    expect(clock.now()).toBeGreaterThanOrEqual(addIntervals(bought, 1, "month"));
  });

  it("is less than two days after each end of a period, with hours on top", () => {
    const anchor = Date.parse("2026-11-30T21:05:00Z") / 1000;
    for (const [at, time] of stepsFrom("2026-11-30T21:05:00Z", 2, 6).entries()) {
      const late = Date.parse(`${time}Z`) / 1000 - addIntervals(anchor, at + 1, "month");
      expect(late).toBeGreaterThan(0);
      expect(late).toBeLessThan(2 * 86_400);
    }
  });
});

describe("the test clock", () => {
  it("renews month by month", async () => {
    const subscription = await subscribe("pm_card_visa");
    const firstEnd = subscription.items.data[0]?.current_period_end ?? 0;
    const count = sandbox.control.events().length;
    await sandbox.control.advance({ months: 1 });
    const renewed = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ["latest_invoice"],
    });
    expect(renewed.status).toBe("active");
    expect(renewed.items.data[0]?.current_period_start).toBe(firstEnd);
    expect(renewed.latest_invoice).toMatchObject({
      billing_reason: "subscription_cycle",
      status: "paid",
      amount_paid: 5000,
    });
    expect(typesSince(count)).toEqual([
      "invoice.created",
      "customer.subscription.updated",
      "invoice.finalized",
      "payment_intent.created",
      "charge.succeeded",
      "payment_intent.succeeded",
      "invoice_payment.paid",
      "invoice.paid",
      "invoice.payment_succeeded",
    ]);
    await sandbox.control.advance({ months: 3 });
    expect(outcomes()).toEqual(Array.from({ length: 5 }, () => "succeeded"));
  });

  it("makes a failing card past due, tries again, and gives up", async () => {
    const subscription = await subscribe("pm_card_visa");
    await switchToFailingCard(subscription);
    await sandbox.control.advance({ months: 1 });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("past_due");
    expect(outcomes()).toEqual(["succeeded", "failed"]);
    await sandbox.control.advance({ days: 15 });
    expect(outcomes()).toEqual(["succeeded", "failed", "failed", "failed", "failed"]);
    expect(await stripe.subscriptions.retrieve(subscription.id)).toMatchObject({
      status: "canceled",
      cancellation_details: { reason: "payment_failed" },
    });
    await sandbox.control.advance({ months: 2 });
    expect(outcomes()).toHaveLength(5);
  });

  it("lets a past due member pay with another card", async () => {
    const subscription = await subscribe("pm_card_visa");
    await switchToFailingCard(subscription);
    await sandbox.control.advance({ months: 1 });
    const customer = expandableId(subscription.customer);
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
    const late = await stripe.subscriptions.retrieve(subscription.id);
    await stripe.invoices.pay(expandableId(late.latest_invoice), { payment_method: method.id });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
  });

  it("ends a subscription with cancel_at_period_end without a charge", async () => {
    const subscription = await subscribe("pm_card_visa");
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true });
    await sandbox.control.advance({ days: 20 });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
    await sandbox.control.advance({ days: 12 });
    const ended = await stripe.subscriptions.retrieve(subscription.id);
    expect(ended.status).toBe("canceled");
    expect(ended.ended_at).toBe(subscription.items.data[0]?.current_period_end);
    expect(outcomes()).toEqual(["succeeded"]);
    expect(sandbox.control.events().at(-1)?.type).toBe("customer.subscription.deleted");
  });

  it("expires a subscription without a first payment after 23 hours", async () => {
    const subscription = await subscribe("pm_card_authenticationRequired");
    await sandbox.control.advance({ hours: 22 });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("incomplete");
    await sandbox.control.advance({ hours: 2 });
    const expired = await stripe.subscriptions.retrieve(subscription.id, {
      expand: ["latest_invoice"],
    });
    expect(expired).toMatchObject({
      status: "incomplete_expired",
      latest_invoice: { status: "void" },
    });
  });

  it("starts charging after a trial", async () => {
    const subscription = await subscribe("pm_card_visa", { trial_period_days: 7 });
    expect(subscription.status).toBe("trialing");
    expect(outcomes()).toEqual([]);
    await sandbox.control.advance({ days: 8 });
    const started = await stripe.subscriptions.retrieve(subscription.id);
    expect(started.status).toBe("active");
    expect(started.items.data[0]?.current_period_start).toBe(subscription.trial_end);
    expect(outcomes()).toEqual(["succeeded"]);
  });

  it("renews without a challenge once the card was set up, unless it always requires authentication", async () => {
    for (const [token, after] of [
      ["pm_card_authenticationRequiredOnSetup", "active"],
      ["pm_card_threeDSecure2Required", "past_due"],
    ] as const) {
      const subscription = await subscribe(token);
      const intent = (await stripe.paymentIntents.list({ limit: 1 })).data[0]?.id ?? "";
      await sandbox.control.answerChallenge(intent, true);
      expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("active");
      await sandbox.control.advance({ months: 1 });
      expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe(after);
    }
    const renewal = (await stripe.paymentIntents.list({ limit: 1 })).data[0];
    expect(renewal).toMatchObject({
      status: "requires_payment_method",
      last_payment_error: { code: "authentication_required" },
    });
  });

  it("bills a pending proration with the next renewal", async () => {
    const subscription = await subscribe("pm_card_visa");
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? "", quantity: 2 }],
    });
    await sandbox.control.advance({ months: 1 });
    const amounts = sandbox.control.charges().map((charge) => charge.amount);
    expect(amounts[0]).toBe(5000);
    expect(Math.abs((amounts[1] ?? 0) - 15_000)).toBeLessThanOrEqual(1);
    await sandbox.control.advance({ months: 1 });
    expect(sandbox.control.charges().at(-1)?.amount).toBe(10_000);
  });

  it("signs renewals with the real time, so that receivers accept them", async () => {
    const receiver = await openReceiver();
    const other = await openFixture({ webhookUrl: receiver.url });
    await customerWith(client(other), "pm_card_visa");
    await other.control.advance({ months: 6 });
    await client(other).customers.create();
    await other.control.settled();
    const time = Number(/t=(\d+)/.exec(receiver.received.at(-1)?.signature ?? "")?.[1]);
    expect(Math.abs(time - Date.now() / 1000)).toBeLessThan(60);
    await other.stop();
    await receiver.close();
  });
});

describe("the next invoice", () => {
  const announced = () =>
    sandbox.control.events().filter(({ type }) => type === "invoice.upcoming");

  it("is announced once, a week before each renewal, and not for what ends or is paused", async () => {
    const { id } = await createBasicSubscription(stripe, "pm_card_visa");
    await sandbox.control.advance({ days: 20 });
    expect(announced()).toHaveLength(0);
    await sandbox.control.advance({ days: 4 });
    const [event] = announced();
    expect(event?.data.object).toMatchObject({ status: "draft", amount_due: 5000 });
    await sandbox.control.advance({ days: 1 });
    expect(announced()).toHaveLength(1);
    await sandbox.control.advance({ months: 1 });
    expect(announced()).toHaveLength(2);
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await sandbox.control.advance({ months: 2 });
    expect(announced()).toHaveLength(2);
  });
});
