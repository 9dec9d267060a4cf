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

/** Asks the sandbox for something that is not a member's doing. Throws when it refuses. */
async function control(path: string, body: object): Promise<unknown> {
  const { controlBase, secretKey } = running().sandbox;
  const response = await fetch(`${controlBase}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${secretKey}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`the sandbox refuses ${path}: ${response.status}`);
  return await response.json();
}

/** Resolves when every webhook on its way has been delivered: what a test writes after it stays as it is. */
export async function waitForWebhooks(): Promise<void> {
  await control("/webhooks/settle", {});
}

/** The bank of the account disputes its latest payment. @returns the dispute's id, once the product has heard of it */
export async function disputeLatestPayment(account: Account): Promise<string> {
  const { data } = await account.client
    .from("stripe_customers")
    .select("customer_id")
    .single<{ customer_id: string }>();
  const customer = data?.customer_id ?? "";
  const paid: Stripe.ApiList<Stripe.Charge> = await openCardProvider().charges.list({ customer });
  const dispute = await control("/disputes", { charge: paid.data[0]?.id });
  await waitForWebhooks();
  return (dispute as Stripe.Dispute).id;
}

/** The bank decides a dispute, and the product hears of it. */
export async function decideDispute(dispute: string, outcome: "won" | "lost"): Promise<void> {
  await control("/disputes/close", { dispute, outcome });
  await waitForWebhooks();
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
