import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import { expandableId } from "../ids.ts";
import { newBalanceTransaction, newPayout, type BalanceInput } from "../objects/balance-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** What charges of cards cost: a share, more for cards from abroad, and an amount in minor units. */
const ownShare = 0.015;
const foreignShare = 0.0325;
const chargeFee = 20;
const disputeFee = 2000;
/** Days until the money of a charge can be paid out. */
const pendingDays = 3;

function record(
  state: SandboxState,
  input: Omit<BalanceInput, "availableOn" | "category" | "fee" | "feeName"> & Partial<BalanceInput>,
): Stripe.BalanceTransaction {
  const defaults = { availableOn: state.now(), category: input.type, fee: 0, feeName: "" };
  const made = newBalanceTransaction({ ...defaults, ...input }, state.now());
  return state.put("balanceTransactions", made);
}

/** The money of a charge, and what it cost. */
export function creditCharge(
  state: SandboxState,
  { id, amount, currency, description }: Stripe.Charge,
  country: string | null,
): string {
  const share = country === "GB" ? ownShare : foreignShare;
  const { id: transaction } = record(state, {
    type: "charge",
    amount,
    currency,
    description,
    source: id,
    fee: Math.round(amount * share) + chargeFee,
    feeName: "Stripe processing fees",
    availableOn: state.now() + pendingDays * dayS,
  });
  return transaction;
}

/** The money that a refund sends back. What the charge cost is kept. */
export function debitRefund(state: SandboxState, refund: Stripe.Refund): string {
  const { id, amount, currency } = refund;
  const description = "REFUND FOR CHARGE";
  const given = { type: "refund" as const, amount: -amount, currency, description, source: id };
  return record(state, given).id;
}

/** The money that comes back of a refund that failed. */
export function creditFailedRefund(state: SandboxState, refund: Stripe.Refund): string {
  const { id, amount, currency } = refund;
  const description = "REFUND FAILURE";
  return record(state, { type: "refund_failure", amount, currency, description, source: id }).id;
}

/** The money that a dispute takes, with its fee. */
export function debitDispute(
  state: SandboxState,
  { id, amount, currency, charge }: Stripe.Dispute,
): Stripe.BalanceTransaction {
  return record(state, {
    type: "adjustment",
    category: "dispute",
    amount: -amount,
    fee: disputeFee,
    feeName: "Dispute fee",
    currency,
    description: `Chargeback withdrawal for ${expandableId(charge)}`,
    source: id,
  });
}

/** The money that comes back when a dispute is won. Its fee does not. */
export function creditDispute(
  state: SandboxState,
  { id, amount, currency, charge }: Stripe.Dispute,
): Stripe.BalanceTransaction {
  return record(state, {
    type: "adjustment",
    category: "dispute_reversal",
    amount,
    currency,
    description: `Chargeback reversal for ${expandableId(charge)}`,
    source: id,
  });
}

/**
 * Brings the balance up to now, with the clock and whenever it is looked at: money that has become available, and an
 * automatic payout at each midnight (UTC) at which there was any.
 */
export function settleBalance(state: SandboxState): void {
  const now = state.now();
  for (const { id, status, available_on: at } of state.rows("balanceTransactions")) {
    if (status === "pending" && at <= now) {
      state.update("balanceTransactions", id, { status: "available" });
    }
  }
  const currencies = new Set(state.rows("balanceTransactions").map(({ currency }) => currency));
  for (const currency of currencies) payOut(state, currency);
  for (const { id, status, arrival_date: at } of state.rows("payouts")) {
    if (status !== "in_transit" || at > now) continue;
    state.clock.at(at, () => void state.update("payouts", id, { status: "paid" }, "payout.paid"));
  }
}

function payOut(state: SandboxState, currency: string): void {
  const waiting = state
    .rows("balanceTransactions")
    .filter((row) => row.currency === currency && row.type !== "payout")
    .filter(({ id }) => !state.tables.payoutNotes.has(id))
    .toSorted((left, right) => left.available_on - right.available_on);
  let batch: Stripe.BalanceTransaction[] = [];
  for (const [place, row] of waiting.entries()) {
    const midnight = midnightAfter(row.available_on);
    if (midnight > state.now()) return;
    batch.push(row);
    const next = waiting[place + 1];
    const isLast = next === undefined || midnightAfter(next.available_on) > midnight;
    const sum = batch.reduce((total, { net }) => total + net, 0);
    // A balance below zero waits for the money of the next days.
    if (!isLast || sum <= 0) continue;
    state.clock.at(midnight, () => makePayout(state, sum, currency, batch));
    batch = [];
  }
}

function midnightAfter(moment: number): number {
  return (Math.floor(moment / dayS) + 1) * dayS;
}

function makePayout(
  state: SandboxState,
  amount: number,
  currency: string,
  batch: Stripe.BalanceTransaction[],
): void {
  const payout = newPayout(amount, currency, state.now());
  const { description, id } = payout;
  const given = { type: "payout" as const, amount: -amount, currency, description, source: id };
  const taken = record(state, given);
  const made = state.put("payouts", { ...payout, balance_transaction: taken.id });
  for (const row of [...batch, taken]) state.tables.payoutNotes.set(row.id, id);
  state.emit("payout.created", made);
  state.emit("payout.reconciliation_completed", made);
}
