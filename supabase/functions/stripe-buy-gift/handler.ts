import { z } from "zod";
import { buyGift, GiftPurchases } from "../_shared/billing/gifts.ts";
import { requireMember } from "../_shared/http/caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const requestBody = z.object({
  request_id: z.uuid(),
  plan_id: z.string().min(1).max(80),
  months: z.number().int().min(1).max(12),
  /** The price that the page showed, in pence; Postgres counts in 32 bits. */
  amount_pence: z.int32().positive(),
  payment_method_id: z.string().regex(/^pm_\w{1,250}$/),
});

const options = {
  name: "stripe-buy-gift",
  failureMessage: "The gift couldn't be bought.",
  errorFields: { success: false, requires_action: false },
};

/** Buys a gift membership with a payment method created in the browser, at the price in the database. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(
      request,
      service,
      "No active session. Please sign in again.",
    );
    const body = await parseBody(request, requestBody);
    await enforceRateLimit(service, caller, "purchase");
    const context = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      purchases: new GiftPurchases(service),
    };
    const result = await buyGift(context, caller, {
      request: body.request_id,
      plan: body.plan_id,
      months: body.months,
      expectedPence: body.amount_pence,
      paymentMethod: body.payment_method_id,
    });
    if (result.kind === "paid") return jsonResponse(200, { success: true, requires_action: false });
    return jsonResponse(200, {
      success: false,
      requires_action: true,
      client_secret: result.clientSecret,
    });
  });
}
