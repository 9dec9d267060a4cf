import { z } from "zod";
import { answer, json } from "../_shared/answers.ts";
import { requireCaller } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { isLiveMode, provider } from "../_shared/provider.ts";
import { purchase } from "../_shared/purchase.ts";
import { holdRate } from "../_shared/rate-limit.ts";
import { readBody } from "../_shared/request-body.ts";
import { serviceClient } from "../_shared/service-client.ts";

const order = z.object({
  price_id: z.string().min(1).max(255),
  payment_method_id: z.string().regex(/^pm_\w{1,250}$/),
});

const manner = {
  name: "stripe-create-subscription-direct",
  failed: "Failed to create subscription",
  refusal: { success: false, requires_action: false },
};

/** Buys a plan of the catalogue with a card the provider's browser script has already seen. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    const service = serviceClient(deps);
    const caller = await requireCaller(
      request,
      service,
      "No active session. Please sign in again.",
    );
    const { price_id: price, payment_method_id: paymentMethod } = await readBody(request, order);
    await holdRate(service, caller, "purchase");
    const till = {
      stripe: provider(deps),
      ledger: new Ledger(service),
      isLiveMode: isLiveMode(deps),
    };
    const receipt = await purchase(till, caller, { price, paymentMethod });
    if (receipt.kind === "paid") return json(200, { success: true, requires_action: false });
    return json(200, {
      success: false,
      requires_action: true,
      client_secret: receipt.clientSecret,
    });
  });
}
