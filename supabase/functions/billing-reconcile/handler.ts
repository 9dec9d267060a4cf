import { z } from "zod";
import { answer, json } from "../_shared/answers.ts";
import { requireScheduler } from "../_shared/caller.ts";
import type { Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { isLiveMode, provider } from "../_shared/provider.ts";
import { reconcile } from "../_shared/reconcile.ts";
import { readBody } from "../_shared/request-body.ts";
import { serviceClient } from "../_shared/service-client.ts";

const manner = { name: "billing-reconcile", failed: "The round could not be finished." };
const wish = z.object({
  /** Look at every customer, not only at those who seem to need it. */
  everybody: z.boolean().default(false),
  batch: z.number().int().min(1).max(1000).default(100),
});

/** The regular round over what webhooks may have missed. For the scheduler, with the service key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    requireScheduler(request, deps);
    const { everybody, batch } = await readBody(request, wish, "{}");
    const work = {
      stripe: provider(deps),
      ledger: new Ledger(serviceClient(deps)),
      isLiveMode: isLiveMode(deps),
    };
    return json(200, { ...(await reconcile(work, everybody, batch)) });
  });
}
