import { z } from "zod";
import { requireVerifiedAdmin, toFunctionError } from "../_shared/http/admin-caller.ts";
import { applyEvent } from "../_shared/billing/events/apply-event.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import type { Deps } from "../_shared/deps.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { handlePost, jsonResponse, errorForLog, FunctionError } from "../_shared/http/responses.ts";
import { serviceClient } from "../_shared/database/service-client.ts";
import { isResourceMissing, stripeClient } from "../_shared/billing/stripe-client.ts";

const retryBody = z.object({ event_id: z.string().regex(/^evt_[\w-]{1,250}$/) });

const options = { name: "admin-retry-event", failureMessage: "The event could not be applied." };

/** Processes a failed event of the card provider again, for an administrator with a second factor. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    const service = serviceClient(deps);
    const { account, client } = await requireVerifiedAdmin(request, service, deps);
    const { event_id: id } = await parseBody(request, retryBody);
    const { data, error } = await client.rpc("admin_failed_event", { event: id });
    if (error !== null) throw toFunctionError(error);
    const [failed] = data;
    if (failed === undefined) {
      throw new FunctionError(404, "event_not_found", "This event has been processed already.");
    }
    const [stripe, database] = [stripeClient(deps), new BillingDatabase(service)];
    const audit = async (outcome: string) => {
      const detail = { event: id, type: failed.event_type, outcome };
      await database.auditMoney(account.id, "billing.event_retried", detail);
    };
    try {
      // Only the provider's own copy is applied.
      const handled = await applyEvent(stripe, database, await stripe.events.retrieve(id));
      await audit("processed");
      await database.clearFailure(id);
      return jsonResponse(200, { handled });
    } catch (cause) {
      await audit("failed");
      if (!(cause instanceof FunctionError)) {
        await database.noteFailure({ id, type: failed.event_type }, errorForLog(cause));
      }
      if (!isResourceMissing(cause)) throw cause;
      const message = "The payment provider no longer has this event.";
      throw new FunctionError(410, "event_expired", message, { cause });
    }
  });
}
