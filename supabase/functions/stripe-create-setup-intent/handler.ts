import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const options = {
  name: "stripe-create-setup-intent",
  failureMessage: "Failed to update your card",
};

/** Begins saving another card for the caller's subscription. Nothing is charged and nothing changes yet. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "update_card");
    const { customer } = await requireOwnSubscription(service, caller.id);
    const setup = await stripeClient(deps).setupIntents.create({
      customer,
      usage: "off_session",
      allowed_payment_method_types: ["card"],
      metadata: { user_id: caller.id },
    });
    return jsonResponse(200, { client_secret: setup.client_secret });
  });
}
