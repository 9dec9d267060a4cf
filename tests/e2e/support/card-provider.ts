import { Stripe } from "stripe";
import { expect } from "@playwright/test";
import type { Account } from "./accounts.ts";
import { running } from "./running-product.ts";

/** The provider's own library, as the operator's dashboard would use it. */
export function openCardProvider(): Stripe {
  const { apiBase, secretKey } = running().sandbox;
  const { hostname, port } = new URL(apiBase);
  return new Stripe(secretKey, { host: hostname, port, protocol: "http" });
}

/** Resolves when every webhook on its way has been delivered: what a test writes after it stays as it is. */
export async function waitForWebhooks(): Promise<void> {
  const { controlBase, secretKey } = running().sandbox;
  const response = await fetch(`${controlBase}/webhooks/settle`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: "{}",
  });
  if (!response.ok) throw new Error(`webhooks do not settle: ${response.status}`);
}

/** Id of what the account subscribed to, as the provider knows it. */
export async function providerSubscriptionOf(account: Account): Promise<string> {
  const { data, error } = await account.client
    .from("stripe_subscriptions")
    .select("subscription_id")
    .single<{ subscription_id: string }>();
  if (error) throw new Error(error.message);
  return data.subscription_id;
}

/** Waits until a webhook has brought the member's row to this state. */
export async function expectSubscription(
  account: Account,
  state: Partial<{ status: string; cancel_at_period_end: boolean }>,
): Promise<void> {
  await expect
    .poll(async () => {
      const { data } = await account.client
        .from("stripe_subscriptions")
        .select("status, cancel_at_period_end")
        .maybeSingle<{ status: string; cancel_at_period_end: boolean }>();
      return data;
    })
    .toMatchObject(state);
}

/** Ends the membership at the provider, and waits until the product has heard of it. */
export async function endMembership(account: Account): Promise<void> {
  await openCardProvider().subscriptions.cancel(await providerSubscriptionOf(account));
  await expectSubscription(account, { status: "canceled" });
}
