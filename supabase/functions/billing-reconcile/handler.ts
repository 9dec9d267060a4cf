import { z } from "zod";
import { handlePost, jsonResponse } from "../_shared/http/responses.ts";
import { requireScheduler } from "../_shared/http/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { EventReadingDatabase } from "../_shared/billing/event-reading-database.ts";
import { BillingDatabase } from "../_shared/billing/billing-database.ts";
import { CoursePurchases } from "../_shared/billing/course-purchases.ts";
import { isLiveMode, stripeClient } from "../_shared/billing/stripe-client.ts";
import { reconcile } from "../_shared/billing/reconcile.ts";
import { parseBody } from "../_shared/http/request-body.ts";
import { serviceClient } from "../_shared/database/service-client.ts";

const options = { name: "billing-reconcile", failureMessage: "The scheduled run failed." };
const requestBody = z.object({
  /** Compare every customer, not only those that are due. */
  everybody: z.boolean().default(false),
  batch: z.number().int().min(1).max(1000).default(100),
});

/** Repairs what webhooks may have missed. Called by the scheduler with a server key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handlePost(request, options, async () => {
    requireScheduler(request, deps);
    const { everybody, batch } = await parseBody(request, requestBody, "{}");
    const service = serviceClient(deps);
    const billing = {
      stripe: stripeClient(deps),
      database: new BillingDatabase(service),
      purchases: new CoursePurchases(service),
      readings: new EventReadingDatabase(service),
      service,
      isLiveMode: isLiveMode(deps),
    };
    return jsonResponse(200, { ...(await reconcile(billing, everybody, batch)) });
  });
}
