import type Stripe from "stripe";
import { badRequest, cardFault, StripeFault, type Decline } from "../fault.ts";
import { randomText } from "../ids.ts";
import { newCharge, newPaymentIntent, type IntentInput } from "../objects/payment-objects.ts";
import { AUTHENTICATION_REQUIRED } from "../test-cards.ts";
import type { World } from "../world.ts";
import { cardOf, saveToCustomer } from "./payment-methods.ts";

/** How a payment attempt ended. */
export type PaymentResult =
  { kind: "succeeded" } | { kind: "requires_action" } | { kind: "failed"; fault: StripeFault };

export interface PaymentOptions {
  /** Nobody is there to authenticate. */
  offSession: boolean;
  /** Send the cardholder to the challenge by redirect, and here afterwards. */
  returnUrl?: string | undefined;
}

const AUTHENTICATION_FAILED =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";

export function createIntent(
  world: World,
  input: IntentInput,
  link: { invoice: string; subscription: string } | null,
): Stripe.PaymentIntent {
  const intent = world.put("paymentIntents", newPaymentIntent(input, world.now()));
  world.tables.intentNotes.set(intent.id, {
    invoice: link?.invoice ?? null,
    subscription: link?.subscription ?? null,
    challenge: null,
    returnUrl: null,
  });
  world.emit("payment_intent.created", intent);
  return intent;
}

/** Attempts a payment: charges the card, asks for authentication, or fails. */
export function payIntent(
  world: World,
  intentId: string,
  methodId: string,
  options: PaymentOptions,
): PaymentResult {
  const card = cardOf(world, methodId);
  const isSetUp = world.tables.cardNotes.get(methodId)?.isSetUp ?? false;
  const mustAuthenticate =
    card.authentication === "always" || (card.authentication === "until_set_up" && !isSetUp);
  if (!mustAuthenticate) return charge(world, intentId, methodId, false);
  if (options.offSession) return refuse(world, intentId, methodId, AUTHENTICATION_REQUIRED);
  const challenge = randomText(24);
  const note = world.tables.intentNotes.get(intentId);
  if (note) Object.assign(note, { challenge, returnUrl: options.returnUrl ?? null });
  const url = `${world.publicBase}/3d-secure/${intentId}/${challenge}`;
  const nextAction: Stripe.PaymentIntent.NextAction =
    options.returnUrl === undefined
      ? {
          type: "use_stripe_sdk",
          use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url },
        }
      : { type: "redirect_to_url", redirect_to_url: { url, return_url: options.returnUrl } };
  world.amend(
    "paymentIntents",
    intentId,
    {
      status: "requires_action",
      payment_method: methodId,
      next_action: nextAction,
      last_payment_error: null,
    },
    "payment_intent.requires_action",
  );
  return { kind: "requires_action" };
}

/** Ends an open challenge as the cardholder chose. */
export function answerChallenge(world: World, intentId: string, accepted: boolean): PaymentResult {
  const intent = world.get("paymentIntents", intentId);
  const methodId = intent.payment_method;
  if (intent.status !== "requires_action" || typeof methodId !== "string") {
    throw badRequest("This authentication is no longer open.", undefined, "intent_invalid_state");
  }
  const note = world.tables.intentNotes.get(intentId);
  if (note) note.challenge = null;
  if (accepted) {
    const cardNote = world.tables.cardNotes.get(methodId);
    if (cardNote && intent.setup_future_usage !== null) cardNote.isSetUp = true;
    return charge(world, intentId, methodId, true);
  }
  const fault = new StripeFault(400, {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    message: AUTHENTICATION_FAILED,
    payment_method: world.get("paymentMethods", methodId),
  });
  return failIntent(world, intentId, fault, null);
}

function charge(
  world: World,
  intentId: string,
  methodId: string,
  authenticated: boolean,
): PaymentResult {
  const card = cardOf(world, methodId);
  const decline = card.decline ?? card.declineLater;
  if (decline) return refuse(world, intentId, methodId, decline, authenticated);
  const intent = world.get("paymentIntents", intentId);
  const method = world.get("paymentMethods", methodId);
  const paid = newCharge(intent, method, null, authenticated, world.now());
  world.put("charges", paid);
  world.emit("charge.succeeded", paid);
  if (typeof method.customer !== "string") {
    if (typeof intent.customer === "string" && intent.setup_future_usage !== null) {
      saveToCustomer(world, methodId, intent.customer);
    } else {
      const note = world.tables.cardNotes.get(methodId);
      if (note) note.isRetired = true;
    }
  }
  world.amend(
    "paymentIntents",
    intentId,
    {
      status: "succeeded",
      amount_received: intent.amount,
      latest_charge: paid.id,
      payment_method: methodId,
      next_action: null,
      last_payment_error: null,
    },
    "payment_intent.succeeded",
  );
  return { kind: "succeeded" };
}

function refuse(
  world: World,
  intentId: string,
  methodId: string,
  decline: Decline,
  authenticated = false,
): PaymentResult {
  const intent = world.get("paymentIntents", intentId);
  const method = world.get("paymentMethods", methodId);
  const failed = newCharge(intent, method, decline, authenticated, world.now());
  world.put("charges", failed);
  world.emit("charge.failed", failed);
  const fault = cardFault(decline, { charge: failed.id, payment_method: method });
  return failIntent(world, intentId, fault, failed.id);
}

function failIntent(
  world: World,
  intentId: string,
  fault: StripeFault,
  chargeId: string | null,
): PaymentResult {
  const after = world.amend(
    "paymentIntents",
    intentId,
    {
      status: "requires_payment_method",
      payment_method: null,
      next_action: null,
      last_payment_error: { ...fault.body } as Stripe.PaymentIntent.LastPaymentError,
      ...(chargeId !== null && { latest_charge: chargeId }),
    },
    "payment_intent.payment_failed",
  );
  fault.body.payment_intent = after;
  return { kind: "failed", fault };
}
