import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { dayS } from "../clock.ts";
import { newInvoice } from "../objects/invoice-objects.ts";
import { lineOfItem } from "../objects/invoice-item-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { nextInvoiceNumber } from "./invoice-steps.ts";

interface ManualInvoice {
  customer: string;
  currency: string;
  collectionMethod: "charge_automatically" | "send_invoice";
  daysUntilDue: number | null;
  autoAdvance: boolean;
  takesPendingItems: boolean;
  defaultPaymentMethod: string | null;
  description: string | null;
  metadata: Record<string, string>;
}

const untaxed = {
  automatic_tax: {
    disabled_reason: null,
    enabled: false,
    liability: null,
    provider: null,
    status: null,
  },
  default_tax_rates: [],
  total_taxes: [],
};

/** A draft without a subscription, with the customer's items that wait if it is to take them. */
export function createManualInvoice(state: SandboxState, input: ManualInvoice): Stripe.Invoice {
  const customer = state.get("customers", input.customer, "customer");
  const now = state.now();
  const made = newInvoice(
    {
      customer,
      subscription: null,
      currency: input.currency,
      reason: "manual",
      taxes: { ...untaxed, lines: [] },
      discounts: [],
      periodStart: now,
      periodEnd: now,
      number: nextInvoiceNumber(state, customer),
      publicBase: state.publicBase,
    },
    now,
  );
  const { daysUntilDue: days } = input;
  state.put("invoices", {
    ...made,
    auto_advance: input.autoAdvance,
    collection_method: input.collectionMethod,
    default_payment_method: input.defaultPaymentMethod,
    description: input.description,
    due_date: days === null ? null : now + days * dayS,
    metadata: input.metadata,
  });
  if (input.takesPendingItems) {
    for (const item of pendingItems(state, input.customer, input.currency)) {
      putOnInvoice(state, item.id, made.id);
    }
  }
  const invoice = state.get("invoices", made.id);
  state.emit("invoice.created", invoice);
  return invoice;
}

function pendingItems(state: SandboxState, customer: string, currency: string) {
  return state
    .rows("invoiceItems")
    .filter(
      (item) => item.customer === customer && item.currency === currency && item.invoice === null,
    );
}

/**
 * Puts an item on a draft.
 * @throws {StripeApiError} 400 for an invoice of another customer, in another currency, or that is final.
 */
export function putOnInvoice(state: SandboxState, itemId: string, invoiceId: string): void {
  const item = state.get("invoiceItems", itemId);
  const invoice = state.get("invoices", invoiceId, "invoice");
  if (invoice.status !== "draft") {
    throw invalidRequest("You can only add items to an invoice that is a draft.", "invoice");
  }
  if (invoice.customer !== item.customer || invoice.currency !== item.currency) {
    throw invalidRequest("The item has another customer or currency than the invoice.", "invoice");
  }
  state.update("invoiceItems", itemId, { invoice: invoiceId });
  setLines(state, invoice, [...invoice.lines.data, lineOfItem(item, invoiceId)]);
}

/** Takes an item off the draft it is on, or puts its changed amount there. */
export function updateLineOf(
  state: SandboxState,
  item: Stripe.InvoiceItem,
  isRemoved: boolean,
): void {
  if (typeof item.invoice !== "string") return;
  const invoice = state.get("invoices", item.invoice);
  if (invoice.status !== "draft") {
    throw invalidRequest("This item is on an invoice that is final.", "invoiceitem");
  }
  const isIts = (line: Stripe.InvoiceLineItem) =>
    line.parent?.invoice_item_details?.invoice_item === item.id;
  const lines = invoice.lines.data.flatMap((line) => {
    if (!isIts(line)) return [line];
    return isRemoved ? [] : [{ ...lineOfItem(item, invoice.id), id: line.id }];
  });
  setLines(state, invoice, lines);
}

function setLines(
  state: SandboxState,
  invoice: Stripe.Invoice,
  data: Stripe.InvoiceLineItem[],
): void {
  const subtotal = data.reduce((sum, { amount }) => sum + amount, 0);
  const due = Math.max(0, subtotal);
  state.update("invoices", invoice.id, {
    lines: { ...invoice.lines, data },
    subtotal,
    subtotal_excluding_tax: subtotal,
    total: subtotal,
    total_excluding_tax: subtotal,
    amount_due: due,
    amount_remaining: due,
  });
}
