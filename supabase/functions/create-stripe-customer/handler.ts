import { handlePost, jsonResponse } from "../_shared/responses.ts";
import { requireCaller } from "../_shared/caller.ts";
import { ensureCustomer } from "../_shared/customers.ts";
import type { Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { stripeClient } from "../_shared/stripe-client.ts";
import { enforceRateLimit } from "../_shared/rate-limit.ts";
import { serviceClient } from "../_shared/service-client.ts";

const options = {
  name: "create-stripe-customer",
  failureMessage: "Failed to create the payment customer",
};

/** Makes the caller a customer of the card provider, once however often it is asked. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireCaller(request, service, "No active session");
    await enforceRateLimit(service, caller, "create_customer");
    const ledger = new Ledger(service);
    // Whoever has a customer never reaches the provider again from here; a purchase looks whether it still exists.
    const { customer_id: known } = await ledger.customer(caller.id);
    const customer = known ?? (await ensureCustomer(stripeClient(deps), ledger, caller));
    return jsonResponse(200, { customer_id: customer });
  });
}
