import type Stripe from "stripe";
import type { World } from "../world.ts";
import { intentOf, markInvoicePaid, noteInvoiceFailure, subscriptionOf } from "./invoice-steps.ts";
import { payIntent, type PaymentOptions, type PaymentResult } from "./pay-intent.ts";
import { openDispute } from "./disputes.ts";
import { cardOf } from "./payment-methods.ts";
import { cancelForNonPayment, subscriptionPaid, subscriptionUnpaid } from "./subscription-steps.ts";
import { idOf } from "../ids.ts";

/** The method an invoice of this subscription is charged to: the subscription's, else the customer's. */
export function defaultMethodOf(world: World, subscription: Stripe.Subscription): string | null {
  const own = subscription.default_payment_method;
  if (typeof own === "string") return own;
  const customer = world.get("customers", idOf(subscription.customer));
  const fallback = customer.invoice_settings.default_payment_method;
  return typeof fallback === "string" ? fallback : null;
}

/** Pays an intent and lets its invoice and subscription follow. */
export function collectIntent(
  world: World,
  intentId: string,
  methodId: string,
  options: PaymentOptions,
): PaymentResult {
  const result = payIntent(world, intentId, methodId, options);
  followPayment(world, intentId, result);
  return result;
}

/** What a payment's end means for the invoice and the subscription it belongs to. */
export function followPayment(world: World, intentId: string, result: PaymentResult): void {
  const note = world.tables.intentNotes.get(intentId);
  if (!note?.invoice) return;
  const intent = world.get("paymentIntents", intentId);
  if (result.kind === "succeeded") {
    markInvoicePaid(world, note.invoice);
    subscriptionPaid(world, subscriptionIdOf(world, note.invoice), idOf(intent.payment_method));
    const { dispute } = cardOf(world, idOf(intent.payment_method));
    if (dispute) openDispute(world, idOf(intent.latest_charge), dispute);
    return;
  }
  const needsAuthentication =
    result.kind === "requires_action" || result.fault.body.code === "authentication_required";
  const invoice = noteInvoiceFailure(world, note.invoice, needsAuthentication);
  subscriptionUnpaid(world, subscriptionOf(invoice), invoice);
}

function subscriptionIdOf(world: World, invoiceId: string): string {
  return subscriptionOf(world.get("invoices", invoiceId));
}

/** An automatic attempt at an open invoice, with nobody present. After the last one the subscription ends. */
export function collectAutomatically(world: World, invoiceId: string): void {
  const invoice = world.get("invoices", invoiceId);
  if (invoice.status !== "open") return;
  const subscription = world.get("subscriptions", subscriptionOf(invoice));
  const method = defaultMethodOf(world, subscription);
  const intentId = intentOf(world, invoiceId);
  if (method !== null && intentId !== null) {
    collectIntent(world, intentId, method, { offSession: true });
  } else {
    const failed = noteInvoiceFailure(world, invoiceId, false);
    subscriptionUnpaid(world, subscription.id, failed);
  }
  const after = world.get("invoices", invoiceId);
  if (after.status === "open" && after.next_payment_attempt === null) {
    cancelForNonPayment(world, subscription.id);
  }
}
