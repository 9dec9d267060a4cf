import { z } from "zod";
import { answer, json, Refusal } from "../_shared/answers.ts";
import { bearerToken } from "../_shared/caller.ts";
import { setting, type Deps } from "../_shared/deps.ts";
import { Ledger } from "../_shared/ledger.ts";
import { provider } from "../_shared/provider.ts";
import { reconcile } from "../_shared/reconcile.ts";
import { readBody } from "../_shared/request-body.ts";
import { serviceClient } from "../_shared/service-client.ts";

const manner = { name: "billing-reconcile", failed: "The round could not be finished." };
const wish = z.object({
  /** Look at every customer, not only at those who seem to need it. */
  everybody: z.boolean().default(false),
  batch: z.number().int().min(1).max(1000).default(100),
});

/** Compares without telling by its duration where two texts differ. */
function isSame(given: string, expected: string): boolean {
  const [a, b] = [new TextEncoder().encode(given), new TextEncoder().encode(expected)];
  let difference = a.length ^ b.length;
  for (let place = 0; place < b.length; place += 1) difference |= (a[place] ?? 0) ^ (b[place] ?? 0);
  return difference === 0;
}

/** The regular round over what webhooks may have missed. For the scheduler, with the service key. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await answer(request, manner, async () => {
    const key = setting(deps, "SUPABASE_SERVICE_ROLE_KEY");
    if (!isSame(bearerToken(request) ?? "", key)) {
      throw new Refusal(403, "forbidden", "Only the scheduler may call this.");
    }
    const { everybody, batch } = await readBody(request, wish, "{}");
    const work = { stripe: provider(deps), ledger: new Ledger(serviceClient(deps)) };
    return json(200, { ...(await reconcile(work, everybody, batch)) });
  });
}
