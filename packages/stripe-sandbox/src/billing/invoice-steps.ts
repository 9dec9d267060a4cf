import type Stripe from "stripe";
import { dayS } from "../clock.ts";
import { expandableId, newObjectId } from "../ids.ts";
import { newInvoice, type InvoiceInput } from "../objects/invoice-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { adjustCustomerBalance } from "./customer-balance.ts";
import { discountAmounts, dropUsedDiscounts } from "./discounts.ts";
import { createIntent } from "./pay-intent.ts";
import { taxesOf } from "./taxes.ts";
import { applyPendingUpdate, isPendingUpdateInvoice } from "./pending-update.ts";

/** Days until the next attempt after the first, second and third failure of a renewal. */
const retryDays = [3, 5, 7];

/** The subscription an invoice bills; "" for one that was made by hand. */
export function subscriptionOf(invoice: Stripe.Invoice): string {
  return expandableId(invoice.parent?.subscription_details?.subscription);
}

/** The id of the invoice's payment intent, or null. */
export function intentOf(state: SandboxState, invoiceId: string): string | null {
  const payment = state.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  const intent = payment?.payment.payment_intent;
  return typeof intent === "string" ? intent : null;
}

/** The customer's next number, such as `AB12CD34-0001`. */
export function nextInvoiceNumber(state: SandboxState, customer: Stripe.Customer): string {
  const sequence = customer.next_invoice_sequence ?? 1;
  state.update("customers", customer.id, { next_invoice_sequence: sequence + 1 });
  return `${customer.invoice_prefix ?? "SANDBOX"}-${String(sequence).padStart(4, "0")}`;
}

export function draftInvoice(
  state: SandboxState,
  subscription: Stripe.Subscription,
  input: Pick<InvoiceInput, "reason" | "periodStart" | "periodEnd"> & {
    lines: Stripe.InvoiceLineItem[];
  },
): Stripe.Invoice {
  const customer = state.get("customers", expandableId(subscription.customer));
  const { lines, ...rest } = input;
  const discounts = discountAmounts(state, subscription, lines, state.now());
  const off = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const invoice = newInvoice(
    {
      ...rest,
      discounts,
      taxes: taxesOf(state, subscription, lines, off),
      customer,
      subscription: subscription.id,
      currency: subscription.currency,
      number: nextInvoiceNumber(state, customer),
      publicBase: state.publicBase,
    },
    state.now(),
  );
  state.put("invoices", invoice);
  state.update("subscriptions", subscription.id, { latest_invoice: invoice.id });
  dropUsedDiscounts(state, subscription.id);
  state.emit("invoice.created", invoice);
  return invoice;
}

/**
 * Finalises a draft: applies the customer's balance and creates the payment intent. An invoice with nothing to pay is
 * paid at once.
 */
export function finalizeInvoice(
  state: SandboxState,
  invoiceId: string,
  methodId: string | null,
): Stripe.Invoice {
  const draft = state.get("invoices", invoiceId);
  const customer = state.get("customers", expandableId(draft.customer));
  const balance = customer.balance;
  const due = Math.max(0, draft.total + balance);
  const endingBalance = Math.min(0, draft.total + balance);
  if (endingBalance !== balance) {
    adjustCustomerBalance(state, customer.id, {
      amount: endingBalance - balance,
      currency: draft.currency,
      type: "applied_to_invoice",
      invoice: invoiceId,
    });
  }
  const now = state.now();
  const open = state.update(
    "invoices",
    invoiceId,
    {
      status: "open",
      starting_balance: balance,
      ending_balance: endingBalance,
      amount_due: due,
      amount_remaining: due,
      effective_at: now,
      automatically_finalizes_at: null,
      hosted_invoice_url: `${state.publicBase}/invoices/${invoiceId}`,
      invoice_pdf: `${state.publicBase}/invoices/${invoiceId}/pdf`,
      status_transitions: { ...draft.status_transitions, finalized_at: now },
    },
    "invoice.finalized",
  );
  if (due === 0) return markInvoicePaid(state, invoiceId);
  const subscription = subscriptionOf(open);
  const intent = createIntent(
    state,
    {
      amount: due,
      currency: open.currency,
      customer: customer.id,
      description: open.billing_reason === "subscription_create" ? "Subscription creation" : null,
      paymentMethod: methodId,
      metadata: {},
      setupFutureUsage: "off_session",
    },
    { invoice: invoiceId, subscription: subscription === "" ? null : subscription },
  );
  state.put("invoicePayments", {
    id: newObjectId("inpay"),
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

export function markInvoicePaid(state: SandboxState, invoiceId: string): Stripe.Invoice {
  const open = state.get("invoices", invoiceId);
  const now = state.now();
  const payment = state.rows("invoicePayments").find((row) => row.invoice === invoiceId);
  if (payment) {
    state.update(
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
  const paid = state.update(
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
  state.emit("invoice.payment_succeeded", paid);
  applyPendingUpdate(state, invoiceId);
  return paid;
}

/** Counts a failed attempt and schedules the next one. A first invoice is not retried. */
export function noteInvoiceFailure(
  state: SandboxState,
  invoiceId: string,
  actionRequired: boolean,
  isScheduled: boolean,
): Stripe.Invoice {
  const open = state.get("invoices", invoiceId);
  // Any try counts as the first one; after that only those of the schedule do.
  const counts = isScheduled || open.attempt_count === 0;
  const attempts = open.attempt_count + (counts ? 1 : 0);
  const isRetried =
    open.billing_reason !== "subscription_create" && !isPendingUpdateInvoice(state, invoiceId);
  const wait = isRetried ? retryDays[attempts - 1] : undefined;
  const after = state.update(
    "invoices",
    invoiceId,
    {
      attempted: true,
      attempt_count: attempts,
      ...(counts && {
        next_payment_attempt: wait === undefined ? null : state.now() + wait * dayS,
      }),
    },
    "invoice.updated",
  );
  state.emit("invoice.payment_failed", after);
  if (actionRequired) state.emit("invoice.payment_action_required", after);
  return after;
}
