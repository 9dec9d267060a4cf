import type Stripe from "stripe";
import { customerWith, basicPrice } from "./sandbox-fixture.ts";

/** What tells how a subscription's first payment stands. */
export const paymentExpansions = [
  "latest_invoice.confirmation_secret",
  "latest_invoice.payments.data.payment.payment_intent",
  "default_payment_method",
];

/** A new customer, with the card of a test token, on the basic plan. */
export async function createBasicSubscription(
  stripe: Stripe,
  token: string,
  more: Partial<Stripe.SubscriptionCreateParams> = {},
): Promise<Stripe.Subscription> {
  const customer = await customerWith(stripe, token);
  return await stripe.subscriptions.create({
    customer: customer.id,
    items: [{ price: basicPrice }],
    expand: paymentExpansions,
    ...more,
  });
}

export function invoiceOf(subscription: Stripe.Subscription): Stripe.Invoice {
  const invoice = subscription.latest_invoice;
  if (invoice === null || typeof invoice === "string") throw new Error("invoice not expanded");
  return invoice;
}

export function latestIntentOf(subscription: Stripe.Subscription): Stripe.PaymentIntent {
  const intent = invoiceOf(subscription).payments?.data[0]?.payment.payment_intent;
  if (intent === undefined || typeof intent === "string") throw new Error("intent not expanded");
  return intent;
}
