import { handlePost, jsonResponse } from "../_shared/responses.ts";
import { requireMember } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing-database.ts";
import { requireOwnSubscription } from "../_shared/own-subscription.ts";
import { discardPlannedChange } from "../_shared/planned-change.ts";
import { enforceRateLimit } from "../_shared/rate-limit.ts";
import { serviceClient } from "../_shared/service-client.ts";
import { stripeClient } from "../_shared/stripe-client.ts";
import { readSubscription } from "../_shared/subscriptions.ts";

const options = {
  name: "stripe-cancel-plan-change",
  failureMessage: "Failed to undo the change of plan",
};

/** Undoes the caller's planned change of plan, or one that waits for its payment. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "change_plan");
    const own = await requireOwnSubscription(service, caller.id);
    const [stripe, database] = [stripeClient(deps), new BillingDatabase(service)];
    await discardPlannedChange(stripe, await readSubscription(stripe, database, own.subscription));
    await readSubscription(stripe, database, own.subscription);
    return jsonResponse(200, { message: "You stay on your current plan." });
  });
}
