import { z } from "zod";
import { toFunctionError, requireVerifiedAdmin } from "../_shared/http/admin-caller.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { changeRenewal } from "../_shared/billing/renewal.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";

const stopBody = z.object({ member_id: z.uuid(), reason: z.string().max(1000) });

const options = {
  name: "admin-stop-renewal",
  failureMessage: "The membership could not be stopped.",
};

/** Ends a member's subscription with its current period, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const { client } = await requireVerifiedAdmin(request, service, deps);
    const { member_id: member, reason } = await parseBody(request, stopBody);
    const { data, error } = await client.rpc("admin_begin_stop_renewal", { member, reason });
    if (error !== null) throw toFunctionError(error);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const { isChanged } = await changeRenewal(billing, z.string().parse(data), {
      ...options,
      ends: true,
    });
    return jsonResponse(200, { changed: isChanged });
  });
}
