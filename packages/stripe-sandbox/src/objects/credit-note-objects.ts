import type Stripe from "stripe";
import { newObjectId } from "../ids.ts";

export interface CreditNoteInput {
  invoice: Stripe.Invoice;
  number: string;
  /** Minor units. */
  amount: number;
  /** The invoice was paid before. */
  isPaid: boolean;
  memo: string | null;
  reason: Stripe.CreditNote["reason"];
  metadata: Record<string, string>;
  publicBase: string;
}

/** A note of one amount, which is its only line. */
export function newCreditNote(input: CreditNoteInput, created: number): Stripe.CreditNote {
  const id = newObjectId("cn");
  const { amount, invoice, isPaid } = input;
  return {
    id,
    object: "credit_note",
    amount,
    amount_shipping: 0,
    created,
    currency: invoice.currency,
    customer: invoice.customer ?? "",
    customer_account: null,
    customer_balance_transaction: null,
    discount_amount: 0,
    discount_amounts: [],
    effective_at: created,
    invoice: invoice.id,
    lines: {
      object: "list",
      data: [
        {
          id: newObjectId("cnli"),
          object: "credit_note_line_item",
          amount,
          description: null,
          discount_amount: 0,
          discount_amounts: [],
          livemode: false,
          metadata: {},
          pretax_credit_amounts: [],
          quantity: null,
          tax_rates: [],
          taxes: [],
          type: "custom_line_item",
          unit_amount: null,
          unit_amount_decimal: null,
        },
      ],
      has_more: false,
      url: `/v1/credit_notes/${id}/lines`,
    },
    livemode: false,
    memo: input.memo,
    metadata: input.metadata,
    number: input.number,
    out_of_band_amount: null,
    pdf: `${input.publicBase}/invoices/${invoice.id}/pdf`,
    post_payment_amount: isPaid ? amount : 0,
    pre_payment_amount: isPaid ? 0 : amount,
    pretax_credit_amounts: [],
    reason: input.reason,
    refunds: [],
    shipping_cost: null,
    status: "issued",
    subtotal: amount,
    subtotal_excluding_tax: amount,
    total: amount,
    total_excluding_tax: amount,
    total_taxes: [],
    type: isPaid ? "post_payment" : "pre_payment",
    voided_at: null,
  };
}
