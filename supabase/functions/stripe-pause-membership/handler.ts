import { z } from "zod";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { pauseMembership } from "../_shared/billing/pause.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import type { Deps } from "../_shared/deps.ts";
import { requireMember } from "../_shared/http/caller.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";

const pauseBody = z.object({ months: z.number().int().min(1).max(3) });
const options = {
  name: "stripe-pause-membership",
  failureMessage: "We couldn't pause your membership. Please try again.",
};

/** Pauses the caller's membership for one to three months, from the end of the period that is paid for. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { months } = await parseBody(request, pauseBody);
    await enforceRateLimit(service, caller, "change_renewal");
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    await pauseMembership(billing, service, caller.id, months);
    return jsonResponse(200, { paused: true });
  });
}
