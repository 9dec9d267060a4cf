import { z } from "zod";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireMember } from "../_shared/http/caller.ts";
import { requireCode } from "../_shared/billing/codes.ts";
import type { Deps } from "../_shared/deps.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";

const previewBody = z.object({
  price_id: z.string().min(1).max(255),
  code: z.string().trim().min(1).max(100),
});

const options = { name: "stripe-preview-code", failureMessage: "The code could not be checked." };

/** Says what a code gives for a plan, before anything is bought. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { price_id: price, code } = await parseBody(request, previewBody);
    await enforceRateLimit(service, caller, "preview_code");
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    const offer = await requireCode(billing, service, caller, { code, price, redeem: false });
    return jsonResponse(200, {
      code: offer.code,
      trial_days: offer.trialDays,
      currency: offer.currency,
      due_now: offer.dueNow,
      while_it_lasts: offer.whileItLasts,
      months: offer.months,
      afterwards: offer.afterwards,
    });
  });
}
