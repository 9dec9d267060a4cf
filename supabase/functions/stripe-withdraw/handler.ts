import { z } from "zod";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { withdraw } from "../_shared/billing/withdrawal.ts";

const withdrawalBody = z.object({
  /** The course that is given back; without it, the membership. */
  purchase_id: z.uuid().nullable().default(null),
});
const options = {
  name: "stripe-withdraw",
  failureMessage: "We couldn't take your withdrawal. Please try again.",
};

/** Takes the caller's membership back within 14 days of the first payment, or a course within 14 days of buying it. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "change_renewal");
    const { purchase_id: purchase } = await parseBody(request, withdrawalBody, "{}");
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    return jsonResponse(200, {
      refunded_pence: await withdraw(billing, service, caller.id, purchase),
    });
  });
}
