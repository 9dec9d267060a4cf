import type Stripe from "stripe";
import type { World } from "../world.ts";
import { intentOf } from "./invoice-steps.ts";

/** Makes an open invoice unpayable, its payment with it. */
export function voidInvoice(world: World, invoiceId: string): Stripe.Invoice {
  const open = world.get("invoices", invoiceId);
  const now = world.now();
  cancelIntentOf(world, invoiceId);
  return world.amend(
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
}

function cancelIntentOf(world: World, invoiceId: string): void {
  const now = world.now();
  const intentId = intentOf(world, invoiceId);
  if (intentId === null) return;
  const note = world.tables.intentNotes.get(intentId);
  if (note) note.challenge = null;
  world.amend(
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
  const payment = world.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  if (!payment) return;
  world.amend("invoicePayments", payment.id, {
    status: "canceled",
    status_transitions: { canceled_at: now, paid_at: null },
  });
}
