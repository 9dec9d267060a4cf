import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireMember } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { requireOwnSubscription } from "../_shared/billing/caller-subscription.ts";
import { enforceRateLimit } from "../_shared/http/rate-limit.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { stripeClient } from "../_shared/billing/stripe-client.ts";
import { updateCard } from "../_shared/billing/update-card.ts";

const cardBody = z.object({ setup_intent_id: z.string().regex(/^seti_\w{1,250}$/) });

const options = {
  name: "stripe-update-card",
  failureMessage: "Failed to update your card",
  errorFields: { success: false, requires_action: false },
};

/** Makes a card the caller has just set up the one that pays, and pays what is overdue. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const caller = await requireMember(request, service, "No active session");
    const { setup_intent_id: setup } = await parseBody(request, cardBody);
    await enforceRateLimit(service, caller, "update_card");
    const own = await requireOwnSubscription(service, caller.id);
    const billing = { stripe: stripeClient(deps), database: new BillingDatabase(service) };
    const result = await updateCard(billing, own, setup);
    if (result.kind === "needs_action") {
      return jsonResponse(200, {
        success: false,
        requires_action: true,
        client_secret: result.clientSecret,
        invoices_left: result.invoicesLeft,
      });
    }
    return jsonResponse(200, { success: true, requires_action: false, paid: result.isPaid });
  });
}
