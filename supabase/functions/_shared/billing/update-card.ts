import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { CallerSubscription } from "./caller-subscription.ts";
import { setDefaultCard } from "./default-card.ts";
import { syncInvoice } from "./invoices.ts";
import { FunctionError } from "../http/responses.ts";
import { cardErrorOf, isInvalidRequest, isResourceMissing } from "./stripe-client.ts";
import { idOf, isActiveSubscription } from "./subscription-snapshot.ts";
import { readSubscription } from "./subscriptions.ts";

/** Saved, with the open invoice paid if there was one; or the bank asks the member to approve that payment. */
export type CardUpdate =
  | { kind: "saved"; isPaid: boolean }
  /** `invoicesLeft` counts the open invoices, this one included. */
  | { kind: "needs_action"; clientSecret: string; invoicesLeft: number };

const setupNotFound = () =>
  new FunctionError(404, "setup_not_found", "This card was not found. Please enter it again.");

/** The saved payment method of a setup that belongs to the customer. */
async function savedMethodOf(stripe: Stripe, setupId: string, customer: string): Promise<string> {
  let setup: Stripe.SetupIntent;
  try {
    setup = await stripe.setupIntents.retrieve(setupId);
  } catch (error) {
    if (isResourceMissing(error)) throw setupNotFound();
    throw error;
  }
  if (idOf(setup.customer) !== customer) throw setupNotFound();
  const method = idOf(setup.payment_method);
  if (setup.status === "succeeded" && method !== null) return method;
  throw new FunctionError(
    409,
    "setup_not_complete",
    "Your bank has not confirmed this card. Please enter it again.",
  );
}

/**
 * Makes the card of a completed setup the one that pays, and pays what is owed with it when the subscription is past due.
 * Safe to repeat, and to be repeated after each question of the bank: a paid invoice is not open any more.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function updateCard(
  billing: BillingClients,
  own: CallerSubscription,
  setupId: string,
): Promise<CardUpdate> {
  const { stripe, database } = billing;
  const method = await savedMethodOf(stripe, setupId, own.customer);
  const held = await readSubscription(stripe, database, own.subscription);
  if (!isActiveSubscription(held) && held.status !== "past_due") {
    throw new FunctionError(409, "subscription_not_active", "This subscription is not active.");
  }
  await stripe.subscriptions.update(held.id, { default_payment_method: method });
  await setDefaultCard(stripe, held, method);
  if (held.status !== "past_due") {
    await readSubscription(stripe, database, held.id);
    return { kind: "saved", isPaid: false };
  }
  try {
    const asked = await payOpenInvoices(billing, held.id, method, setupId);
    if (asked !== null) return { kind: "needs_action", ...asked };
  } finally {
    await readSubscription(stripe, database, held.id);
  }
  return { kind: "saved", isPaid: true };
}

/**
 * Pays the open invoices, oldest first. The newest decides whether the subscription is past due, so a call after each
 * question comes back here until none is left.
 * @returns the client secret of the first payment that the bank wants the member to approve, or null.
 */
async function payOpenInvoices(
  billing: BillingClients,
  subscription: string,
  method: string,
  setupId: string,
): Promise<{ clientSecret: string; invoicesLeft: number } | null> {
  const { stripe } = billing;
  const { data } = await stripe.invoices.list({ subscription, status: "open", limit: 100 });
  for (const [paid, { id }] of data.toReversed().entries()) {
    const clientSecret = await payInvoice(stripe, id, method, setupId);
    if (clientSecret !== null) return { clientSecret, invoicesLeft: data.length - paid };
    // The member's page lists it as paid at once, and not when the webhook has come.
    await syncInvoice(billing, id);
  }
  return null;
}

async function payInvoice(
  stripe: Stripe,
  id: string,
  method: string,
  setupId: string,
): Promise<string | null> {
  try {
    await stripe.invoices.pay(
      id,
      { payment_method: method, off_session: false },
      { idempotencyKey: `card-${setupId}-${id}` },
    );
    return null;
  } catch (error) {
    const declined = cardErrorOf(error);
    if (!declined && !isInvalidRequest(error)) throw error;
    // The invoice's state decides: it may have been paid meanwhile, or wait for the bank's question.
    const invoice = await stripe.invoices.retrieve(id, {
      expand: ["confirmation_secret", "payments.data.payment.payment_intent"],
    });
    if (invoice.status !== "open") return null;
    const clientSecret = invoice.confirmation_secret?.client_secret ?? null;
    if (clientSecret !== null && isWaitingForMember(invoice)) return clientSecret;
    if (!declined) throw error;
    throw new FunctionError(402, "payment_declined", declined.message, { cause: error });
  }
}

function isWaitingForMember(invoice: Stripe.Invoice): boolean {
  return (invoice.payments?.data ?? []).some(({ payment: { payment_intent: intent } }) => {
    return typeof intent === "object" && intent.status === "requires_action";
  });
}
