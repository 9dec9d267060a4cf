import { answer, json } from "../_shared/answers.ts";
import { requireCaller } from "../_shared/caller.ts";
import { ensureCustomer } from "../_shared/customers.ts";
import type { Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { provider } from "../_shared/provider.ts";
import { holdRate } from "../_shared/rate-limit.ts";
import { serviceClient } from "../_shared/service-client.ts";

const manner = { name: "create-stripe-customer", failed: "Failed to create the payment customer" };

/** Makes the caller a customer of the card provider, once however often it is asked. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    const service = serviceClient(deps);
    const caller = await requireCaller(request, service, "No active session");
    await holdRate(service, caller, "create_customer");
    const ledger = new Ledger(service);
    // Whoever has a customer never reaches the provider again from here; a purchase looks whether it still exists.
    const { customer_id: known } = await ledger.customer(caller.id);
    const customer = known ?? (await ensureCustomer(provider(deps), ledger, caller));
    return json(200, { customer_id: customer });
  });
}
