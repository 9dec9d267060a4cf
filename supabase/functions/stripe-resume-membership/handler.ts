import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { resumeMembership } from "../_shared/billing/pause.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { requireMember } from "../_shared/http/caller.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";

const options = {
  name: "stripe-resume-membership",
  failureMessage: "We couldn't resume your membership. Please try again.",
};

/** Takes the caller's paused membership up again, or calls off a pause that has not begun. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "change_renewal");
    const { subscription } = await requireOwnSubscription(service, caller.id);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    if ((await resumeMembership(billing, service, subscription)) === "declined") {
      const message =
        "Your pause is over, but your card was refused. Save another card to come back.";
      throw new FunctionError(402, "payment_declined", message);
    }
    return jsonResponse(200, { resumed: true });
  });
}
