import type { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  billingEvent,
  mentorPlan,
  studentPlan,
  type Payer,
  type BillingFixture,
} from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests pause webhooks and move the clock.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
});

interface PayingMember {
  ada: Payer;
  subscription: string;
  /** The payment of the current period. */
  charge: string;
}

async function chargesOf(ada: Payer): Promise<Stripe.Charge[]> {
  const customer = await billing.customerId(ada);
  return (await billing.stripe.charges.list({ customer, limit: 100 })).data;
}

async function payingMember(): Promise<PayingMember> {
  const { ada, subscription } = await billing.member();
  const [charge] = await chargesOf(ada);
  return { ada, subscription, charge: charge?.id ?? "" };
}

/** The state of a membership in the database, and how many subscriptions the provider runs. */
async function membershipOf(ada: Payer) {
  const row = await billing.subscription(ada);
  const { live } = await billing.atProvider(ada);
  return {
    status: row?.["status"],
    hold: row?.["hold"],
    role: await billing.role(ada),
    member: await billing.isMember(ada),
    runs: live.length,
  };
}

const member = { status: "active", hold: null, role: "mentor", member: true, runs: 1 };
const onHold = { status: "paused", hold: "disputed", role: "student", member: false, runs: 1 };
const lost = { status: "canceled", hold: "dispute_lost", role: "student", member: false, runs: 0 };
const refunded = { status: "canceled", hold: "refunded", role: "student", member: false, runs: 0 };

async function openDispute(charge: string, isInquiry = false): Promise<string> {
  const dispute = await billing.control("/disputes", { charge, isInquiry });
  return String(dispute["id"]);
}

const closeDispute = async (dispute: string, outcome: "won" | "lost") =>
  await billing.control("/disputes/close", { dispute, outcome });

/** The records of a payment, oldest first. */
async function paymentRecords(charge: string) {
  const rows = await billing.sql<{ kind: string; status: string; amount: string }>(
    "select kind, status, amount from private.payment_records where charge_id = $1 order by id",
    [charge],
  );
  return rows.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`);
}

describe("a refund", () => {
  it("of the whole payment ends the membership at once, at the provider and in the database", async () => {
    const { ada, charge, subscription } = await payingMember();
    expect(await membershipOf(ada)).toEqual(member);
    await billing.stripe.refunds.create({ charge });
    const deliveries = await billing.deliverWebhooks();
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await membershipOf(ada)).toEqual(refunded);
    expect(await paymentRecords(charge)).toEqual([
      "payment succeeded 10000",
      "refund succeeded 10000",
    ]);
    const audit = await billing.sql(
      "select action, detail ->> 'subscription_id' as subscription from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(audit).toEqual([{ action: "billing.ended", subscription }]);
    await billing.pay(ada, studentPlan);
    expect(await membershipOf(ada)).toMatchObject({ status: "active", hold: null, member: true });
  });

  it("of a part keeps the membership until the whole payment is refunded", async () => {
    const { ada, charge } = await payingMember();
    await billing.stripe.refunds.create({ charge, amount: 4000 });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
    await billing.stripe.refunds.create({ charge, amount: 6000 });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(refunded);
    expect(await paymentRecords(charge)).toEqual([
      "payment succeeded 10000",
      "refund succeeded 4000",
      "refund succeeded 6000",
    ]);
  });

  it("of a period that is over changes nothing", async () => {
    const { ada, charge } = await payingMember();
    await billing.control("/clock", { months: 1, hours: 2 });
    await billing.deliverWebhooks();
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
  });

  it("whose webhooks were lost is found by the reconciliation", async () => {
    const { ada, charge } = await payingMember();
    await billing.control("/webhooks/pause", {});
    await billing.stripe.refunds.create({ charge });
    expect(await membershipOf(ada)).toEqual(member);
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await membershipOf(ada)).toEqual(refunded);
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  });

  it("whose cancellation failed is completed by the reconciliation", async () => {
    const { ada, charge, subscription } = await payingMember();
    await billing.control("/faults", {
      method: "DELETE",
      path: `/v1/subscriptions/${subscription}`,
      when: "before",
      action: "error",
      shouldRetry: false,
      times: 20,
    });
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    // The access ends although the provider could not be reached.
    expect(await membershipOf(ada)).toEqual({ ...refunded, runs: 1 });
    await billing.clearFailures();
    await billing.control("/webhooks/pause", {});
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await membershipOf(ada)).toEqual(refunded);
  });
});

describe("a refund of an upgrade", () => {
  /** A student who paid the difference to the mentor plan. */
  async function upgradedMember(): Promise<PayingMember & { first: string }> {
    const { ada, subscription } = await billing.member(studentPlan);
    const [first] = await chargesOf(ada);
    await upgrade(ada);
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
    const [latest] = await chargesOf(ada);
    return { ada, subscription, charge: latest?.id ?? "", first: first?.id ?? "" };
  }

  async function upgrade(ada: Payer): Promise<void> {
    const asked = { price_id: mentorPlan };
    const { body } = await billing.call(ada.client, "stripe-preview-plan-change", asked);
    const { quote_id } = body;
    const answer = await billing.call(ada.client, "stripe-change-plan", { quote_id });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
  }

  const priceAtProvider = async (subscription: string) =>
    (await billing.stripe.subscriptions.retrieve(subscription)).items.data[0]?.price.id;
  const back = { status: "active", hold: null, role: "student", member: true, runs: 1 };

  it("in full puts the member back to the plan before, also at the next renewal", async () => {
    const { ada, subscription, charge } = await upgradedMember();
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(back);
    expect(await priceAtProvider(subscription)).toBe(studentPlan);
    expect((await billing.subscription(ada))?.["price_id"]).toBe(studentPlan);
    const audit = await billing.sql("select action from private.audit_log where subject = $1", [
      ada.id,
    ]);
    expect(audit).toEqual([{ action: "billing.upgrade_ended" }]);
    const told = await billing.sql<{ template: string }>(
      "select template from private.email_outbox where user_id = $1 and data ->> 'from' = 'Mentor Access'",
      [ada.id],
    );
    expect(told).toEqual([{ template: "plan_changed" }]);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect((await chargesOf(ada))[0]?.amount).toBe(5000);
    expect(await membershipOf(ada)).toEqual(back);
  });

  it("in part changes nothing, and an upgrade that is paid again counts", async () => {
    const { ada, charge } = await upgradedMember();
    await billing.stripe.refunds.create({ charge, amount: 100 });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(back);
    await billing.advanceClock({ days: 1 });
    await upgrade(ada);
    // At once, although its webhooks are still to come.
    expect(await billing.role(ada)).toBe("mentor");
    await billing.deliverWebhooks();
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await membershipOf(ada)).toEqual(member);
  });

  it("takes the role at once, and is completed by the reconciliation", async () => {
    const { ada, subscription, charge } = await upgradedMember();
    await billing.control("/faults", {
      method: "POST",
      path: `/v1/subscriptions/${subscription}`,
      when: "before",
      action: "error",
      shouldRetry: false,
      times: 20,
    });
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(back);
    expect(await priceAtProvider(subscription)).toBe(mentorPlan);
    await billing.clearFailures();
    await billing.control("/webhooks/pause", {});
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await priceAtProvider(subscription)).toBe(studentPlan);
  });

  it("is not one of the period's payment, which ends the membership", async () => {
    const { ada, first } = await upgradedMember();
    await billing.stripe.refunds.create({ charge: first });
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(refunded);
  });
});

describe("a dispute", () => {
  it("suspends the membership until it is won", async () => {
    const { ada, charge } = await payingMember();
    const dispute = await openDispute(charge);
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(onHold);
    // Administrators read until when the bank takes evidence.
    const deadline =
      "select round(extract(day from respond_by - happened_at))::int as days from private.payment_records where provider_id = $1";
    expect(await billing.sql(deadline, [dispute])).toEqual([{ days: 7 }]);
    expect(await billing.pay(ada, mentorPlan)).toMatchObject({
      status: 409,
      body: { code: "membership_on_hold" },
    });
    await closeDispute(dispute, "won");
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
    expect(await paymentRecords(charge)).toEqual([
      "payment succeeded 10000",
      "dispute needs_response 10000",
      "dispute won 10000",
    ]);
  });

  it("that is lost ends the membership, at the provider and in the database", async () => {
    const { ada, charge } = await payingMember();
    await closeDispute(await openDispute(charge), "lost");
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(lost);
  });

  it("is opened by the test card for disputes", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, mentorPlan, "pm_card_createDispute");
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(onHold);
  });

  it("that is only an inquiry takes no money and no access", async () => {
    const { ada, charge } = await payingMember();
    const inquiry = await openDispute(charge, true);
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
    await closeDispute(inquiry, "won");
    await billing.deliverWebhooks();
    expect(await membershipOf(ada)).toEqual(member);
  });

  it("of one account changes nothing for another", async () => {
    const [mine, other] = [await payingMember(), await payingMember()];
    await openDispute(mine.charge);
    await billing.deliverWebhooks();
    expect(await membershipOf(other.ada)).toEqual(member);
  });

  it.each(["won", "lost"] as const)(
    "that was %s has the same result with webhooks in any order, twice, and without webhooks",
    async (outcome) => {
      const expected = outcome === "won" ? member : lost;
      const [reversed, undelivered] = [await payingMember(), await payingMember()];
      await billing.control("/webhooks/pause", {});
      await closeDispute(await openDispute(reversed.charge), outcome);
      await billing.control("/webhooks/reorder", { order: "reverse" });
      await billing.control("/webhooks/resume", {});
      await billing.deliverWebhooks();
      expect(await membershipOf(reversed.ada)).toEqual(expected);
      const { data } = await billing.control("/events");
      const events = (data as { id: string; type: string; data: { object: { charge?: string } } }[])
        .filter(({ type }) => type.startsWith("charge.dispute"))
        .filter(({ data: { object } }) => object.charge === reversed.charge);
      expect(events.length).toBeGreaterThan(1);
      for (const { id } of events) await billing.control("/webhooks/replay", { event: id });
      await billing.deliverWebhooks();
      expect(await membershipOf(reversed.ada)).toEqual(expected);

      await billing.control("/webhooks/pause", {});
      const dispute = await openDispute(undelivered.charge);
      await billing.reconcile();
      expect(await membershipOf(undelivered.ada)).toEqual(onHold);
      await closeDispute(dispute, outcome);
      await billing.reconcile();
      expect(await membershipOf(undelivered.ada)).toEqual(expected);
    },
  );

  it("that only an event claims to be lost changes nothing", async () => {
    const { ada, charge } = await payingMember();
    const dispute = { id: "du_1", object: "dispute", charge, status: "lost" };
    const event = billingEvent("charge.dispute.closed", dispute);
    expect(await billing.postEvent(event)).toMatchObject({ status: 200 });
    expect(await membershipOf(ada)).toEqual(member);
    const { customer } = await billing.sellToUnknownCustomer("pm_card_createDispute");
    for (const { id } of (await billing.stripe.charges.list({ customer })).data) {
      expect(await paymentRecords(id)).toEqual([]);
    }
  });
});
