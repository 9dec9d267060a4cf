import { answer, json } from "../_shared/answers.ts";
import { requireCaller } from "../_shared/caller.ts";
import { ensureCustomer } from "../_shared/customers.ts";
import type { Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { provider } from "../_shared/provider.ts";
import { serviceClient } from "../_shared/service-client.ts";

const manner = { name: "create-stripe-customer", failed: "Failed to create the payment customer" };

/** Makes the caller a customer of the card provider, once however often it is asked. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    const service = serviceClient(deps);
    const caller = await requireCaller(request, service, "No active session");
    const customer = await ensureCustomer(provider(deps), new Ledger(service), caller);
    return json(200, { customer_id: customer });
  });
}
