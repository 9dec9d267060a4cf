import { z } from "zod";
import { FunctionError, handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { discardPlannedChange } from "../_shared/billing/planned-change.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { pendingChangeOf } from "../_shared/billing/subscription-snapshot.ts";
import { readSubscription } from "../_shared/billing/subscriptions.ts";

const undoBody = z.object({ change_id: z.string().regex(/^(?:sub_sched|in)_\w{1,250}$/) });

const options = {
  name: "stripe-cancel-plan-change",
  failureMessage: "Failed to undo the change of plan",
};

/**
 * Undoes the caller's planned change of plan, or one that waits for its payment. The page names the change it shows, so
 * that an older page does not undo another one.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { change_id: change } = await parseBody(request, undoBody);
    await enforceRateLimit(service, caller, "change_plan");
    const own = await requireOwnSubscription(service, caller.id);
    const [stripe, database] = [stripeClient(deps), new BillingDatabase(service)];
    const held = await readSubscription(stripe, database, own.subscription);
    if (pendingChangeOf(held).pending_change_id !== change) {
      throw new FunctionError(
        409,
        "change_not_planned",
        "This change of plan is not planned any more. Refresh the page to see your membership.",
      );
    }
    await discardPlannedChange(stripe, held);
    const after = await readSubscription(stripe, database, own.subscription);
    if (pendingChangeOf(after).pending_change_id === change) {
      throw new Error("the change of plan is still there");
    }
    return jsonResponse(200, { message: "You stay on your current plan." });
  });
}
