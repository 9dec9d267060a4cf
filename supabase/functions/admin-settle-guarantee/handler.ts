import { z } from "zod";
import { toFunctionError, requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { settleClaim } from "../_shared/billing/settle-claim.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const settleBody = z.object({ claim_id: z.uuid() });

const options = {
  name: "admin-settle-guarantee",
  failureMessage: "The refunds could not be made.",
};

/** Settles a granted claim under the guarantee at once, for an administrator with a fresh code of the second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const admin = await requireVerifiedAdmin(request, service, deps);
    const { claim_id } = await parseBody(request, settleBody);
    const { error } = await admin.client.rpc("guarantee_settlement", { claim_id });
    if (error !== null) throw toFunctionError(error);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const settled = await settleClaim(billing, service, claim_id, admin.account.id);
    return jsonResponse(200, { ...settled });
  });
}
