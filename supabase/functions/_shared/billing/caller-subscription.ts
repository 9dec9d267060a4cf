import { z } from "zod";
import type { DatabaseClient } from "../database/database-client.ts";
import { FunctionError } from "../http/responses.ts";

/** The caller's current customer and subscription at the card provider. */
export interface CallerSubscription {
  customer: string;
  subscription: string;
}

const row = z.object({ customer_id: z.string(), subscription_id: z.string() });

/** The error for a subscription that does not exist, is another member's or is over. */
export function subscriptionNotFound(): FunctionError {
  return new FunctionError(404, "subscription_not_found", "Subscription not found");
}

/**
 * The member's current subscription, looked up by the account. No id comes from the browser.
 * @throws {FunctionError} 404 subscription_not_found without one.
 */
export async function requireOwnSubscription(
  service: DatabaseClient,
  member: string,
): Promise<CallerSubscription> {
  const { data, error } = await service
    .from("stripe_subscriptions")
    .select("customer_id, subscription_id, stripe_customers!inner(user_id)")
    .eq("stripe_customers.user_id", member)
    .is("stripe_customers.deleted_at", null)
    .is("deleted_at", null)
    .not("subscription_id", "is", null)
    .maybeSingle();
  if (error) throw new Error("the subscription cannot be read", { cause: error });
  if (data === null) throw subscriptionNotFound();
  const found = row.parse(data);
  return { customer: found.customer_id, subscription: found.subscription_id };
}
