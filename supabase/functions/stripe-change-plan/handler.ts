import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { changePlan } from "../_shared/billing/plan-change.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";

const changeBody = z.object({ quote_id: z.uuid() });

const options = {
  name: "stripe-change-plan",
  failureMessage: "Failed to change your plan",
  errorFields: { success: false, requires_action: false },
};

/** Changes the caller's plan as a preview said: up at once, down when the period ends. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { quote_id: quote } = await parseBody(request, changeBody);
    await enforceRateLimit(service, caller, "change_plan");
    const own = await requireOwnSubscription(service, caller.id);
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    const result = await changePlan(billing, caller, own, quote);
    if (result.kind === "needs_action") {
      return jsonResponse(200, {
        success: false,
        requires_action: true,
        client_secret: result.clientSecret,
        change_id: result.changeId,
      });
    }
    return jsonResponse(200, { success: true, requires_action: false, result: result.kind });
  });
}
