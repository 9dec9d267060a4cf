import type Stripe from "stripe";
import { DAY } from "../clock.ts";
import { idOf, newId } from "../ids.ts";
import { newInvoice, type InvoiceInput } from "../objects/invoice-objects.ts";
import type { World } from "../world.ts";
import { createIntent } from "./pay-intent.ts";

/** Days until the next try after the first, second and third failure of a renewal. */
const RETRY_DAYS = [3, 5, 7];

/** The subscription an invoice bills. */
export function subscriptionOf(invoice: Stripe.Invoice): string {
  return idOf(invoice.parent?.subscription_details?.subscription);
}

/** The payment an invoice waits for or was paid by. */
export function intentOf(world: World, invoiceId: string): string | null {
  const payment = world.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  const intent = payment?.payment.payment_intent;
  return typeof intent === "string" ? intent : null;
}

export function draftInvoice(
  world: World,
  subscription: Stripe.Subscription,
  input: Pick<InvoiceInput, "reason" | "lines" | "periodStart" | "periodEnd">,
): Stripe.Invoice {
  const customer = world.get("customers", idOf(subscription.customer));
  const sequence = customer.next_invoice_sequence ?? 1;
  world.amend("customers", customer.id, { next_invoice_sequence: sequence + 1 });
  const invoice = newInvoice(
    {
      ...input,
      customer,
      subscription: subscription.id,
      currency: subscription.currency,
      number: `${customer.invoice_prefix ?? "SANDBOX"}-${String(sequence).padStart(4, "0")}`,
      publicBase: world.publicBase,
    },
    world.now(),
  );
  world.put("invoices", invoice);
  world.amend("subscriptions", subscription.id, { latest_invoice: invoice.id });
  world.emit("invoice.created", invoice);
  return invoice;
}

/**
 * Opens a draft: applies the customer's balance and creates the payment it waits for. An invoice
 * with nothing to pay is paid at once.
 */
export function finalizeInvoice(
  world: World,
  invoiceId: string,
  methodId: string | null,
): Stripe.Invoice {
  const draft = world.get("invoices", invoiceId);
  const customer = world.get("customers", idOf(draft.customer));
  const balance = customer.balance;
  const due = Math.max(0, draft.total + balance);
  const endingBalance = Math.min(0, draft.total + balance);
  if (endingBalance !== balance) {
    world.amend("customers", customer.id, { balance: endingBalance }, "customer.updated");
  }
  const now = world.now();
  const open = world.amend(
    "invoices",
    invoiceId,
    {
      status: "open",
      starting_balance: balance,
      ending_balance: endingBalance,
      amount_due: due,
      amount_remaining: due,
      effective_at: now,
      status_transitions: { ...draft.status_transitions, finalized_at: now },
    },
    "invoice.finalized",
  );
  if (due === 0) return markInvoicePaid(world, invoiceId);
  const subscription = subscriptionOf(open);
  const intent = createIntent(
    world,
    {
      amount: due,
      currency: open.currency,
      customer: customer.id,
      description: open.billing_reason === "subscription_create" ? "Subscription creation" : null,
      paymentMethod: methodId,
      metadata: {},
      setupFutureUsage: "off_session",
    },
    { invoice: invoiceId, subscription },
  );
  world.put("invoicePayments", {
    id: newId("inpay"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: due,
    created: now,
    currency: open.currency,
    invoice: invoiceId,
    is_default: true,
    livemode: false,
    payment: { payment_intent: intent.id, type: "payment_intent" },
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });
  return open;
}

export function markInvoicePaid(world: World, invoiceId: string): Stripe.Invoice {
  const open = world.get("invoices", invoiceId);
  const now = world.now();
  const payment = world.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  if (payment) {
    world.amend(
      "invoicePayments",
      payment.id,
      {
        status: "paid",
        amount_paid: open.amount_due,
        status_transitions: { canceled_at: null, paid_at: now },
      },
      "invoice_payment.paid",
    );
  }
  const paid = world.amend(
    "invoices",
    invoiceId,
    {
      status: "paid",
      amount_paid: open.amount_due,
      amount_remaining: 0,
      attempted: true,
      attempt_count: open.attempt_count + (payment ? 1 : 0),
      next_payment_attempt: null,
      auto_advance: false,
      status_transitions: { ...open.status_transitions, paid_at: now },
    },
    "invoice.paid",
  );
  world.emit("invoice.payment_succeeded", paid);
  return paid;
}

/** Counts a failed attempt and plans the next one; a first invoice is never tried again by itself. */
export function noteInvoiceFailure(
  world: World,
  invoiceId: string,
  actionRequired: boolean,
): Stripe.Invoice {
  const open = world.get("invoices", invoiceId);
  const attempts = open.attempt_count + 1;
  const wait = open.billing_reason === "subscription_create" ? undefined : RETRY_DAYS[attempts - 1];
  const after = world.amend(
    "invoices",
    invoiceId,
    {
      attempted: true,
      attempt_count: attempts,
      next_payment_attempt: wait === undefined ? null : world.now() + wait * DAY,
    },
    "invoice.updated",
  );
  world.emit("invoice.payment_failed", after);
  if (actionRequired) world.emit("invoice.payment_action_required", after);
  return after;
}
