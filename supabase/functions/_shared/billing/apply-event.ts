import type Stripe from "stripe";
import type { BillingDatabase } from "./billing-database.ts";
import { syncCharge } from "./charges.ts";
import { subjectOf } from "./event-subject.ts";
import { syncInvoice } from "./invoices.ts";
import { isResourceMissing } from "./stripe-client.ts";
import { syncSubscription } from "./subscriptions.ts";

/** Updates the database from the object an event is about. False when nothing was changed. */
export async function applyEvent(
  stripe: Stripe,
  database: BillingDatabase,
  event: Stripe.Event,
): Promise<boolean> {
  const subject = subjectOf(event);
  const reference = { id: event.id, type: event.type };
  if (subject.kind === "nothing") return false;
  try {
    if (subject.kind === "subscription") {
      return (await syncSubscription(stripe, database, subject.id, reference)) !== null;
    }
    if (subject.kind === "invoice") {
      await syncInvoice({ stripe, database }, subject.id);
      return (await syncSubscription(stripe, database, subject.subscription, reference)) !== null;
    }
    if (subject.kind === "charge")
      return await syncCharge({ stripe, database }, subject.id, reference);
    const customer = await stripe.customers.retrieve(subject.id);
    return customer.deleted === true && (await database.dropCustomer(subject.id, reference));
  } catch (error) {
    // The object no longer exists at the provider.
    if (isResourceMissing(error)) return false;
    throw error;
  }
}
