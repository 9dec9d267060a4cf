import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { newObjectId } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { debitRefund } from "./balance.ts";

export interface RefundInput {
  /** Minor units; all that is left without it. */
  amount?: number | undefined;
  reason?: Stripe.Refund["reason"] | undefined;
  metadata?: Record<string, string>;
}

/**
 * Sends money of a payment back.
 * @throws {StripeApiError} 400 for more than is left of it.
 */
export function refundCharge(
  state: SandboxState,
  charge: Stripe.Charge,
  params: RefundInput,
): Stripe.Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.refunded) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      "charge_already_refunded",
    );
  }
  const amount = params.amount ?? left;
  if (amount < 1)
    throw invalidRequest("Invalid positive integer", "amount", "parameter_invalid_integer");
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      "amount",
    );
  }
  const made: Stripe.Refund = {
    id: newObjectId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: state.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: params.metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  made.balance_transaction = debitRefund(state, made);
  state.put("refunds", made);
  state.emit("refund.created", made);
  const refunded = charge.amount_refunded + amount;
  const changes = { amount_refunded: refunded, refunded: refunded === charge.amount_captured };
  state.update("charges", charge.id, changes, "charge.refunded");
  return made;
}
