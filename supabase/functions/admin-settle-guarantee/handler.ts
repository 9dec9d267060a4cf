import { z } from "zod";
import { refusalOf, requireVerifiedAdmin } from "../_shared/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { refundPayment } from "../_shared/refund-payment.ts";
import { changeRenewal } from "../_shared/renewal.ts";
import { parseBody } from "../_shared/request-body.ts";
import { errorForLog, FunctionError, handlePost, jsonResponse } from "../_shared/responses.ts";
import { serviceClient } from "../_shared/service-client.ts";
import { stripeClient } from "../_shared/stripe-client.ts";

const settleBody = z.object({ claim_id: z.uuid() });

const settlement = z.object({
  member_id: z.string(),
  refunds: z.array(
    z.object({
      request_id: z.string(),
      payment_id: z.string(),
      amount_pence: z.number(),
      reason: z.string(),
    }),
  ),
});

const options = {
  name: "admin-settle-guarantee",
  failureMessage: "The refunds could not be made.",
};

/** No subscription renews: nothing to stop. */
const noRenewal = "FF520";

/**
 * Carries out a granted claim under the guarantee: no further charge, and each payment refunded once. Repeating the call
 * goes on where the last one ended. A payment that the provider refuses is left for the next call and counted.
 */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const admin = await requireVerifiedAdmin(request, service, deps);
    const { claim_id } = await parseBody(request, settleBody);
    const { data, error } = await admin.client.rpc("guarantee_settlement", { claim_id });
    if (error !== null) throw refusalOf(error);
    const { member_id: member, refunds } = settlement.parse(data);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const renewal = await admin.client.rpc("admin_begin_stop_renewal", {
      member,
      reason: "Guarantee",
    });
    if (renewal.error === null) {
      await changeRenewal(billing, z.string().parse(renewal.data), { ...options, ends: true });
    } else if (renewal.error.code !== noRenewal) {
      throw refusalOf(renewal.error);
    }
    let refunded = 0;
    for (const refund of refunds) {
      try {
        await refundPayment(billing, service, admin, {
          id: refund.request_id,
          payment: refund.payment_id,
          amount: refund.amount_pence,
          reason: refund.reason,
        });
        refunded += 1;
      } catch (cause) {
        if (!(cause instanceof FunctionError)) throw cause;
        console.error(`${options.name}: ${errorForLog(cause)}`);
      }
    }
    return jsonResponse(200, { refunded, left: refunds.length - refunded });
  });
}
