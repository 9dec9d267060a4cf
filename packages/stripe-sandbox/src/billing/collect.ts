import type Stripe from "stripe";
import type { SandboxState } from "../sandbox-state.ts";
import {
  finalizeInvoice,
  intentOf,
  markInvoicePaid,
  noteInvoiceFailure,
  subscriptionOf,
} from "./invoice-steps.ts";
import {
  answerChallenge,
  payIntent,
  type PaymentOptions,
  type PaymentResult,
} from "./pay-intent.ts";
import { openDispute } from "./disputes.ts";
import { warnOfFraud } from "./early-fraud-warnings.ts";
import { cardOf } from "./payment-methods.ts";
import { answerSetupChallenge } from "./set-up-card.ts";
import { cancelForNonPayment, subscriptionPaid, subscriptionUnpaid } from "./subscription-steps.ts";
import { expandableId } from "../ids.ts";

/** The method that an invoice, or those of a subscription, are charged to: its own, else the customer's. */
export function defaultMethodOf(
  state: SandboxState,
  { customer: owner, default_payment_method: own }: Payer,
): string | null {
  if (typeof own === "string") return own;
  const customer = state.get("customers", expandableId(owner));
  const fallback = customer.invoice_settings.default_payment_method;
  return typeof fallback === "string" ? fallback : null;
}

type Payer = Pick<Stripe.Subscription | Stripe.Invoice, "customer" | "default_payment_method">;

/** Pays an intent and updates its invoice and subscription. */
export function payIntentAndUpdateInvoice(
  state: SandboxState,
  intentId: string,
  methodId: string,
  options: PaymentOptions,
): PaymentResult {
  const result = payIntent(state, intentId, methodId, options);
  applyPaymentResult(state, intentId, result, options.isScheduled === true);
  return result;
}

/** Updates the invoice and subscription of a payment from its result, if it has them, and lets its card dispute it. */
function applyPaymentResult(
  state: SandboxState,
  intentId: string,
  result: PaymentResult,
  isScheduled: boolean,
): void {
  const invoiceId = state.tables.intentNotes.get(intentId)?.invoice ?? null;
  if (result.kind === "succeeded") {
    const intent = state.get("paymentIntents", intentId);
    const method = expandableId(intent.payment_method);
    if (invoiceId !== null) {
      markInvoicePaid(state, invoiceId);
      subscriptionPaid(state, subscriptionIdOf(state, invoiceId), method);
    }
    const { dispute, isWarnedOf } = cardOf(state, method);
    if (isWarnedOf === true) warnOfFraud(state, intent);
    if (dispute) openDispute(state, expandableId(intent.latest_charge), dispute);
    return;
  }
  if (invoiceId === null) return;
  const needsAuthentication =
    result.kind === "requires_action" || result.error.body.code === "authentication_required";
  const invoice = noteInvoiceFailure(state, invoiceId, needsAuthentication, isScheduled);
  if (subscriptionOf(invoice) !== "") subscriptionUnpaid(state, subscriptionOf(invoice), invoice);
}

/** Completes or fails the open challenge of a payment or a setup. */
export function answerIntentChallenge(state: SandboxState, id: string, accepted: boolean): void {
  if (state.find("setupIntents", id)) answerSetupChallenge(state, id, accepted);
  else applyPaymentResult(state, id, answerChallenge(state, id, accepted), false);
}

function subscriptionIdOf(state: SandboxState, invoiceId: string): string {
  return subscriptionOf(state.get("invoices", invoiceId));
}

/** An automatic off-session attempt at an open invoice. After the last one fails, the subscription ends. */
export function collectAutomatically(state: SandboxState, invoiceId: string): void {
  const invoice = state.get("invoices", invoiceId);
  if (invoice.status !== "open") return;
  const subscription = state.find("subscriptions", subscriptionOf(invoice));
  const method = defaultMethodOf(state, subscription ?? invoice);
  const intentId = intentOf(state, invoiceId);
  if (method !== null && intentId !== null) {
    payIntentAndUpdateInvoice(state, intentId, method, { offSession: true, isScheduled: true });
  } else {
    const failed = noteInvoiceFailure(state, invoiceId, false, true);
    if (subscription) subscriptionUnpaid(state, subscription.id, failed);
  }
  const after = state.get("invoices", invoiceId);
  if (subscription && after.status === "open" && after.next_payment_attempt === null) {
    cancelForNonPayment(state, subscription.id);
  }
}

/** Charges a draft to the card that the subscription has by now. */
export function finalizeAndCollect(state: SandboxState, id: string): void {
  const invoice = state.get("invoices", id);
  const subscription = state.find("subscriptions", subscriptionOf(invoice));
  finalizeInvoice(state, id, defaultMethodOf(state, subscription ?? invoice));
  collectAutomatically(state, id);
}
