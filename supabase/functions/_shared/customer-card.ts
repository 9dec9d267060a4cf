import type Stripe from "stripe";
import { errorForLog } from "./responses.ts";
import { idOf, isActiveSubscription } from "./subscription-snapshot.ts";

/** Makes a card the one that pays where neither subscription nor schedule names one. */
export async function setCustomerCard(
  stripe: Stripe,
  customer: string,
  method: string,
): Promise<void> {
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: method } });
}

/**
 * Makes the card of an active subscription, read with its customer, the customer's own when it is another. A failure is
 * only logged: the next reading tries again, and until then the subscription's card pays.
 */
export async function alignCustomerCard(
  stripe: Stripe,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { customer } = subscription;
  const method = idOf(subscription.default_payment_method);
  if (typeof customer === "string" || customer.deleted === true) return;
  if (method === null || !isActiveSubscription(subscription)) return;
  if (idOf(customer.invoice_settings.default_payment_method) === method) return;
  try {
    await setCustomerCard(stripe, customer.id, method);
  } catch (error) {
    console.error(`the card of customer ${customer.id}: ${errorForLog(error)}`);
  }
}
