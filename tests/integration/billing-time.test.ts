import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestProduct } from "../support/backend-setup.ts";
import { Counter, MENTOR, STUDENT, type Payer } from "../support/billing.ts";

// A product of its own: the provider's clock moves for everybody, and never back.
let counter: Counter;
let stop: () => Promise<void>;
beforeAll(async () => {
  const product = await startTestProduct();
  counter = new Counter(product.running, product.sandbox);
  stop = product.stop;
});
afterAll(async () => {
  await counter.close();
  await stop();
});

async function pass(step: Record<string, number>): Promise<void> {
  await counter.control("/clock", step);
  await counter.settle();
}

async function isMember({ id }: Payer): Promise<boolean> {
  const [row] = await counter.sql<{ live: boolean }>(
    "select private.has_live_membership($1) as live",
    [id],
  );
  return row?.live === true;
}

async function mentor(): Promise<Payer> {
  const ada = await counter.payer();
  await counter.pay(ada, MENTOR);
  return ada;
}

/** Puts another card behind the subscription, as the provider's own pages would. */
async function changeCard(ada: Payer, card: string): Promise<void> {
  const customer = await counter.customerId(ada);
  const method = await counter.stripe.paymentMethods.attach(card, { customer });
  const [subscription] = (await counter.stripe.subscriptions.list({ customer })).data;
  await counter.stripe.subscriptions.update(subscription?.id ?? "", {
    default_payment_method: method.id,
  });
}

const renewalOf = async (ada: Payer, name: "cancel" | "uncancel") =>
  await counter.call(ada.client, `stripe-${name}-subscription`, {
    subscription_id: (await counter.subscription(ada))?.["subscription_id"],
  });

describe("after a month", () => {
  it("a membership renews, for one more payment and one more period", async () => {
    const ada = await mentor();
    const before = await counter.subscription(ada);
    await pass({ months: 1, hours: 2 });
    const after = await counter.subscription(ada);
    expect(after).toMatchObject({
      status: "active",
      subscription_id: before?.["subscription_id"],
      current_period_start: before?.["current_period_end"],
    });
    expect((await counter.atProvider(ada)).paid).toEqual([10_000, 10_000]);
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("a card that fails makes it past due: member and mentor no more, until it is paid", async () => {
    const ada = await mentor();
    await changeCard(ada, "pm_card_chargeCustomerFail");
    await pass({ months: 1, hours: 2 });
    expect(await counter.status(ada)).toBe("past_due");
    expect(await isMember(ada)).toBe(false);
    expect(await counter.role(ada)).toBe("student");
    await changeCard(ada, "pm_card_visa");
    await pass({ days: 4 });
    expect(await counter.status(ada)).toBe("active");
    expect(await isMember(ada)).toBe(true);
    expect(await counter.role(ada)).toBe("mentor");
    expect((await counter.atProvider(ada)).paid).toHaveLength(2);
  });

  it("a late member who presses PAY has one membership, and the late bill is gone", async () => {
    const ada = await mentor();
    await changeCard(ada, "pm_card_chargeCustomerFail");
    await pass({ months: 1, hours: 2 });
    expect(await counter.status(ada)).toBe("past_due");
    expect(await counter.pay(ada, STUDENT)).toMatchObject({ status: 200 });
    await pass({ days: 20 });
    const held = await counter.atProvider(ada);
    expect(held).toMatchObject({ unfinished: [], paid: [5000, 10_000] });
    expect(held.live).toHaveLength(1);
    expect(await counter.subscription(ada)).toMatchObject({ status: "active", price_id: STUDENT });
    expect(await counter.role(ada)).toBe("student");
  });

  it("a membership that was cancelled ends, and the role with it", async () => {
    const ada = await mentor();
    await renewalOf(ada, "cancel");
    await pass({ days: 20 });
    expect(await isMember(ada)).toBe(true);
    expect(await counter.role(ada)).toBe("mentor");
    await pass({ days: 12 });
    expect(await counter.status(ada)).toBe("canceled");
    expect(await isMember(ada)).toBe(false);
    expect(await counter.role(ada)).toBe("student");
    expect((await counter.atProvider(ada)).paid).toEqual([10_000]);
    expect(await counter.pay(ada, MENTOR)).toMatchObject({ status: 200 });
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("a cancellation that was taken back lets it renew", async () => {
    const ada = await mentor();
    await renewalOf(ada, "cancel");
    await renewalOf(ada, "uncancel");
    await pass({ months: 1, hours: 2 });
    expect(await counter.status(ada)).toBe("active");
    expect((await counter.atProvider(ada)).paid).toHaveLength(2);
  });

  it("a question of the bank that nobody answered has lapsed", async () => {
    const ada = await counter.payer();
    await counter.pay(ada, STUDENT, "pm_card_authenticationRequired");
    await pass({ days: 1 });
    expect(await counter.status(ada)).toBe("incomplete_expired");
    expect(await counter.pay(ada, STUDENT)).toMatchObject({ status: 200 });
    expect((await counter.atProvider(ada)).paid).toEqual([5000]);
  });
});

describe("the regular round, when webhooks were lost", () => {
  async function deaf(deed: () => Promise<void>): Promise<void> {
    await counter.control("/webhooks/pause", {});
    await deed();
    // What waited is thrown away, as if it had been given up.
    const { queue } = await counter.control("/webhooks");
    for (const { eventId } of queue as { eventId: string }[]) {
      await counter.sql(
        "insert into private.billing_events (event_id, event_type) values ($1, 'lost') on conflict do nothing",
        [eventId],
      );
    }
    await counter.control("/webhooks/resume", {});
    await counter.settle();
  }

  it("finds a payment the bank asked for", async () => {
    const ada = await counter.payer();
    const answer = await counter.pay(ada, MENTOR, "pm_card_authenticationRequired");
    await deaf(async () => await counter.challenge(answer.body["client_secret"], "complete"));
    expect(await counter.status(ada)).toBe("incomplete");
    expect(await counter.reconcile({})).toMatchObject({ failed: 0 });
    expect(await counter.status(ada)).toBe("active");
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("leaves a question of the bank open for as long as it is fresh", async () => {
    const ada = await counter.payer();
    const answer = await counter.pay(ada, MENTOR, "pm_card_authenticationRequired");
    await counter.reconcile();
    await counter.challenge(answer.body["client_secret"], "complete");
    await counter.settle();
    expect(await counter.status(ada)).toBe("active");
    const bob = await counter.payer();
    await counter.pay(bob, MENTOR, "pm_card_authenticationRequired");
    await counter.sql(
      "update private.billing_attempts set updated_at = now() - interval '61 minutes' where user_id = $1",
      [bob.id],
    );
    expect(await counter.reconcile()).toMatchObject({ given_up: 1, failed: 0 });
    expect(await counter.status(bob)).toBe("incomplete_expired");
  });

  it("finds an end, a failed renewal and a renewal", async () => {
    const [ended, late, fine] = [await mentor(), await mentor(), await mentor()];
    await renewalOf(ended, "cancel");
    await changeCard(late, "pm_card_chargeCustomerFail");
    const before = await counter.subscription(fine);
    await deaf(async () => {
      await counter.control("/clock", { months: 1, hours: 2 });
    });
    expect(await counter.status(ended)).toBe("active");
    expect(await counter.reconcile()).toMatchObject({ failed: 0 });
    expect(await counter.status(ended)).toBe("canceled");
    expect(await counter.status(late)).toBe("past_due");
    expect([await counter.role(ended), await counter.role(late)]).toEqual(["student", "student"]);
    expect(await counter.subscription(fine)).toMatchObject({
      status: "active",
      current_period_start: before?.["current_period_end"],
    });
  });

  it("finds a customer that was deleted", async () => {
    const ada = await mentor();
    await deaf(async () => {
      await counter.stripe.customers.del(await counter.customerId(ada));
    });
    await counter.reconcile();
    expect(await counter.customerId(ada)).toBe("");
    expect(await counter.role(ada)).toBe("student");
  });

  /** Two purchases of one plan, as presses of PAY leave them when a function lost sight of the first. */
  async function soldTwice(): Promise<{ ada: Payer; first: string; extra: string }> {
    const ada = await mentor();
    const customer = await counter.customerId(ada);
    const [first = ""] = (await counter.atProvider(ada)).live;
    const method = await counter.stripe.paymentMethods.attach("pm_card_visa", { customer });
    // A second later at least, so that it is clear which one was first.
    await pass({ seconds: 1 });
    const extra = await counter.stripe.subscriptions.create({
      customer,
      items: [{ price: MENTOR }],
      default_payment_method: method.id,
    });
    await counter.sql(
      `insert into private.billing_attempts (user_id, price_id, subscription_id, state)
         values ($1, $2, $3, 'paid')`,
      [ada.id, MENTOR, extra.id],
    );
    return { ada, first, extra: extra.id };
  }

  it("ends a second purchase of the same plan and gives its payment back, on the record", async () => {
    const { ada, first, extra } = await soldTwice();
    expect(await counter.reconcile()).toMatchObject({ duplicates: 1, flagged: 0, failed: 0 });
    expect(await counter.atProvider(ada)).toMatchObject({ live: [first], paid: [10_000] });
    expect(await counter.subscription(ada)).toMatchObject({ subscription_id: first });
    const record = await counter.sql(
      "select action, detail ->> 'subscription_id' as subscription from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(record).toEqual([{ action: "billing.duplicate_ended", subscription: extra }]);
    expect(await counter.reconcile()).toMatchObject({ duplicates: 0 });
  });

  it.each([
    ["the refund", "POST", () => "/v1/refunds"],
    ["the end of the subscription", "DELETE", (extra: string) => `/v1/subscriptions/${extra}`],
  ] as const)(
    "gives a second payment back, and once, although %s fails at first",
    async (_, method, path) => {
      const { ada, first, extra } = await soldTwice();
      await deaf(async () => {
        const how = { when: "before", action: "error", status: 500, times: 20 };
        await counter.control("/faults", { method, path: path(extra), ...how });
        try {
          expect(await counter.reconcile()).toMatchObject({ duplicates: 0, failed: 1 });
        } finally {
          await fetch(`${counter.sandbox.controlBase}/faults`, {
            method: "DELETE",
            headers: { authorization: `Bearer ${counter.sandbox.secretKey}` },
          });
        }
        expect(await counter.reconcile()).toMatchObject({ failed: 0 });
      });
      expect(await counter.atProvider(ada)).toMatchObject({ live: [first], paid: [10_000] });
      expect(await counter.subscription(ada)).toMatchObject({ subscription_id: first });
      expect(await counter.reconcile()).toMatchObject({ duplicates: 0, failed: 0 });
    },
  );

  it("deletes the customer of a deleted account, which stops the payments", async () => {
    const ada = await mentor();
    const customer = await counter.customerId(ada);
    await counter.sql("delete from auth.users where id = $1", [ada.id]);
    expect(await counter.reconcile()).toMatchObject({ departed: 1, failed: 0 });
    expect(await counter.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
    await counter.settle();
    expect(await counter.reconcile()).toMatchObject({ departed: 0, failed: 0 });
  });
});
