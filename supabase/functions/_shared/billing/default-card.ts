import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import { isMembership, membershipPrices } from "./membership-subscription.ts";
import { errorForLog } from "../http/responses.ts";
import { isInvalidRequest } from "./stripe-client.ts";
import { idOf, isActiveSubscription } from "./subscription-snapshot.ts";

/**
 * Makes a card the one that pays where the subscription names none: in later phases of its schedule, and as the
 * customer's own.
 */
export async function setDefaultCard(
  stripe: Stripe,
  held: Stripe.Subscription,
  method: string,
): Promise<void> {
  const own = { default_payment_method: method };
  await stripe.customers.update(idOf(held.customer), { invoice_settings: own });
  if (held.schedule === null) return;
  try {
    await stripe.subscriptionSchedules.update(idOf(held.schedule), { default_settings: own });
  } catch (error) {
    // The schedule may be over by now.
    if (!isInvalidRequest(error)) throw error;
  }
}

/**
 * Does the same with the card of an active membership, which must have been read with its customer and schedule. It may
 * have been replaced on the provider's own pages. A failure is only logged: the next reading tries again.
 */
export async function alignDefaultCard(
  { stripe, database }: BillingClients,
  held: Stripe.Subscription,
): Promise<void> {
  const method = idOf(held.default_payment_method);
  if (method === null || !isActiveSubscription(held) || hasDefaultCard(held, method)) return;
  try {
    // The card of another product is not the one that pays for the membership.
    if (!isMembership(held, await membershipPrices(database))) return;
    await setDefaultCard(stripe, held, method);
  } catch (error) {
    console.error(`the card of ${held.id}: ${errorForLog(error)}`);
  }
}

function hasDefaultCard({ customer, schedule }: Stripe.Subscription, method: string): boolean {
  if (typeof customer === "string" || typeof schedule === "string") return true;
  if (customer.deleted === true) return true;
  const isCustomers = idOf(customer.invoice_settings.default_payment_method) === method;
  const isSchedules =
    schedule === null || idOf(schedule.default_settings.default_payment_method) === method;
  return isCustomers && isSchedules;
}
