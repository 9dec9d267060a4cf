import { z } from "zod";
import { requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { sellAtPrice } from "../_shared/billing/plan-prices.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";

const priceBody = z.object({
  request_id: z.uuid(),
  plan_id: z.string().max(100),
  interval: z.enum(["month", "year"]),
  amount_pence: z.number().int().min(100).max(10_000_000),
  reason: z.string().trim().min(1).max(500),
});

const options = {
  name: "admin-plan-prices",
  failureMessage: "The payment provider did not answer.",
};

/** Puts a new price of a plan on sale, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const admin = await requireVerifiedAdmin(request, service, deps);
    const body = await parseBody(request, priceBody);
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      isLiveMode: isLiveMode(deps),
    };
    const price = await sellAtPrice(billing, admin, {
      id: body.request_id,
      plan: body.plan_id,
      interval: body.interval,
      amount: body.amount_pence,
      reason: body.reason,
    });
    return jsonResponse(200, { price_id: price });
  });
}
