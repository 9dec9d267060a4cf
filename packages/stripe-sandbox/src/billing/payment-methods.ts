import type Stripe from "stripe";
import { invalidRequest, cardError, resourceMissing } from "../api-errors.ts";
import { newPaymentMethod, noBillingDetails } from "../objects/card-objects.ts";
import type { CardDetails } from "../objects/card-objects.ts";
import { testCardByKey, testCardKey, testCardOfToken, type TestCard } from "../test-cards.ts";
import type { SandboxState } from "../sandbox-state.ts";

const usedMethodMessage =
  "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.";

export function createMethod(
  state: SandboxState,
  details: CardDetails,
  billing: Stripe.PaymentMethod.BillingDetails = noBillingDetails,
  metadata: Record<string, string> = {},
): Stripe.PaymentMethod {
  const method = newPaymentMethod(details, billing, metadata, state.now());
  state.tables.cardNotes.set(method.id, {
    testCard: testCardKey(details.card),
    isSetUp: false,
    isRetired: false,
  });
  return state.put("paymentMethods", method);
}

/** Card details for a token; expires four years from now, so that the test clock does not reach it soon. */
export function tokenDetails(state: SandboxState, card: TestCard): CardDetails {
  const year = new Date(state.now() * 1000).getUTCFullYear();
  return { card, expMonth: 12, expYear: year + 4, hasCvc: true };
}

/** The payment method with this id; a test token such as `pm_card_visa` creates a new one. */
export function resolveMethod(
  state: SandboxState,
  id: string,
  param = "payment_method",
): Stripe.PaymentMethod {
  const card = id.startsWith("pm_card_") ? testCardOfToken(id) : undefined;
  if (card) return createMethod(state, tokenDetails(state, card));
  const method = state.find("paymentMethods", id);
  if (!method) throw resourceMissing("PaymentMethod", id, param);
  if (state.tables.cardNotes.get(id)?.isRetired) throw invalidRequest(usedMethodMessage);
  return method;
}

/** As `resolveMethod`, but the method must be attached to the customer. */
export function resolveAttached(
  state: SandboxState,
  id: string,
  customer: string,
  param: string,
): Stripe.PaymentMethod {
  const method = resolveMethod(state, id, param);
  if (method.customer !== customer) {
    throw invalidRequest(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
      "resource_missing",
    );
  }
  return method;
}

export function cardOf(state: SandboxState, methodId: string): TestCard {
  const note = state.tables.cardNotes.get(methodId);
  const card = note && testCardByKey(note.testCard);
  if (!card) throw resourceMissing("PaymentMethod", methodId, "payment_method");
  return card;
}

/** Attaches a method to a customer. The card is checked, so one that always declines cannot be attached. */
export function attachMethod(
  state: SandboxState,
  id: string,
  customer: string,
): Stripe.PaymentMethod {
  const method = resolveMethod(state, id);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw invalidRequest(
      "The payment method you provided has already been attached to a customer.",
      undefined,
      "payment_method_unexpected_state",
    );
  }
  const decline = cardOf(state, method.id).decline;
  if (decline) throw cardError(decline);
  return attachWithoutCheck(state, method.id, customer);
}

/** Attaches without a check, as after a successful payment. */
export function attachWithoutCheck(
  state: SandboxState,
  id: string,
  customer: string,
): Stripe.PaymentMethod {
  const method = state.get("paymentMethods", id);
  const checks = method.card?.checks;
  const card = method.card && {
    ...method.card,
    checks: checks
      ? { ...checks, cvc_check: checks.cvc_check === "unchecked" ? "pass" : checks.cvc_check }
      : null,
  };
  return state.update(
    "paymentMethods",
    id,
    { customer, ...(card && { card }) },
    "payment_method.attached",
  );
}
