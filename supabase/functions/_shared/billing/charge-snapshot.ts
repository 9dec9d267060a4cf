import type Stripe from "stripe";
import { movementsOf, type BalanceMovement } from "./balance-movement.ts";
import { idOf } from "./subscription-snapshot.ts";

/** What a payment was for. Times in epoch seconds. */
export type PaidFor = {
  /** The invoice it paid. */
  invoice_id: string | null;
  /** Null for a payment without a subscription. */
  subscription_id: string | null;
  /** The period it paid for; null when it paid for none. */
  period_start: number | null;
  period_end: number | null;
  /** The price of that period; the subscription may have another by now. */
  price_id: string | null;
  /** Prices before and after the change of plan whose difference it paid; null for other payments. */
  upgraded_from: string | null;
  upgraded_to: string | null;
  /** The tax it includes and its rate, where the provider chose the rate; else null. */
  tax_pence: number | null;
  tax_basis_points: number | null;
};

/** A payment, refund or dispute as table payment_records keeps it. Amounts in the currency's smallest unit, times in epoch seconds. */
type PaymentRecord = {
  kind: "payment" | "refund" | "dispute";
  id: string;
  status: string;
  amount: number;
  reason: string | null;
  created: number;
  /** Until when the bank of a dispute takes evidence. */
  respond_by: number | null;
};

/** A payment as the table billing_charges keeps it. Amounts in the currency's smallest unit. */
export type ChargeSnapshot = PaidFor & {
  charge_id: string;
  customer_id: string;
  payment_intent_id: string | null;
  currency: string;
  amount: number;
  card_brand: string | null;
  card_last4: string | null;
  /** The provider's fingerprint of the card, the same in all accounts; the database keeps a keyed hash of it. */
  card_fingerprint: string | null;
  /** The provider's own receipt. */
  receipt_url: string | null;
  amount_refunded: number;
  /** The whole amount was refunded. */
  is_refunded: boolean;
  dispute: "open" | "won" | "lost" | null;
  records: PaymentRecord[];
  /** What it moved on the account's balance, as far as that is known. */
  balance: BalanceMovement[];
};

/** State of a payment's disputes. An inquiry (`warning_…`) withdraws no money and does not count. */
function disputeOf(disputes: readonly Stripe.Dispute[]): ChargeSnapshot["dispute"] {
  const has = (...statuses: string[]) => disputes.some(({ status }) => statuses.includes(status));
  if (has("needs_response", "under_review", "appeal_needs_response", "appeal_under_review")) {
    return "open";
  }
  if (has("lost")) return "lost";
  return has("won") ? "won" : null;
}

function recordsOf(
  charge: Stripe.Charge,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): PaymentRecord[] {
  const { id, amount, status, created } = charge;
  return [
    { kind: "payment", id, status, amount, reason: null, created, respond_by: null },
    ...refunds.map((refund) => ({
      kind: "refund" as const,
      id: refund.id,
      status: refund.status ?? "pending",
      amount: refund.amount,
      reason: refund.reason,
      created: refund.created,
      respond_by: null,
    })),
    ...disputes.map((dispute) => ({
      kind: "dispute" as const,
      id: dispute.id,
      status: dispute.status,
      amount: dispute.amount,
      reason: dispute.reason,
      created: dispute.created,
      respond_by: dispute.evidence_details.due_by,
    })),
  ];
}

/** Maps a payment, what it was for, its refunds and its disputes to the table's columns. */
export function toChargeSnapshot(
  charge: Stripe.Charge,
  customer: string,
  bill: PaidFor,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): ChargeSnapshot {
  const card = charge.payment_method_details?.card;
  return {
    charge_id: charge.id,
    customer_id: customer,
    payment_intent_id: idOf(charge.payment_intent),
    ...bill,
    currency: charge.currency,
    amount: charge.amount,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
    card_fingerprint: card?.fingerprint ?? null,
    receipt_url: charge.receipt_url,
    amount_refunded: charge.amount_refunded,
    is_refunded: charge.refunded,
    dispute: disputeOf(disputes),
    records: recordsOf(charge, refunds, disputes),
    balance: movementsOf([
      charge.balance_transaction,
      ...refunds.flatMap((refund) => [
        refund.balance_transaction,
        refund.failure_balance_transaction,
      ]),
      ...disputes.flatMap((dispute) => dispute.balance_transactions),
    ]),
  };
}
