import type Stripe from "stripe";
import type { SandboxState } from "../sandbox-state.ts";
import { intentOf } from "./invoice-steps.ts";
import { discardPendingUpdate } from "./pending-update.ts";

/** Voids an open invoice, cancels its payment intent and discards a change that waited for it. */
export function voidInvoice(
  state: SandboxState,
  invoiceId: string,
  isExpired = false,
): Stripe.Invoice {
  const open = state.get("invoices", invoiceId);
  const now = state.now();
  cancelIntentOf(state, invoiceId);
  const voided = state.update(
    "invoices",
    invoiceId,
    {
      status: "void",
      auto_advance: false,
      amount_remaining: 0,
      next_payment_attempt: null,
      status_transitions: { ...open.status_transitions, voided_at: now },
    },
    "invoice.voided",
  );
  discardPendingUpdate(state, invoiceId, isExpired);
  return voided;
}

function cancelIntentOf(state: SandboxState, invoiceId: string): void {
  const now = state.now();
  const intentId = intentOf(state, invoiceId);
  if (intentId === null) return;
  const note = state.tables.intentNotes.get(intentId);
  if (note) note.challenge = null;
  state.update(
    "paymentIntents",
    intentId,
    {
      status: "canceled",
      canceled_at: now,
      cancellation_reason: "void_invoice",
      next_action: null,
    },
    "payment_intent.canceled",
  );
  const payment = state.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  if (!payment) return;
  state.update("invoicePayments", payment.id, {
    status: "canceled",
    status_transitions: { canceled_at: now, paid_at: null },
  });
}
