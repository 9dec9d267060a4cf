import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import { newObjectId, stableId } from "../ids.ts";

export interface BalanceInput {
  type: "adjustment" | "charge" | "payout" | "refund" | "refund_failure";
  /** What accounts are kept by: a dispute is an adjustment, too. */
  category: string;
  /** Minor units, negative for money that leaves. */
  amount: number;
  fee: number;
  feeName: string;
  currency: string;
  description: string | null;
  /** The charge, refund, dispute or payout. */
  source: string;
  availableOn: number;
}

export function newBalanceTransaction(
  input: BalanceInput,
  created: number,
): Stripe.BalanceTransaction {
  const { amount, fee, currency } = input;
  return {
    id: newObjectId("txn"),
    object: "balance_transaction",
    amount,
    available_on: input.availableOn,
    balance_type: "payments",
    created,
    currency,
    description: input.description,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency,
              description: input.feeName,
              type: "stripe_fee",
            },
          ],
    net: amount - fee,
    reporting_category: input.category,
    source: input.source,
    status: input.availableOn <= created ? "available" : "pending",
    type: input.type,
  };
}

/** An automatic payout, which arrives a day later. */
export function newPayout(amount: number, currency: string, created: number): Stripe.Payout {
  return {
    id: newObjectId("po"),
    object: "payout",
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: created + dayS,
    automatic: true,
    balance_transaction: null,
    created,
    currency,
    description: "STRIPE PAYOUT",
    destination: stableId("ba", currency),
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: "standard",
    original_payout: null,
    payout_method: null,
    reconciliation_status: "completed",
    reversed_by: null,
    source_type: "card",
    statement_descriptor: null,
    status: "in_transit",
    trace_id: null,
    type: "bank_account",
  };
}
