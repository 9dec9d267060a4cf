import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { dayS } from "./clock.ts";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import { client, failure, openFixture, testPublishableKey } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
  // From a midday on, so that no midnight passes between two charges.
  await sandbox.control.advance({ seconds: 1.5 * dayS - (sandbox.control.now() % dayS) });
});
afterEach(() => sandbox.stop());

async function charge(payment_method: string, amount = 5000): Promise<string> {
  const paid = await stripe.paymentIntents.create({
    amount,
    currency: "gbp",
    payment_method,
    confirm: true,
  });
  return expandableId(paid.latest_charge);
}

const transactions = async (given: Stripe.BalanceTransactionListParams = {}) =>
  (await stripe.balanceTransactions.list(given)).data.map(({ type, amount, fee, net }) => [
    type,
    amount,
    fee,
    net,
  ]);

/** What is there to pay out, and what will be. */
async function balance(): Promise<number[]> {
  const { available, pending } = await stripe.balance.retrieve();
  return [available[0]?.amount ?? 0, pending[0]?.amount ?? 0];
}

describe("a charge", () => {
  it.each([
    ["pm_card_gb", 5000, 95],
    ["pm_card_gb", 10_000, 170],
    ["pm_card_gb", 1234, 39],
    ["pm_card_visa", 5000, 183],
  ])("of %s over %i costs %i", async (card, amount, fee) => {
    const id = await charge(card, amount);
    const { balance_transaction: made } = await stripe.charges.retrieve(id, {
      expand: ["balance_transaction"],
    });
    expect(made).toMatchObject({
      object: "balance_transaction",
      amount,
      fee,
      fee_details: [{ amount: fee, type: "stripe_fee" }],
      net: amount - fee,
      reporting_category: "charge",
      source: id,
      status: "pending",
    });
  });

  it("that is declined moves no money", async () => {
    await failure(charge("pm_card_visa_chargeDeclined"));
    expect(await transactions()).toEqual([]);
    expect(await balance()).toEqual([0, 0]);
  });
});

describe("money that goes back", () => {
  it("is that of a refund without the fee, and comes again when the refund fails", async () => {
    const id = await charge("pm_card_gb");
    const refund = await stripe.refunds.create({ charge: id, amount: 2000 });
    await sandbox.control.failRefund(refund.id);
    expect(await transactions()).toEqual([
      ["refund_failure", 2000, 0, 2000],
      ["refund", -2000, 0, -2000],
      ["charge", 5000, 95, 4905],
    ]);
    const { data } = await stripe.balanceTransactions.list({ source: refund.id });
    const after = await stripe.refunds.retrieve(refund.id);
    expect([after.failure_balance_transaction, after.balance_transaction]).toEqual(
      data.map((one) => one.id),
    );
  });

  it("is that of a dispute with its fee, which a won one does not return", async () => {
    await charge("pm_card_createDispute");
    const [open] = (await stripe.disputes.list()).data;
    expect(open?.balance_transactions).toMatchObject([
      { type: "adjustment", amount: -5000, fee: 2000, reporting_category: "dispute" },
    ]);
    const won = await sandbox.control.closeDispute(open?.id ?? "", "won");
    expect(won.balance_transactions.map(({ net }) => net)).toEqual([-7000, 5000]);
    const asked = await sandbox.control.openDispute(await charge("pm_card_gb"), {
      isInquiry: true,
    });
    expect(asked.balance_transactions).toEqual([]);
    const lost = await sandbox.control.closeDispute(asked.id, "lost");
    expect(lost.balance_transactions.map(({ net }) => net)).toEqual([-7000]);
  });
});

describe("payouts", () => {
  it("pay out what has become available, once, and name what it was", async () => {
    await charge("pm_card_gb");
    await charge("pm_card_gb", 10_000);
    expect(await balance()).toEqual([0, 14_735]);
    expect((await stripe.payouts.list()).data).toEqual([]);
    await sandbox.control.advance({ days: 4 });
    const [payout, ...more] = (await stripe.payouts.list()).data;
    expect(more).toEqual([]);
    expect(payout).toMatchObject({ amount: 14_735, automatic: true, status: "in_transit" });
    expect((payout?.created ?? 1) % dayS).toBe(0);
    expect(await transactions({ payout: payout?.id ?? "" })).toEqual([
      ["payout", -14_735, 0, -14_735],
      ["charge", 10_000, 170, 9830],
      ["charge", 5000, 95, 4905],
    ]);
    expect(await balance()).toEqual([0, 0]);
    await sandbox.control.advance({ days: 30 });
    expect((await stripe.payouts.list()).data).toMatchObject([{ status: "paid" }]);
    const told = sandbox.control.events().filter(({ type }) => type.startsWith("payout."));
    expect(told.map(({ type, created }) => [type, created - (payout?.created ?? 0)])).toEqual([
      ["payout.created", 0],
      ["payout.reconciliation_completed", 0],
      ["payout.paid", dayS],
    ]);
  });

  it("wait while more went back than came in", async () => {
    const first = await charge("pm_card_gb");
    await sandbox.control.advance({ days: 5 });
    await stripe.refunds.create({ charge: first });
    await sandbox.control.advance({ days: 5 });
    expect((await stripe.payouts.list()).data).toMatchObject([{ amount: 4905 }]);
    expect(await balance()).toEqual([-5000, 0]);
    await charge("pm_card_gb", 10_000);
    await sandbox.control.advance({ days: 5 });
    const { data } = await stripe.payouts.list();
    expect(data.map(({ amount }) => amount)).toEqual([4830, 4905]);
    expect(await balance()).toEqual([0, 0]);
  });

  it("are shown to nobody with a publishable key, and unknown ones are missing", async () => {
    const browser = client(sandbox, testPublishableKey);
    for (const call of [browser.payouts.list(), browser.balance.retrieve()]) {
      expect((await failure(call)).code).toBe("secret_key_required");
    }
    for (const call of [
      stripe.payouts.retrieve("po_none"),
      stripe.balanceTransactions.retrieve("txn_none"),
      stripe.balanceTransactions.list({ payout: "po_none" }),
    ]) {
      expect((await failure(call)).code).toBe("resource_missing");
    }
  });
});
