import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mentorPlan, studentPlan, type Payer, type BillingFixture } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because the provider's clock moves for all customers and never back.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => await billing.endMemberships());

async function advanceClock(step: Record<string, number>): Promise<void> {
  await billing.control("/clock", step);
  await billing.deliverWebhooks();
}

async function mentor(): Promise<Payer> {
  const ada = await billing.payer();
  await billing.pay(ada, mentorPlan);
  return ada;
}

/** Replaces the card of the subscription, as the provider's own pages do. */
async function changeCard(ada: Payer, card: string): Promise<void> {
  const customer = await billing.customerId(ada);
  const method = await billing.stripe.paymentMethods.attach(card, { customer });
  const [subscription] = (await billing.stripe.subscriptions.list({ customer })).data;
  await billing.stripe.subscriptions.update(subscription?.id ?? "", {
    default_payment_method: method.id,
  });
}

const renewalOf = async (ada: Payer, name: "cancel" | "uncancel") =>
  await billing.call(ada.client, `stripe-${name}-subscription`, {
    subscription_id: (await billing.subscription(ada))?.["subscription_id"],
  });

describe("after a month", () => {
  it("a lost dispute about the first payment keeps what is paid, ends the renewal once, and flags", async () => {
    const ada = await mentor();
    const customer = await billing.customerId(ada);
    const [first] = (await billing.stripe.charges.list({ customer })).data;
    await advanceClock({ months: 1, hours: 2 });
    const { id } = await billing.control("/disputes", { charge: first?.id });
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("paused");
    await billing.control("/disputes/close", { dispute: id, outcome: "lost" });
    await billing.deliverWebhooks();
    const stands = { status: "active", hold: null, cancel_at_period_end: true };
    expect(await billing.subscription(ada)).toMatchObject(stands);
    expect(await billing.role(ada)).toBe("mentor");
    const rows = "select reason from private.account_flags where user_id = $1";
    expect(await billing.sql(rows, [ada.id])).toEqual([{ reason: "dispute_lost" }]);
    const log =
      "select action from private.audit_log where subject = $1 and action like 'billing.%' order by id";
    expect(await billing.sql(log, [ada.id])).toEqual([
      { action: "billing.flagged" },
      { action: "billing.renewal_ended" },
    ]);
    // Who renews on purpose renews.
    expect((await renewalOf(ada, "uncancel")).status).toBe(200);
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await billing.subscription(ada)).toMatchObject({
      ...stands,
      cancel_at_period_end: false,
    });
  });

  it("a membership renews, for one more payment and one more period", async () => {
    const ada = await mentor();
    const before = await billing.subscription(ada);
    await advanceClock({ months: 1, hours: 2 });
    const after = await billing.subscription(ada);
    expect(after).toMatchObject({
      status: "active",
      subscription_id: before?.["subscription_id"],
      current_period_start: before?.["current_period_end"],
    });
    expect((await billing.atProvider(ada)).paid).toEqual([10_000, 10_000]);
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("a card that fails makes it past due: member and mentor no more, until it is paid", async () => {
    const ada = await mentor();
    await changeCard(ada, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.status(ada)).toBe("past_due");
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
    await changeCard(ada, "pm_card_visa");
    // Past the next try, also where a month after the 31st is three days longer.
    await advanceClock({ days: 6 });
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
    expect((await billing.atProvider(ada)).paid).toHaveLength(2);
  });

  it("a late member who presses PAY has one membership, and the late bill is gone", async () => {
    const ada = await mentor();
    await changeCard(ada, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.status(ada)).toBe("past_due");
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    await advanceClock({ days: 20 });
    const held = await billing.atProvider(ada);
    expect(held).toMatchObject({ unfinished: [], paid: [5000, 10_000] });
    expect(held.live).toHaveLength(1);
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
    });
    expect(await billing.role(ada)).toBe("student");
  });

  it("a membership that was cancelled ends, and the role with it", async () => {
    const ada = await mentor();
    await renewalOf(ada, "cancel");
    await advanceClock({ days: 20 });
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
    await advanceClock({ days: 12 });
    expect(await billing.status(ada)).toBe("canceled");
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
    expect((await billing.atProvider(ada)).paid).toEqual([10_000]);
    expect(await billing.pay(ada, mentorPlan)).toMatchObject({ status: 200 });
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("a cancellation that was taken back lets it renew", async () => {
    const ada = await mentor();
    await renewalOf(ada, "cancel");
    await renewalOf(ada, "uncancel");
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.status(ada)).toBe("active");
    expect((await billing.atProvider(ada)).paid).toHaveLength(2);
  });

  it("an authentication that was never completed has expired", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan, "pm_card_authenticationRequired");
    await advanceClock({ days: 1 });
    expect(await billing.status(ada)).toBe("incomplete_expired");
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });
});

describe("the reconciliation, when webhooks were lost", () => {
  async function deaf(action: () => Promise<void>): Promise<void> {
    // What is on its way could tell what comes.
    await billing.deliverWebhooks();
    await billing.control("/webhooks/pause", {});
    await action();
    // What waited is thrown away, as if it had been given up.
    const { queue } = await billing.control("/webhooks");
    for (const { eventId } of queue as { eventId: string }[]) {
      await billing.sql(
        "insert into private.billing_events (event_id, event_type) values ($1, 'lost') on conflict do nothing",
        [eventId],
      );
    }
    await billing.control("/webhooks/resume", {});
    await billing.deliverWebhooks();
  }

  it("finds a payment the bank asked for", async () => {
    const ada = await billing.payer();
    const answer = await billing.pay(ada, mentorPlan, "pm_card_authenticationRequired");
    await deaf(async () => await billing.challenge(answer.body["client_secret"], "complete"));
    expect(await billing.status(ada)).toBe("incomplete");
    expect(await billing.reconcile({})).toMatchObject({ failed: 0 });
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("leaves a question of the bank open for as long as it is fresh", async () => {
    const ada = await billing.payer();
    const answer = await billing.pay(ada, mentorPlan, "pm_card_authenticationRequired");
    await billing.reconcile();
    await billing.challenge(answer.body["client_secret"], "complete");
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("active");
    const bob = await billing.payer();
    await billing.pay(bob, mentorPlan, "pm_card_authenticationRequired");
    await billing.sql(
      "update private.billing_attempts set updated_at = now() - interval '61 minutes' where user_id = $1",
      [bob.id],
    );
    expect(await billing.reconcile()).toMatchObject({ given_up: 1, failed: 0 });
    expect(await billing.status(bob)).toBe("incomplete_expired");
  });

  it("finds an end, a failed renewal and a renewal", async () => {
    const [ended, late, fine] = [await mentor(), await mentor(), await mentor()];
    await renewalOf(ended, "cancel");
    await changeCard(late, "pm_card_chargeCustomerFail");
    const before = await billing.subscription(fine);
    await deaf(async () => {
      await billing.control("/clock", { months: 1, hours: 2 });
    });
    expect(await billing.status(ended)).toBe("active");
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await billing.status(ended)).toBe("canceled");
    expect(await billing.status(late)).toBe("past_due");
    expect([await billing.role(ended), await billing.role(late)]).toEqual(["student", "student"]);
    expect(await billing.subscription(fine)).toMatchObject({
      status: "active",
      current_period_start: before?.["current_period_end"],
    });
  });

  it("finds a customer that was deleted", async () => {
    const ada = await mentor();
    await deaf(async () => {
      await billing.stripe.customers.del(await billing.customerId(ada));
    });
    await billing.reconcile();
    expect(await billing.customerId(ada)).toBe("");
    expect(await billing.role(ada)).toBe("student");
  });

  /** Two purchases of one plan, as presses of PAY leave them when a function lost sight of the first. */
  async function soldTwice(): Promise<{ ada: Payer; first: string; extra: string }> {
    const ada = await mentor();
    const customer = await billing.customerId(ada);
    const [first = ""] = (await billing.atProvider(ada)).live;
    const method = await billing.stripe.paymentMethods.attach("pm_card_visa", { customer });
    // A second later at least, so that it is clear which one was first.
    await advanceClock({ seconds: 1 });
    const extra = await billing.stripe.subscriptions.create({
      customer,
      items: [{ price: mentorPlan }],
      default_payment_method: method.id,
    });
    await billing.sql(
      `insert into private.billing_attempts (user_id, price_id, subscription_id, state)
         values ($1, $2, $3, 'paid')`,
      [ada.id, mentorPlan, extra.id],
    );
    return { ada, first, extra: extra.id };
  }

  it("ends a second purchase of the same plan and gives its payment back, on the record", async () => {
    const { ada, first, extra } = await soldTwice();
    expect(await billing.reconcile()).toMatchObject({ duplicates: 1, flagged: 0, failed: 0 });
    expect(await billing.atProvider(ada)).toMatchObject({ live: [first], paid: [10_000] });
    expect(await billing.subscription(ada)).toMatchObject({ subscription_id: first });
    const record = await billing.sql(
      "select action, detail ->> 'subscription_id' as subscription from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(record).toEqual([{ action: "billing.duplicate_ended", subscription: extra }]);
    expect(await billing.reconcile()).toMatchObject({ duplicates: 0 });
  });

  it.each([
    ["the refund", "POST", () => "/v1/refunds"],
    ["the end of the subscription", "DELETE", (extra: string) => `/v1/subscriptions/${extra}`],
  ] as const)(
    "gives a second payment back, and once, although %s fails at first",
    async (_, method, path) => {
      const { ada, first, extra } = await soldTwice();
      await deaf(async () => {
        const how = { when: "before", action: "error", shouldRetry: false, times: 20 };
        await billing.control("/faults", { method, path: path(extra), ...how });
        try {
          expect(await billing.reconcile()).toMatchObject({ duplicates: 0, failed: 1 });
        } finally {
          await fetch(`${billing.sandbox.controlBase}/faults`, {
            method: "DELETE",
            headers: { authorization: `Bearer ${billing.sandbox.secretKey}` },
          });
        }
        expect(await billing.reconcile()).toMatchObject({ failed: 0 });
      });
      expect(await billing.atProvider(ada)).toMatchObject({ live: [first], paid: [10_000] });
      expect(await billing.subscription(ada)).toMatchObject({ subscription_id: first });
      expect(await billing.reconcile()).toMatchObject({ duplicates: 0, failed: 0 });
    },
  );

  it("deletes the customer of a deleted account, which stops the payments", async () => {
    const ada = await mentor();
    const customer = await billing.customerId(ada);
    await billing.sql("delete from auth.users where id = $1", [ada.id]);
    expect(await billing.reconcile()).toMatchObject({ departed: 1, failed: 0 });
    expect(await billing.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
    await billing.deliverWebhooks();
    expect(await billing.reconcile()).toMatchObject({ departed: 0, failed: 0 });
  });
});
