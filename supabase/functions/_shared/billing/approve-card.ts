import type Stripe from "stripe";
import { cardProblem } from "./card-problem.ts";
import { FunctionError } from "../http/responses.ts";
import { idOf } from "./subscription-snapshot.ts";

/** A saved card, or the secret with which the browser asks its bank. */
export type CardApproval = { readonly paymentMethod: string } | { readonly clientSecret: string };

/**
 * Saves a card for payments that come later, when the member is away. Banks decline those of a card they have not approved
 * before, and a membership that begins with nothing to pay has no payment at which they would be asked.
 * @throws {FunctionError} 402 payment_declined or 400 invalid_payment_method.
 */
export async function approveCard(
  stripe: Stripe,
  customer: string,
  paymentMethod: string,
): Promise<CardApproval> {
  try {
    const { data: known } = await stripe.setupIntents.list({
      customer,
      payment_method: paymentMethod,
    });
    const setup =
      known.find(({ status }) => status === "succeeded") ??
      known.find(({ status }) => status === "requires_action") ??
      (await stripe.setupIntents.create({
        customer,
        payment_method: paymentMethod,
        usage: "off_session",
        allowed_payment_method_types: ["card"],
        confirm: true,
        use_stripe_sdk: true,
      }));
    if (setup.status === "requires_action" && setup.client_secret !== null) {
      return { clientSecret: setup.client_secret };
    }
    if (setup.status === "succeeded")
      return { paymentMethod: idOf(setup.payment_method) ?? paymentMethod };
    throw new FunctionError(402, "payment_declined", "Your card was declined.");
  } catch (error) {
    throw error instanceof FunctionError ? error : cardProblem(error);
  }
}
