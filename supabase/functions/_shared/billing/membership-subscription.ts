import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { BillingDatabase } from "./billing-database.ts";
import { orWhenMissing } from "./stripe-client.ts";
import { idOf, isEndedSubscription } from "./subscription-snapshot.ts";

/** The provider allows 500 running subscriptions a customer; a page holds a hundred. */
const mostSubscriptions = 1000;

/** Prices that plans have or had. */
export type MembershipPrices = ReadonlySet<string>;

/** Every price a membership was ever sold at. */
export async function membershipPrices(database: BillingDatabase): Promise<MembershipPrices> {
  return new Set((await database.catalogue()).map(({ price_id: price }) => price));
}

/** False for another product's subscription, which the same customer pays for and which is none of our business. */
export function isMembership(subscription: Stripe.Subscription, prices: MembershipPrices): boolean {
  return subscription.items.data.some(({ price }) => prices.has(price.id));
}

/**
 * False for an invoice of another product's subscription. The prices of its lines tell; without any, as for a correction
 * that staff wrote, it counts as ours.
 */
export function isOfMembership(invoice: Stripe.Invoice, prices: MembershipPrices): boolean {
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  if (subscription === null) return true;
  const named = invoice.lines.data.flatMap(({ pricing }) => pricing?.price_details?.price ?? []);
  return named.length === 0 || named.some((price) => prices.has(idOf(price)));
}

/** Every subscription of a customer; none when the provider does not know the customer. */
export async function allSubscriptions(
  stripe: Stripe,
  customer: string,
  expand: string[] = [],
): Promise<Stripe.Subscription[]> {
  const pages = stripe.subscriptions.list({ customer, status: "all", limit: 100, expand });
  return await orWhenMissing(pages.autoPagingToArray({ limit: mostSubscriptions }), []);
}

/** Those of them that have not ended. */
export async function openSubscriptions(
  stripe: Stripe,
  customer: string,
): Promise<Stripe.Subscription[]> {
  const found = await allSubscriptions(stripe, customer);
  return found.filter((subscription) => !isEndedSubscription(subscription));
}

/** Those of them that are open and memberships. */
export async function openMemberships(
  { stripe, database }: BillingClients,
  customer: string,
): Promise<Stripe.Subscription[]> {
  const open = await openSubscriptions(stripe, customer);
  const prices = await membershipPrices(database);
  return open.filter((subscription) => isMembership(subscription, prices));
}
