import type { BillingFixture, FunctionResult, Payer } from "./billing.ts";

/** Asks for a pause, as the membership page does. */
export async function pauseFor(
  billing: BillingFixture,
  { client }: Payer,
  months: unknown,
): Promise<FunctionResult> {
  return await billing.call(client, "stripe-pause-membership", { months });
}

/** What the member may do about a pause. */
export async function pauseOfferOf({ client }: Payer): Promise<Record<string, unknown>> {
  const { data, error } = await client.rpc("my_pause_offer");
  if (error) throw new Error(error.message);
  return data as Record<string, unknown>;
}

/** The rest of a pause goes by in the database, whose clock is not the provider's. */
export async function endPauseOf(billing: BillingFixture, { id }: Payer): Promise<void> {
  await billing.sql(
    `update public.membership_pauses p set begins_at = least(p.begins_at, now() - interval '3 months'), ends_at = now()
     from public.stripe_subscriptions s join public.stripe_customers c on c.customer_id = s.customer_id
     where s.subscription_id = p.subscription_id and c.user_id = $1 and p.ended_at is null`,
    [id],
  );
}
