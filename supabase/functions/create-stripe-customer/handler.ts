import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import { ensureCustomer } from "../_shared/billing/customers.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = {
  name: "create-stripe-customer",
  failureMessage: "Failed to create the payment customer",
};

/** Creates the caller's customer at the card provider, or returns the existing one. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    await enforceRateLimit(service, caller, "create_customer");
    const database = new BillingDatabase(service);
    // A known customer is returned without asking the provider; a purchase checks that it still exists.
    const { customer_id: known } = await database.customer(caller.id);
    const customer = known ?? (await ensureCustomer(stripeClient(deps), database, caller));
    return jsonResponse(200, { customer_id: customer });
  });
}
