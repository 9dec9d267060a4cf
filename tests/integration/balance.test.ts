import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { billingEvent, mentorPlan, studentPlan, type BillingFixture } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because the provider's clock moves and the balance is that of everybody.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.control("/webhooks/resume", {});
  await billing.endMemberships();
});

interface Month {
  [name: string]: number | string;
}

/** The months as an administrator reads them. */
async function months(): Promise<Month[]> {
  const admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  const { data, error } = await admin.client.rpc("admin_money_by_month", { months: 120 });
  if (error) throw new Error(error.message);
  return data as Month[];
}

const sumOf = (lines: readonly Month[], name: string) =>
  lines.reduce((sum, line) => sum + Number(line[name]), 0);

/** Every movement that the provider has. */
async function movements() {
  const all = [];
  for await (const one of billing.stripe.balanceTransactions.list({ limit: 100 })) all.push(one);
  return all;
}

const keptIds = async () =>
  (
    await billing.sql<{ id: string }>(
      "select transaction_id as id from private.balance_transactions order by 1",
    )
  ).map(({ id }) => id);
const providerIds = async () => (await movements()).map(({ id }) => id).toSorted();
const forget = async () =>
  await billing.sql(
    "delete from private.balance_transactions; delete from private.balance_reading",
  );

/** Purchases, renewals, a refund that fails, one that stays, a dispute that is lost, one that is won, and payouts. */
async function live(): Promise<void> {
  const members = [
    await billing.memberWith(studentPlan, "pm_card_gb"),
    await billing.memberWith(mentorPlan, "pm_card_gb"),
    await billing.memberWith(mentorPlan),
  ];
  const latest = async (index: number) => {
    const customer = await billing.customerId(members[index] ?? members[0]!);
    const [charge] = (await billing.stripe.charges.list({ customer, limit: 1 })).data;
    return charge?.id ?? "";
  };
  await billing.control("/clock", { months: 1, hours: 2 });
  await billing.deliverWebhooks();
  const { id: refund } = await billing.stripe.refunds.create({
    charge: await latest(0),
    amount: 1234,
  });
  await billing.control("/refunds/fail", { refund });
  await billing.stripe.refunds.create({ charge: await latest(1), amount: 777 });
  for (const [index, outcome] of [
    [1, "lost"],
    [2, "won"],
  ] as const) {
    const { id: dispute } = await billing.control("/disputes", { charge: await latest(index) });
    await billing.control("/disputes/close", { dispute, outcome });
  }
  await billing.control("/clock", { days: 8 });
  await billing.deliverWebhooks();
}

describe("the balance at the provider", () => {
  it("is kept by the webhook, exactly, and is what the months add up to", async () => {
    await live();
    expect(await keptIds()).toEqual(await providerIds());
    const lines = await months();
    const all = await movements();
    const total = all.reduce((sum, { net }) => sum + net, 0);
    const fees = all.reduce((sum, { fee }) => sum + fee, 0);
    expect(fees).toBeGreaterThan(4000);
    expect(sumOf(lines, "net_pence") - sumOf(lines, "paid_out_pence")).toBe(total);
    expect(sumOf(lines, "fees_pence") + sumOf(lines, "dispute_fees_pence")).toBe(fees);
    expect(sumOf(lines, "dispute_fees_pence")).toBe(4000);
    expect(sumOf(lines, "refunded_pence")).toBe(777);
    expect(sumOf(lines, "disputed_pence")).toBe(10_000);
    const { data: payouts } = await billing.stripe.payouts.list({ limit: 100 });
    expect(payouts.length).toBeGreaterThan(0);
    expect(sumOf(lines, "payouts")).toBe(payouts.length);
    expect(sumOf(lines, "paid_out_pence")).toBe(payouts.reduce((sum, one) => sum + one.amount, 0));
    expect(sumOf(lines, "unread") + sumOf(lines, "other_pence")).toBe(0);
  });

  it("is healed by the reconciliation when no event was delivered", async () => {
    const before = await months();
    await forget();
    expect(await keptIds()).toEqual([]);
    expect(sumOf(await months(), "unread")).toBeGreaterThan(5);
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    expect(await keptIds()).toEqual(await providerIds());
    expect(await months()).toEqual(before);
    await billing.control("/webhooks/pause", {});
    await billing.control("/clock", { months: 1, hours: 2 });
    await billing.control("/clock", { days: 5 });
    const round = await billing.call(
      billing.client(billing.host.serviceRoleKey),
      "billing-reconcile",
      { everybody: true },
    );
    expect(round.body).toMatchObject({ failed: 0 });
    expect(await keptIds()).toEqual(await providerIds());
  });

  it("stays the same when events come twice and rounds meet", async () => {
    const before = [await keptIds(), await months()];
    await billing.control("/webhooks/redeliver", {});
    await Promise.all([billing.reconcile(), billing.reconcile(), billing.deliverWebhooks()]);
    expect([await keptIds(), await months()]).toEqual(before);
  });

  it("of an account with another product counts its money as other, not as ours", async () => {
    const charged = sumOf(await months(), "charged_pence");
    const paid = await billing.stripe.paymentIntents.create({
      amount: 9900,
      currency: "gbp",
      payment_method: "pm_card_gb",
      confirm: true,
    });
    expect(paid.status).toBe("succeeded");
    await billing.reconcile();
    const lines = await months();
    expect(sumOf(lines, "charged_pence")).toBe(charged);
    expect(sumOf(lines, "other_pence")).toBe(9900 - 169);
    const total = (await movements()).reduce((sum, { net }) => sum + net, 0);
    expect(sumOf(lines, "net_pence") - sumOf(lines, "paid_out_pence")).toBe(total);
  });

  it("is read in spans, also a month with more than a page in each of them", async () => {
    const { id: customer } = await billing.stripe.customers.create();
    const { id: method } = await billing.stripe.paymentMethods.attach("pm_card_gb", { customer });
    for (const burst of [1, 2]) {
      for (let count = 0; count < 60; count += 1) {
        await billing.stripe.paymentIntents.create({
          amount: 100,
          currency: "gbp",
          customer,
          payment_method: method,
          confirm: true,
        });
      }
      await billing.control("/clock", { hours: 5 * burst });
    }
    await billing.deliverWebhooks();
    await forget();
    await billing.reconcile();
    expect(await keptIds()).toEqual(await providerIds());
  });

  it("is read after a payout's signed event alone, and a malformed one is refused", async () => {
    await forget();
    const send = async (id: unknown) =>
      (await billing.postEvent(billingEvent("payout.paid", { object: "payout", id }))).status;
    expect(await send("po_1")).toBe(200);
    expect(await keptIds()).toEqual(await providerIds());
    expect(await send({})).toBe(400);
  });

  it("that the key may not read changes nothing for members, and the round says so", async () => {
    const ada = await billing.payer();
    await billing.control("/webhooks/pause", {});
    await billing.pay(ada, studentPlan);
    const customer = await billing.customerId(ada);
    const [charge] = (await billing.stripe.charges.list({ customer })).data;
    const forbidden = { method: "GET", when: "before", action: "error", status: 403 };
    await billing.control("/faults", { ...forbidden, path: "/v1/charges/*", times: 1 });
    const event = billingEvent("charge.succeeded", { object: "charge", id: charge?.id ?? "" });
    expect(await billing.postEvent(event)).toMatchObject({ status: 200, body: { handled: true } });
    const kept = "select source from private.balance_transactions where source = $1";
    expect(await billing.sql(kept, [charge?.id])).toEqual([]);
    await billing.control("/faults", { ...forbidden, path: "/v1/balance_transactions", times: 9 });
    expect(await billing.reconcile()).toMatchObject({ failed: 1 });
    expect(await billing.isMember(ada)).toBe(true);
    await billing.clearFailures();
    // With the permission, the payment's own event is enough.
    const again = billingEvent("charge.succeeded", { object: "charge", id: charge?.id ?? "" });
    expect(await billing.postEvent(again)).toMatchObject({ status: 200 });
    expect(await billing.sql(kept, [charge?.id])).toHaveLength(1);
    await billing.control("/webhooks/resume", {});
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  });
});
