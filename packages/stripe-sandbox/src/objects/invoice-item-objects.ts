import type Stripe from "stripe";
import { expandableId, newObjectId } from "../ids.ts";
import { decimalText } from "./catalogue-objects.ts";

export interface InvoiceItemInput {
  customer: string;
  currency: string;
  /** Minor units of one; negative is a credit. */
  unitAmount: number;
  quantity: number;
  /** The price it is sold at; null for an amount of its own. */
  price: Stripe.Price | null;
  description: string | null;
  period: { start: number; end: number };
  metadata: Record<string, string>;
}

/** Something to be paid once, with the next invoice of the customer that takes such items. */
export function newInvoiceItem(input: InvoiceItemInput, date: number): Stripe.InvoiceItem {
  const { price } = input;
  return {
    id: newObjectId("ii"),
    object: "invoiceitem",
    amount: input.unitAmount * input.quantity,
    currency: input.currency,
    customer: input.customer,
    customer_account: null,
    date,
    description: input.description,
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: input.metadata,
    net_amount: input.unitAmount * input.quantity,
    parent: null,
    period: input.period,
    pricing: {
      ...(price && { price_details: { price: price.id, product: expandableId(price.product) } }),
      type: "price_details",
      unit_amount_decimal: decimalText(input.unitAmount),
    },
    proration: false,
    quantity: input.quantity,
    quantity_decimal: decimalText(input.quantity),
    tax_rates: [],
    test_clock: null,
  };
}

/** The line that an item is on an invoice. */
export function lineOfItem(item: Stripe.InvoiceItem, invoice: string): Stripe.InvoiceLineItem {
  return {
    id: newObjectId("il"),
    object: "line_item",
    amount: item.amount,
    currency: item.currency,
    description: item.description,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice,
    livemode: false,
    metadata: item.metadata ?? {},
    parent: {
      invoice_item_details: {
        invoice_item: item.id,
        proration: false,
        proration_details: { credited_items: null },
        subscription: null,
      },
      subscription_item_details: null,
      type: "invoice_item_details",
    },
    period: item.period,
    pretax_credit_amounts: [],
    pricing: item.pricing,
    quantity: item.quantity,
    quantity_decimal: item.quantity_decimal,
    subscription: null,
    subtotal: item.amount,
    taxes: [],
  };
}
