import type Stripe from "stripe";
import { errorForLog, handlePost, jsonResponse } from "../_shared/responses.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { syncCharge } from "../_shared/charges.ts";
import { subjectOf } from "../_shared/event-subject.ts";
import { syncInvoice } from "../_shared/invoices.ts";
import { BillingDatabase } from "../_shared/billing-database.ts";
import { isLiveMode, isResourceMissing, stripeClient } from "../_shared/stripe-client.ts";
import { serviceClient } from "../_shared/service-client.ts";
import { parseWebhookEvent, verifyWebhook } from "../_shared/verify-webhook.ts";
import { syncSubscription } from "../_shared/subscriptions.ts";

const options = { name: "stripe-webhook", failureMessage: "The event could not be applied." };

/** Updates the database from the object an event is about. False when nothing was changed. */
async function apply(
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

/** Receives the card provider's signed events. After any response but a 2xx the provider sends the event again. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const stripe = stripeClient(deps);
    const signed = await verifyWebhook(
      stripe,
      await request.text(),
      request.headers.get("stripe-signature"),
      requireEnv(deps, "STRIPE_WEBHOOK_SECRET"),
      Date.now(),
    );
    const event = parseWebhookEvent(signed, isLiveMode(deps));
    const database = new BillingDatabase(serviceClient(deps));
    const handled = await apply(stripe, database, event).catch(async (error: unknown) => {
      await database.noteFailure({ id: event.id, type: event.type }, errorForLog(error));
      throw error;
    });
    return jsonResponse(200, { received: true, handled });
  });
}
