import type Stripe from "stripe";
import { idOf } from "./subscription-snapshot.ts";

/** A movement of the account's balance as table balance_transactions keeps it. Amounts in the currency's smallest unit, time in epoch seconds. */
export type BalanceMovement = {
  id: string;
  category: string;
  /** The payment, refund, dispute or payout. */
  source: string | null;
  amount: number;
  fee: number;
  net: number;
  currency: string;
  created: number;
};

/** A movement as the provider reports it. */
export function toMovement(transaction: Stripe.BalanceTransaction): BalanceMovement {
  const { id, amount, fee, net, currency, created } = transaction;
  const { reporting_category: category, source } = transaction;
  return { id, category, source: idOf(source), amount, fee, net, currency, created };
}

/** Those of the values that are movements. One that was not expanded, or does not exist yet, is read by the reconciliation. */
export function movementsOf(
  values: readonly (string | Stripe.BalanceTransaction | null | undefined)[],
): BalanceMovement[] {
  return values.flatMap((value) => (typeof value === "object" && value ? [toMovement(value)] : []));
}
