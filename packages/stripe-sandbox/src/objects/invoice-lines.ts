import type Stripe from "stripe";
import { expandableId, newObjectId } from "../ids.ts";
import type { PendingLine } from "../tables.ts";
import { decimalText } from "./catalogue-objects.ts";

/** The line for one period of one subscription item. */
export function periodLine(
  item: Stripe.SubscriptionItem,
  productName: string,
  start: number,
  end: number,
  isTrial: boolean,
): Stripe.InvoiceLineItem {
  const quantity = item.quantity ?? 1;
  const unit = isTrial ? 0 : (item.price.unit_amount ?? 0);
  const pounds = (unit / 100).toFixed(2);
  const line = newLine(item.price, item.subscription, item.id, quantity * unit, start, end);
  return {
    ...line,
    description: isTrial
      ? `Trial period for ${productName}`
      : `${quantity} × ${productName} (at ${item.price.currency.toUpperCase()} ${pounds} / ${item.price.recurring?.interval ?? "month"})`,
    quantity,
  };
}

export function prorationLine(
  item: Stripe.SubscriptionItem,
  price: Stripe.Price,
  pending: PendingLine,
): Stripe.InvoiceLineItem {
  const { amount, periodStart, periodEnd } = pending;
  const line = newLine(price, item.subscription, item.id, amount, periodStart, periodEnd);
  const details = line.parent?.subscription_item_details;
  if (details) details.proration = true;
  return { ...line, description: pending.description };
}

function newLine(
  price: Stripe.Price,
  subscription: string,
  item: string,
  amount: number,
  start: number,
  end: number,
): Stripe.InvoiceLineItem {
  return {
    id: newObjectId("il"),
    object: "line_item",
    amount,
    currency: price.currency,
    description: null,
    discount_amounts: [],
    discountable: true,
    discounts: [],
    invoice: null,
    livemode: false,
    metadata: {},
    parent: {
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: false,
        proration_details: { credited_items: null },
        subscription,
        subscription_item: item,
      },
      type: "subscription_item_details",
    },
    period: { start, end },
    pretax_credit_amounts: [],
    pricing: {
      price_details: { price: price.id, product: expandableId(price.product) },
      type: "price_details",
      unit_amount_decimal: price.unit_amount_decimal,
    },
    quantity: 1,
    quantity_decimal: decimalText(1),
    subscription,
    subtotal: amount,
    taxes: [],
  };
}
