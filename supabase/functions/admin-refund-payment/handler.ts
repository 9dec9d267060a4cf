import { z } from "zod";
import { requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { refundPayment } from "../_shared/billing/refund-payment.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const refundBody = z.object({
  request_id: z.uuid(),
  payment_id: z.string().regex(/^\w{1,255}$/),
  amount_pence: z.number().int().min(1).max(100_000_000),
  reason: z.string().max(1000),
});

const options = { name: "admin-refund-payment", failureMessage: "The refund could not be made." };

/** Refunds a payment in part or whole, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const admin = await requireVerifiedAdmin(request, service, deps);
    const body = await parseBody(request, refundBody);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const { refund, status } = await refundPayment(billing, service, admin, {
      id: body.request_id,
      payment: body.payment_id,
      amount: body.amount_pence,
      reason: body.reason,
    });
    return jsonResponse(200, { refund_id: refund, status });
  });
}
