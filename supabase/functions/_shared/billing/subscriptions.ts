import type Stripe from "stripe";
import type { EventReference, BillingDatabase } from "./billing-database.ts";
import { alignDefaultCard } from "./default-card.ts";
import { isInvalidRequest } from "./stripe-client.ts";
import {
  idOf,
  isActiveSubscription,
  isEndedSubscription,
  toSubscriptionSnapshot,
} from "./subscription-snapshot.ts";
import { writeReading } from "./write-reading.ts";

/** Customer and card, the planned change, and the payment of the latest invoice. The API expands four levels at most. */
const expandedFields = [
  "customer",
  "default_payment_method",
  "schedule",
  "latest_invoice.confirmation_secret",
  "latest_invoice.payments",
];

/**
 * Reads a subscription from the provider and writes its row, the card and the role in one transaction. With an event
 * the effect happens once, however often the event is delivered.
 * @returns the subscription, or null when the event was applied before.
 */
export async function writeSubscription(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
  event?: EventReference,
): Promise<Stripe.Subscription | null> {
  const reading = await writeReading(database, event, async (version) => {
    const subscription = await stripe.subscriptions.retrieve(id, { expand: expandedFields });
    const outcome = await database.apply(version, toSubscriptionSnapshot(subscription), event);
    return { outcome, subscription };
  });
  return reading && reading.subscription;
}

/** As `writeSubscription`; the card becomes the customer's, too. */
export async function syncSubscription(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
  event?: EventReference,
): Promise<Stripe.Subscription | null> {
  const subscription = await writeSubscription(stripe, database, id, event);
  if (subscription !== null) await alignDefaultCard({ stripe, database }, subscription);
  return subscription;
}

/** As `syncSubscription` without an event; never null. */
export async function readSubscription(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
): Promise<Stripe.Subscription> {
  const subscription = await syncSubscription(stripe, database, id);
  if (subscription === null) throw new Error("a reading without an event has no earlier effect");
  return subscription;
}

function latestInvoice(subscription: Stripe.Subscription): Stripe.Invoice | null {
  const invoice = subscription.latest_invoice;
  return typeof invoice === "object" ? invoice : null;
}

/** True when the latest invoice, which must have been expanded, is paid. */
export function isLatestInvoicePaid(subscription: Stripe.Subscription): boolean {
  return latestInvoice(subscription)?.status === "paid";
}

/** The id of the payment behind the latest invoice; null when there was nothing to pay. */
export function latestPaymentIntentOf(subscription: Stripe.Subscription): string | null {
  for (const { payment } of latestInvoice(subscription)?.payments?.data ?? []) {
    if (payment.payment_intent !== undefined) return idOf(payment.payment_intent);
  }
  return null;
}

/** The client secret of the latest invoice, with which the browser completes 3-D Secure. */
export function latestClientSecretOf(subscription: Stripe.Subscription): string | null {
  return latestInvoice(subscription)?.confirmation_secret?.client_secret ?? null;
}

/**
 * Voids the open invoice of an unpaid subscription and ends the subscription. The provider refuses to void a paid
 * invoice, so a subscription that was paid in the meantime is never cancelled.
 * @returns the subscription afterwards: ended, active if it was paid first, or neither while a payment is processing.
 */
export async function abandonUnpaidSubscription(
  stripe: Stripe,
  database: BillingDatabase,
  id: string,
): Promise<Stripe.Subscription> {
  const before = await readSubscription(stripe, database, id);
  if (isActiveSubscription(before) || isEndedSubscription(before)) return before;
  if (before.latest_invoice !== null) await voidInvoice(stripe, idOf(before.latest_invoice));
  const current = await stripe.subscriptions.retrieve(id, { expand: ["latest_invoice"] });
  const outcome = latestInvoice(current)?.status;
  if (outcome !== "paid" && outcome !== "open") await cancelImmediately(stripe, id);
  return await readSubscription(stripe, database, id);
}

async function voidInvoice(stripe: Stripe, id: string): Promise<void> {
  try {
    await stripe.invoices.voidInvoice(id);
  } catch (error) {
    // Paid or voided in the meantime; its status is read next.
    if (!isInvalidRequest(error)) throw error;
  }
}

/** Ends a subscription immediately. Does nothing when it has ended already. */
export async function cancelImmediately(
  stripe: Stripe,
  id: string,
  how: Stripe.SubscriptionCancelParams = {},
): Promise<void> {
  try {
    await stripe.subscriptions.cancel(id, how);
  } catch (error) {
    if (!isInvalidRequest(error)) throw error;
  }
}
