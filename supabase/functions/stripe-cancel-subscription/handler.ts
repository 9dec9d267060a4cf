import type { Deps } from "../_shared/deps.ts";
import { handleRenewal } from "../_shared/billing/renewal.ts";

/** Ends the caller's subscription with its current period. */
export default async function handle(request: Request, deps: Deps): Promise<Response> {
  return await handleRenewal(request, deps, {
    name: "stripe-cancel-subscription",
    ends: true,
    done: "Subscription will be canceled at the end of your current billing period",
    failureMessage: "Failed to cancel subscription",
  });
}
