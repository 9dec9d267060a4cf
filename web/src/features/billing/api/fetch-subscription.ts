import type { BackendClient } from "@/lib/backend-client.ts";
import type { Subscription } from "../model/subscription.ts";

/**
 * Reads the member's subscription, found through the provider's customer in one question. Null without either. Throws the
 * database's error.
 */
export async function fetchSubscription(
  client: BackendClient,
  userId: string,
): Promise<Subscription | null> {
  const { data, error } = await client
    .from("stripe_subscriptions")
    .select("*, stripe_customers!inner()")
    .eq("stripe_customers.user_id", userId)
    .is("stripe_customers.deleted_at", null)
    .is("deleted_at", null)
    .maybeSingle();
  if (error) throw error;
  if (data === null) return null;
  const { status, subscription_id: id } = data;
  const graceEndsAt = status === "past_due" && id !== null ? await fetchGraceEnd(client, id) : null;
  return {
    id: data.subscription_id,
    customerId: data.customer_id,
    status: data.status,
    priceId: data.price_id,
    currentPeriodStart: data.current_period_start,
    currentPeriodEnd: data.current_period_end,
    cancelAtPeriodEnd: data.cancel_at_period_end,
    hold: data.hold ?? null,
    paymentMethodBrand: data.payment_method_brand,
    paymentMethodLast4: data.payment_method_last4,
    pendingPriceId: data.pending_price_id ?? null,
    pendingFrom: data.pending_from ?? null,
    pendingChangeId: data.pending_change_id ?? null,
    ...(graceEndsAt !== null && { graceEndsAt }),
  };
}

async function fetchGraceEnd(client: BackendClient, subscription: string): Promise<number | null> {
  const { data, error } = await client
    .from("grace_periods")
    .select("ends_at")
    .eq("subscription_id", subscription)
    .limit(1);
  if (error) throw error;
  const [row] = data;
  return row === undefined ? null : Date.parse(row.ends_at);
}
