import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTestProduct } from "../support/backend-setup.ts";
import { Counter, MENTOR, STUDENT, type Payer } from "../support/billing.ts";

// A product of its own: paused webhooks and a moved clock must not confuse other tests.
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
afterEach(async () => {
  await counter.control("/webhooks/resume", {});
  await counter.settle();
});

interface Paid {
  ada: Payer;
  subscription: string;
  /** The payment of the current period. */
  charge: string;
}

async function chargesOf(ada: Payer): Promise<Stripe.Charge[]> {
  const customer = await counter.customerId(ada);
  return (await counter.stripe.charges.list({ customer, limit: 100 })).data;
}

async function paid(price = MENTOR): Promise<Paid> {
  const ada = await counter.payer();
  await counter.pay(ada, price);
  await counter.settle();
  const [charge] = await chargesOf(ada);
  const row = await counter.subscription(ada);
  return { ada, subscription: String(row?.["subscription_id"]), charge: charge?.id ?? "" };
}

/** What the member has, and what the provider runs. */
async function standing(ada: Payer) {
  const row = await counter.subscription(ada);
  const [live] = await counter.sql<{ live: boolean }>(
    "select private.has_live_membership($1) as live",
    [ada.id],
  );
  const { live: atProvider } = await counter.atProvider(ada);
  return {
    status: row?.["status"],
    hold: row?.["hold"],
    role: await counter.role(ada),
    member: live?.live,
    runs: atProvider.length,
  };
}

const MEMBER = { status: "active", hold: null, role: "mentor", member: true, runs: 1 };
const ON_HOLD = { status: "paused", hold: "disputed", role: "student", member: false, runs: 1 };
const LOST = { status: "canceled", hold: "dispute_lost", role: "student", member: false, runs: 0 };
const REFUNDED = { status: "canceled", hold: "refunded", role: "student", member: false, runs: 0 };

async function open(charge: string, isInquiry = false): Promise<string> {
  const dispute = await counter.control("/disputes", { charge, isInquiry });
  return String(dispute["id"]);
}

const decide = async (dispute: string, outcome: "won" | "lost") =>
  await counter.control("/disputes/close", { dispute, outcome });

/** What the books say of a payment, in the order in which it was written. */
async function books(charge: string) {
  const rows = await counter.sql<{ kind: string; status: string; amount: string }>(
    "select kind, status, amount from private.payment_records where charge_id = $1 order by id",
    [charge],
  );
  return rows.map(({ kind, status, amount }) => `${kind} ${status} ${amount}`);
}

describe("a refund", () => {
  it("of the whole payment ends the membership at once, there and here", async () => {
    const { ada, charge, subscription } = await paid();
    expect(await standing(ada)).toEqual(MEMBER);
    await counter.stripe.refunds.create({ charge });
    const deliveries = await counter.settle();
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await standing(ada)).toEqual(REFUNDED);
    expect(await books(charge)).toEqual(["payment succeeded 10000", "refund succeeded 10000"]);
    const audit = await counter.sql(
      "select action, detail ->> 'subscription_id' as subscription from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(audit).toEqual([{ action: "billing.ended", subscription }]);
    await counter.pay(ada, STUDENT);
    expect(await standing(ada)).toMatchObject({ status: "active", hold: null, member: true });
  });

  it("of a part keeps it, until the parts are the whole", async () => {
    const { ada, charge } = await paid();
    await counter.stripe.refunds.create({ charge, amount: 4000 });
    await counter.settle();
    expect(await standing(ada)).toEqual(MEMBER);
    await counter.stripe.refunds.create({ charge, amount: 6000 });
    await counter.settle();
    expect(await standing(ada)).toEqual(REFUNDED);
    expect(await books(charge)).toEqual([
      "payment succeeded 10000",
      "refund succeeded 4000",
      "refund succeeded 6000",
    ]);
  });

  it("of a period that is over changes nothing", async () => {
    const { ada, charge } = await paid();
    await counter.control("/clock", { months: 1, hours: 2 });
    await counter.settle();
    await counter.stripe.refunds.create({ charge });
    await counter.settle();
    expect(await standing(ada)).toEqual(MEMBER);
  });

  it("whose news were lost is found by the regular round", async () => {
    const { ada, charge } = await paid();
    await counter.control("/webhooks/pause", {});
    await counter.stripe.refunds.create({ charge });
    expect(await standing(ada)).toEqual(MEMBER);
    expect(await counter.reconcile()).toMatchObject({ failed: 0 });
    expect(await standing(ada)).toEqual(REFUNDED);
    expect(await counter.reconcile()).toMatchObject({ failed: 0 });
  });

  it("that was read but not followed is followed by the regular round", async () => {
    const { ada, charge, subscription } = await paid();
    await counter.control("/faults", {
      method: "DELETE",
      path: `/v1/subscriptions/${subscription}`,
      when: "before",
      action: "error",
      status: 500,
      times: 20,
    });
    await counter.stripe.refunds.create({ charge });
    await counter.settle();
    // The access ends although the provider could not be told.
    expect(await standing(ada)).toEqual({ ...REFUNDED, runs: 1 });
    await fetch(`${counter.sandbox.controlBase}/faults`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${counter.sandbox.secretKey}` },
    });
    await counter.control("/webhooks/pause", {});
    expect(await counter.reconcile()).toMatchObject({ failed: 0 });
    expect(await standing(ada)).toEqual(REFUNDED);
  });
});

describe("a dispute", () => {
  it("suspends the membership until it is won", async () => {
    const { ada, charge } = await paid();
    const dispute = await open(charge);
    await counter.settle();
    expect(await standing(ada)).toEqual(ON_HOLD);
    expect(await counter.pay(ada, MENTOR)).toMatchObject({
      status: 409,
      body: { code: "membership_on_hold" },
    });
    await decide(dispute, "won");
    await counter.settle();
    expect(await standing(ada)).toEqual(MEMBER);
    expect(await books(charge)).toEqual([
      "payment succeeded 10000",
      "dispute needs_response 10000",
      "dispute won 10000",
    ]);
  });

  it("that is lost ends the membership, there and here", async () => {
    const { ada, charge } = await paid();
    await decide(await open(charge), "lost");
    await counter.settle();
    expect(await standing(ada)).toEqual(LOST);
  });

  it("comes with the card for it", async () => {
    const ada = await counter.payer();
    await counter.pay(ada, MENTOR, "pm_card_createDispute");
    await counter.settle();
    expect(await standing(ada)).toEqual(ON_HOLD);
  });

  it("that only asks takes no money and no access", async () => {
    const { ada, charge } = await paid();
    const inquiry = await open(charge, true);
    await counter.settle();
    expect(await standing(ada)).toEqual(MEMBER);
    await decide(inquiry, "won");
    await counter.settle();
    expect(await standing(ada)).toEqual(MEMBER);
  });

  it("of one account changes nothing for another", async () => {
    const [mine, other] = [await paid(), await paid()];
    await open(mine.charge);
    await counter.settle();
    expect(await standing(other.ada)).toEqual(MEMBER);
  });

  it.each(["won", "lost"] as const)(
    "that was %s ends the same in any order, twice, and without news",
    async (outcome) => {
      const expected = outcome === "won" ? MEMBER : LOST;
      const [reversed, unheard] = [await paid(), await paid()];
      await counter.control("/webhooks/pause", {});
      await decide(await open(reversed.charge), outcome);
      await counter.control("/webhooks/reorder", { order: "reverse" });
      await counter.control("/webhooks/resume", {});
      await counter.settle();
      expect(await standing(reversed.ada)).toEqual(expected);
      const { data } = await counter.control("/events");
      const news = (data as { id: string; type: string; data: { object: { charge?: string } } }[])
        .filter(({ type }) => type.startsWith("charge.dispute"))
        .filter(({ data: { object } }) => object.charge === reversed.charge);
      expect(news.length).toBeGreaterThan(1);
      for (const { id } of news) await counter.control("/webhooks/replay", { event: id });
      await counter.settle();
      expect(await standing(reversed.ada)).toEqual(expected);

      await counter.control("/webhooks/pause", {});
      const dispute = await open(unheard.charge);
      await counter.reconcile();
      expect(await standing(unheard.ada)).toEqual(ON_HOLD);
      await decide(dispute, outcome);
      await counter.reconcile();
      expect(await standing(unheard.ada)).toEqual(expected);
    },
  );

  it("somebody only claims to have lost changes nothing", async () => {
    const { ada, charge } = await paid();
    const object = { id: "du_1", object: "dispute", charge, status: "lost" };
    const event = {
      id: `evt_${randomUUID()}`,
      object: "event",
      type: "charge.dispute.closed",
      data: { object },
    };
    expect(await counter.postEvent(event)).toMatchObject({ status: 200 });
    expect(await standing(ada)).toEqual(MEMBER);
    const stranger = await counter.stripe.customers.create({});
    const method = await counter.stripe.paymentMethods.attach("pm_card_createDispute", {
      customer: stranger.id,
    });
    await counter.stripe.subscriptions.create({
      customer: stranger.id,
      items: [{ price: MENTOR }],
      default_payment_method: method.id,
    });
    await counter.settle();
    for (const { id } of (await counter.stripe.charges.list({ customer: stranger.id })).data) {
      expect(await books(id)).toEqual([]);
    }
  });
});
