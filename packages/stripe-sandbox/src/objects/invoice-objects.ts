import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";
import type { DiscountAmount } from "../billing/discounts.ts";
import type { InvoiceTaxes } from "../billing/taxes.ts";

export interface InvoiceInput {
  customer: Stripe.Customer;
  /** Null for an invoice that is made by hand. */
  subscription: string | null;
  currency: string;
  reason: "manual" | "subscription_create" | "subscription_cycle" | "subscription_update";
  taxes: InvoiceTaxes;
  discounts: DiscountAmount[];
  periodStart: number;
  periodEnd: number;
  number: string;
  publicBase: string;
}

export function newInvoice(input: InvoiceInput, created: number): Stripe.Invoice {
  const id = newObjectId("in");
  const { lines, total_taxes: taxes } = input.taxes;
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0);
  const total = input.discounts.reduce((rest, { amount }) => rest - amount, subtotal);
  const due = Math.max(0, total);
  const tax = taxes.reduce((sum, { amount }) => sum + amount, 0);
  return {
    id,
    object: "invoice",
    account_country: "GB",
    account_name: "Offline card sandbox",
    account_tax_ids: null,
    amount_due: due,
    amount_overpaid: 0,
    amount_paid: 0,
    amount_remaining: due,
    amount_shipping: 0,
    application: null,
    attempt_count: 0,
    attempted: false,
    auto_advance: true,
    automatic_tax: input.taxes.automatic_tax,
    automatically_finalizes_at: null,
    billing_reason: input.reason,
    collection_method: "charge_automatically",
    created,
    currency: input.currency,
    custom_fields: null,
    customer: input.customer.id,
    customer_account: null,
    customer_address: input.customer.address ?? null,
    customer_email: input.customer.email,
    customer_name: input.customer.name ?? null,
    customer_phone: input.customer.phone ?? null,
    customer_shipping: null,
    customer_tax_exempt: "none",
    customer_tax_ids: [],
    default_payment_method: null,
    default_source: null,
    default_tax_rates: input.taxes.default_tax_rates,
    description: null,
    discounts: input.discounts.map(({ discount }) => discount),
    due_date: null,
    effective_at: null,
    ending_balance: null,
    footer: null,
    from_invoice: null,
    hosted_invoice_url: null,
    invoice_pdf: null,
    issuer: { type: "self" },
    last_finalization_error: null,
    latest_revision: null,
    lines: {
      object: "list",
      data: lines.map((line) => ({ ...line, invoice: id })),
      has_more: false,
      url: `/v1/invoices/${id}/lines`,
    },
    livemode: false,
    metadata: {},
    next_payment_attempt: null,
    number: input.number,
    on_behalf_of: null,
    parent:
      input.subscription === null
        ? null
        : {
            quote_details: null,
            subscription_details: { metadata: {}, subscription: input.subscription },
            type: "subscription_details",
          },
    payment_settings: {
      default_mandate: null,
      payment_method_options: null,
      payment_method_types: null,
    },
    period_end: input.periodEnd,
    period_start: input.periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    receipt_number: null,
    rendering: null,
    shipping_cost: null,
    shipping_details: null,
    starting_balance: 0,
    statement_descriptor: null,
    status: "draft",
    status_transitions: {
      finalized_at: null,
      marked_uncollectible_at: null,
      paid_at: null,
      voided_at: null,
    },
    subtotal,
    subtotal_excluding_tax: subtotal - tax,
    test_clock: input.customer.test_clock ?? null,
    total,
    total_discount_amounts: input.discounts,
    total_excluding_tax: total - tax,
    total_pretax_credit_amounts: [],
    total_taxes: taxes,
    webhooks_delivered_at: null,
  };
}
