import type Stripe from "stripe";
import { invalidRequest, cardError, StripeApiError, type Decline } from "../api-errors.ts";
import { randomText } from "../ids.ts";
import { newCharge, newPaymentIntent, type IntentInput } from "../objects/payment-objects.ts";
import { authenticationRequired } from "../test-cards.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { creditCharge } from "./balance.ts";
import { cardOf, attachWithoutCheck } from "./payment-methods.ts";

/** How a payment attempt ended. */
export type PaymentResult =
  { kind: "succeeded" } | { kind: "requires_action" } | { kind: "failed"; error: StripeApiError };

export interface PaymentOptions {
  /** The cardholder cannot authenticate. */
  offSession: boolean;
  /** A try of the retry schedule, which alone moves the schedule on after the first try. */
  isScheduled?: boolean;
  /** Challenge by redirect, returning here. */
  returnUrl?: string | undefined;
}

const authenticationFailedMessage =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";

export function createIntent(
  state: SandboxState,
  input: IntentInput,
  link: { invoice: string; subscription: string | null } | null,
): Stripe.PaymentIntent {
  const intent = state.put("paymentIntents", newPaymentIntent(input, state.now()));
  state.tables.intentNotes.set(intent.id, {
    invoice: link?.invoice ?? null,
    subscription: link?.subscription ?? null,
    challenge: null,
    returnUrl: null,
  });
  state.emit("payment_intent.created", intent);
  return intent;
}

/** Attempts a payment: charges the card, requires authentication, or fails. */
export function payIntent(
  state: SandboxState,
  intentId: string,
  methodId: string,
  options: PaymentOptions,
): PaymentResult {
  const card = cardOf(state, methodId);
  const isSetUp = state.tables.cardNotes.get(methodId)?.isSetUp ?? false;
  const mustAuthenticate =
    card.authentication === "always" || (card.authentication === "until_set_up" && !isSetUp);
  if (!mustAuthenticate) return chargeCard(state, intentId, methodId, false);
  if (options.offSession) return declineCharge(state, intentId, methodId, authenticationRequired);
  const challenge = randomText(24);
  const note = state.tables.intentNotes.get(intentId);
  if (note) Object.assign(note, { challenge, returnUrl: options.returnUrl ?? null });
  const url = `${state.publicBase}/3d-secure/${intentId}/${challenge}`;
  const nextAction: Stripe.PaymentIntent.NextAction =
    options.returnUrl === undefined
      ? {
          type: "use_stripe_sdk",
          use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url },
        }
      : { type: "redirect_to_url", redirect_to_url: { url, return_url: options.returnUrl } };
  state.update(
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

/** Completes or fails an open challenge. */
export function answerChallenge(
  state: SandboxState,
  intentId: string,
  accepted: boolean,
): PaymentResult {
  const intent = state.get("paymentIntents", intentId);
  const methodId = intent.payment_method;
  if (intent.status !== "requires_action" || typeof methodId !== "string") {
    throw invalidRequest(
      "This authentication is no longer open.",
      undefined,
      "intent_invalid_state",
    );
  }
  const note = state.tables.intentNotes.get(intentId);
  if (note) note.challenge = null;
  if (accepted) {
    const cardNote = state.tables.cardNotes.get(methodId);
    if (cardNote && intent.setup_future_usage !== null) cardNote.isSetUp = true;
    return chargeCard(state, intentId, methodId, true);
  }
  const error = new StripeApiError(400, {
    type: "invalid_request_error",
    code: "payment_intent_authentication_failure",
    message: authenticationFailedMessage,
    payment_method: state.get("paymentMethods", methodId),
  });
  return failIntent(state, intentId, error, null);
}

function chargeCard(
  state: SandboxState,
  intentId: string,
  methodId: string,
  authenticated: boolean,
): PaymentResult {
  const card = cardOf(state, methodId);
  const decline = card.decline ?? card.declineLater;
  if (decline) return declineCharge(state, intentId, methodId, decline, authenticated);
  const intent = state.get("paymentIntents", intentId);
  const method = state.get("paymentMethods", methodId);
  const origin = { created: state.now(), publicBase: state.publicBase };
  const paid = newCharge(intent, method, null, authenticated, origin);
  paid.balance_transaction = creditCharge(state, paid, card.country);
  state.put("charges", paid);
  state.emit("charge.succeeded", paid);
  if (typeof method.customer !== "string") {
    if (typeof intent.customer === "string" && intent.setup_future_usage !== null) {
      attachWithoutCheck(state, methodId, intent.customer);
    } else {
      const note = state.tables.cardNotes.get(methodId);
      if (note) note.isRetired = true;
    }
  }
  state.update(
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

function declineCharge(
  state: SandboxState,
  intentId: string,
  methodId: string,
  decline: Decline,
  authenticated = false,
): PaymentResult {
  const intent = state.get("paymentIntents", intentId);
  const method = state.get("paymentMethods", methodId);
  const origin = { created: state.now(), publicBase: state.publicBase };
  const failed = newCharge(intent, method, decline, authenticated, origin);
  state.put("charges", failed);
  state.emit("charge.failed", failed);
  const error = cardError(decline, { charge: failed.id, payment_method: method });
  return failIntent(state, intentId, error, failed.id);
}

function failIntent(
  state: SandboxState,
  intentId: string,
  error: StripeApiError,
  chargeId: string | null,
): PaymentResult {
  const after = state.update(
    "paymentIntents",
    intentId,
    {
      status: "requires_payment_method",
      payment_method: null,
      next_action: null,
      last_payment_error: { ...error.body } as Stripe.PaymentIntent.LastPaymentError,
      ...(chargeId !== null && { latest_charge: chargeId }),
    },
    "payment_intent.payment_failed",
  );
  error.body.payment_intent = after;
  return { kind: "failed", error };
}
