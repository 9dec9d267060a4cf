import type Stripe from "stripe";
import { callRpc, type DatabaseClient } from "../database/database-client.ts";
import type { BillingContext } from "./billing-context.ts";
import type { Member } from "../http/caller.ts";
import { cardProblem } from "./card-problem.ts";
import { FunctionError } from "../http/responses.ts";

/**
 * Takes the card for the member's trial, so that no other account has one with it. The fingerprint is stored as a keyed
 * hash only. A purchase that comes to nothing frees the card after an hour.
 * @throws {FunctionError} 409 code_card_used when another account had a trial with this card, 400 invalid_payment_method.
 */
export async function requireTrialCard(
  { stripe }: BillingContext,
  service: DatabaseClient,
  member: Member,
  paymentMethod: string,
): Promise<void> {
  const fingerprint = await fingerprintOf(stripe, paymentMethod);
  const args = { member: member.id, fingerprint };
  if (await callRpc(service, "billing_take_trial_card", args)) return;
  throw new FunctionError(
    409,
    "code_card_used",
    "This card has had free days before. Use another card, or join without the code.",
  );
}

/** The provider's name for the number of a card, the same in every account. */
async function fingerprintOf(
  stripe: BillingContext["stripe"],
  paymentMethod: string,
): Promise<string> {
  let card: Stripe.PaymentMethod.Card | undefined;
  try {
    card = (await stripe.paymentMethods.retrieve(paymentMethod)).card;
  } catch (error) {
    throw cardProblem(error);
  }
  // A wallet has a number of its own for the same card, or none, so that each would be another card.
  if (card?.fingerprint && card.wallet === null) return card.fingerprint;
  throw new FunctionError(
    400,
    "invalid_payment_method",
    "Free days need a card entered by its number. Enter your card instead of a wallet, or join without the code.",
  );
}
