import { applyEvent } from "../_shared/apply-event.ts";
import { handlePost, jsonResponse, errorForLog, FunctionError } from "../_shared/responses.ts";
import { requireEnv, type Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing-database.ts";
import { isLiveMode, stripeClient } from "../_shared/stripe-client.ts";
import { serviceClient } from "../_shared/service-client.ts";
import { parseWebhookEvent, verifyWebhook } from "../_shared/verify-webhook.ts";

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
    try {
      return jsonResponse(200, {
        received: true,
        handled: await applyEvent(stripe, database, event),
      });
    } catch (error) {
      // Administrators see what could not be applied. A malformed event never can be.
      if (!(error instanceof FunctionError)) await keepFailure(database, event, error);
      throw error;
    }
  });
}

async function keepFailure(
  database: BillingDatabase,
  { id, type }: { id: string; type: string },
  error: unknown,
): Promise<void> {
  try {
    await database.noteFailure({ id, type }, errorForLog(error));
  } catch (cause) {
    console.error(`${options.name}: ${errorForLog(cause)}`);
  }
}
