import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { creditFailedRefund } from "./balance.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** The bank gives a refund back: it has failed, and the charge is refunded by that much less. */
export function failRefund(state: SandboxState, id: string): Stripe.Refund {
  const refund = state.get("refunds", id, "refund");
  const { status, amount, charge } = refund;
  if (status !== "succeeded" && status !== "pending") {
    throw invalidRequest(`Refund ${id} has ended already.`, "refund");
  }
  const failed = state.update(
    "refunds",
    id,
    {
      status: "failed",
      failure_reason: "expired_or_canceled_card",
      failure_balance_transaction: creditFailedRefund(state, refund),
    },
    "refund.failed",
  );
  if (typeof charge === "string") {
    const refunded = state.get("charges", charge).amount_refunded - amount;
    const changes = { amount_refunded: refunded, refunded: false };
    state.update("charges", charge, changes, "charge.updated");
  }
  return failed;
}
