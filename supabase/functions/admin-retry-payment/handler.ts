import { z } from "zod";
import { toFunctionError, requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { retryPayment } from "../_shared/billing/retry-payment.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const retryBody = z.object({ request_id: z.uuid(), invoice_id: z.string().regex(/^\w{1,255}$/) });
const begun = z.object({ member_id: z.uuid(), subscription_id: z.string() });

const options = {
  name: "admin-retry-payment",
  failureMessage: "We don't know whether the payment was taken. Look before you repeat it.",
};

/** Takes a renewal's failed payment again, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const { account, client } = await requireVerifiedAdmin(request, service, deps);
    const { request_id: id, invoice_id: invoice } = await parseBody(request, retryBody);
    const { data, error } = await client.rpc("admin_begin_payment_retry", { invoice });
    if (error !== null) throw toFunctionError(error);
    const { member_id: member, subscription_id: subscription } = begun.parse(data);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const refusal = await retryPayment(billing, { id, invoice, subscription });
    const detail = { invoice, ...(refusal !== null && { reason: refusal.reason }) };
    const action = refusal === null ? "payment.retry_paid" : "payment.retry_declined";
    await billing.database.auditMoney(account.id, action, detail, member);
    if (refusal === null) return jsonResponse(200, { paid: true });
    const { reason, message } = refusal;
    return jsonResponse(402, { code: "payment_declined", error: message, reason });
  });
}
