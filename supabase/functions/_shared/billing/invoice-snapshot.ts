import type Stripe from "stripe";
import { idOf } from "./subscription-snapshot.ts";

/** An invoice as table invoices keeps it. Amounts in the currency's smallest unit, times in epoch seconds. */
export type InvoiceSnapshot = {
  invoice_id: string;
  customer_id: string;
  subscription_id: string | null;
  number: string | null;
  status: "open" | "paid" | "uncollectible" | "void";
  reason: string | null;
  currency: string;
  total: number;
  /** Negative is in the member's favour. */
  starting_balance: number;
  amount_due: number;
  amount_paid: number;
  lines: {
    description: string | null;
    amount_pence: number;
    period_start: number;
    period_end: number;
  }[];
  attempt_count: number;
  next_attempt: number | null;
  /** Why the last attempt was refused; null for one that is not owed, or whose payments were not read. */
  failure_code: string | null;
  issued: number;
  paid: number | null;
  /** The provider's own page and PDF of it. */
  hosted_url: string | null;
  pdf_url: string | null;
};

const keptStatuses = ["open", "paid", "uncollectible", "void"] as const;

/** One line of an invoice; the amount in the currency's smallest unit, the period in epoch seconds. */
type InvoiceLine = Pick<Stripe.InvoiceLineItem, "description" | "amount" | "period">;

/** The lines of an invoice and, as the last one, what discounts take off or tax adds: together its total. */
export function invoiceLinesOf(invoice: Stripe.Invoice): InvoiceLine[] {
  const lines = invoice.lines.data.map(({ description, amount, period }) => ({
    description,
    amount,
    period: { start: period.start, end: period.end },
  }));
  const off = lines.reduce((sum, { amount }) => sum + amount, 0) - invoice.total;
  if (off === 0) return lines;
  const period = lines.at(-1)?.period ?? { start: invoice.period_start, end: invoice.period_end };
  return [...lines, { description: off > 0 ? "Discount" : "Tax", amount: -off, period }];
}

/** What to read with an invoice, so that its snapshot says why it was not paid. */
export const paymentsOfInvoice = ["payments.data.payment.payment_intent"];

/** The bank's reason for the last refusal, else the provider's. */
function failureCodeOf(invoice: Stripe.Invoice): string | null {
  for (const { payment } of invoice.payments?.data ?? []) {
    const intent = payment.payment_intent;
    const failure = typeof intent === "object" ? intent.last_payment_error : null;
    if (failure) return failure.decline_code ?? failure.code ?? failure.type;
  }
  return null;
}

/** Maps an invoice to the table's columns; null for a draft, or for one without a customer. */
export function toInvoiceSnapshot(invoice: Stripe.Invoice): InvoiceSnapshot | null {
  const status = keptStatuses.find((kept) => kept === invoice.status);
  const customer = idOf(invoice.customer);
  if (status === undefined || customer === null) return null;
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  return {
    invoice_id: invoice.id,
    customer_id: customer,
    subscription_id: idOf(subscription),
    number: invoice.number,
    status,
    reason: invoice.billing_reason,
    currency: invoice.currency,
    total: invoice.total,
    starting_balance: invoice.starting_balance,
    amount_due: invoice.amount_due,
    amount_paid: invoice.amount_paid,
    lines: invoiceLinesOf(invoice).map(({ description, amount, period }) => ({
      description,
      amount_pence: amount,
      period_start: period.start,
      period_end: period.end,
    })),
    attempt_count: invoice.attempt_count,
    next_attempt: invoice.next_payment_attempt,
    failure_code: status === "open" ? failureCodeOf(invoice) : null,
    issued: invoice.status_transitions.finalized_at ?? invoice.created,
    paid: invoice.status_transitions.paid_at,
    hosted_url: invoice.hosted_invoice_url ?? null,
    pdf_url: invoice.invoice_pdf ?? null,
  };
}
