import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { previewPlanChange } from "../_shared/billing/preview-plan-change.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";

const previewBody = z.object({ price_id: z.string().min(1).max(255) });

const options = {
  name: "stripe-preview-plan-change",
  failureMessage: "Failed to work out the price",
};

/** Says what a change of the caller's plan costs, before it is made. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { price_id: price } = await parseBody(request, previewBody);
    await enforceRateLimit(service, caller, "change_plan");
    const own = await requireOwnSubscription(service, caller.id);
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    const preview = await previewPlanChange(billing, caller, own, price);
    return jsonResponse(200, {
      quote_id: preview.quote,
      kind: preview.kind,
      currency: preview.currency,
      due_now: preview.dueNow,
      lines: preview.lines,
      next_amount: preview.nextAmount,
      next_at: preview.nextAt,
    });
  });
}
