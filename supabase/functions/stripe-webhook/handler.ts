import { applyEvent } from "../_shared/billing/events/apply-event.ts";
import { errorForLog, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { parseWebhookEvent, verifyWebhook } from "../_shared/billing/verify-webhook.ts";

const options = { name: "stripe-webhook", failureMessage: "The event could not be applied." };

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
    const handled = await applyEvent(stripe, database, event).catch(async (error: unknown) => {
      await database.noteFailure({ id: event.id, type: event.type }, errorForLog(error));
      throw error;
    });
    return jsonResponse(200, { received: true, handled });
  });
}
