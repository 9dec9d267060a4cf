import type Stripe from "stripe";
import { cardError, invalidRequest, StripeApiError } from "../api-errors.ts";
import { randomText } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { cardOf, attachWithoutCheck } from "./payment-methods.ts";

const authenticationFailedMessage =
  "We are unable to authenticate your payment method. Please choose a different payment method and try again.";

/**
 * Checks a card for later payments: asks its holder to authenticate, or saves it to the customer.
 * @throws {StripeApiError} 402 when the card is declined.
 */
export function setUpCard(
  state: SandboxState,
  setupId: string,
  methodId: string,
  returnUrl: string | undefined,
): void {
  const card = cardOf(state, methodId);
  if (card.authentication === undefined) {
    saveCard(state, setupId, methodId);
    return;
  }
  const challenge = randomText(24);
  const note = state.tables.intentNotes.get(setupId);
  if (note) Object.assign(note, { challenge, returnUrl: returnUrl ?? null });
  const url = `${state.publicBase}/3d-secure/${setupId}/${challenge}`;
  const nextAction: Stripe.SetupIntent.NextAction =
    returnUrl === undefined
      ? {
          type: "use_stripe_sdk",
          use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url },
        }
      : { type: "redirect_to_url", redirect_to_url: { url, return_url: returnUrl } };
  state.update(
    "setupIntents",
    setupId,
    {
      status: "requires_action",
      payment_method: methodId,
      next_action: nextAction,
      last_setup_error: null,
    },
    "setup_intent.requires_action",
  );
}

/** Completes or fails the open challenge of a setup. */
export function answerSetupChallenge(
  state: SandboxState,
  setupId: string,
  accepted: boolean,
): void {
  const setup = state.get("setupIntents", setupId);
  const methodId = setup.payment_method;
  if (setup.status !== "requires_action" || typeof methodId !== "string") {
    throw invalidRequest(
      "This authentication is no longer open.",
      undefined,
      "intent_invalid_state",
    );
  }
  const note = state.tables.intentNotes.get(setupId);
  if (note) note.challenge = null;
  if (!accepted) {
    failSetup(
      state,
      setupId,
      new StripeApiError(400, {
        type: "invalid_request_error",
        code: "setup_intent_authentication_failure",
        message: authenticationFailedMessage,
        payment_method: state.get("paymentMethods", methodId),
      }),
    );
    return;
  }
  try {
    saveCard(state, setupId, methodId);
  } catch (cause) {
    // A decline after the challenge stands in `last_setup_error`.
    if (!(cause instanceof StripeApiError)) throw cause;
  }
}

function saveCard(state: SandboxState, setupId: string, methodId: string): void {
  const { decline } = cardOf(state, methodId);
  const method = state.get("paymentMethods", methodId);
  if (decline) {
    throw failSetup(state, setupId, cardError(decline, { payment_method: method }));
  }
  const { customer } = state.get("setupIntents", setupId);
  if (typeof customer === "string" && method.customer === null) {
    attachWithoutCheck(state, methodId, customer);
  }
  const cardNote = state.tables.cardNotes.get(methodId);
  if (cardNote) cardNote.isSetUp = true;
  state.update(
    "setupIntents",
    setupId,
    { status: "succeeded", payment_method: methodId, next_action: null, last_setup_error: null },
    "setup_intent.succeeded",
  );
}

function failSetup(state: SandboxState, setupId: string, error: StripeApiError): StripeApiError {
  const after = state.update(
    "setupIntents",
    setupId,
    {
      status: "requires_payment_method",
      payment_method: null,
      next_action: null,
      last_setup_error: { ...error.body } as Stripe.SetupIntent.LastSetupError,
    },
    "setup_intent.setup_failed",
  );
  error.body.setup_intent = after;
  return error;
}
