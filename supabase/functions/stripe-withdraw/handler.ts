import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { withdraw } from "../_shared/billing/withdrawal.ts";

const options = {
  name: "stripe-withdraw",
  failureMessage: "We couldn't withdraw your membership. Please try again.",
};

/** Takes the caller's membership back within 14 days of the first payment. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "change_renewal");
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    return jsonResponse(200, { refunded_pence: await withdraw(billing, service, caller.id) });
  });
}
