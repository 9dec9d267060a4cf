import type { Deps } from "../_shared/deps.ts";
import { handleRenewal } from "../_shared/billing/renewal.ts";

/** Removes a planned end of the caller's subscription. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handleRenewal(request, deps, {
    name: "stripe-uncancel-subscription",
    ends: false,
    done: "Subscription has been reactivated and will continue to renew",
    failureMessage: "Failed to uncancel subscription",
  });
}
