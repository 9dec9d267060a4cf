import type Stripe from "stripe";
import { badRequest, cardFault, noSuch } from "../fault.ts";
import { newPaymentMethod, NO_BILLING_DETAILS } from "../objects/card-objects.ts";
import type { CardDetails } from "../objects/card-objects.ts";
import { testCardByKey, testCardKey, testCardOfToken, type TestCard } from "../test-cards.ts";
import type { World } from "../world.ts";

const GONE_METHOD =
  "This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.";

export function createMethod(
  world: World,
  details: CardDetails,
  billing: Stripe.PaymentMethod.BillingDetails = NO_BILLING_DETAILS,
  metadata: Record<string, string> = {},
): Stripe.PaymentMethod {
  const method = newPaymentMethod(details, billing, metadata, world.now());
  world.tables.cardNotes.set(method.id, {
    testCard: testCardKey(details.card),
    isSetUp: false,
    isRetired: false,
  });
  return world.put("paymentMethods", method);
}

/** Tokens stand for cards that will not expire under a moving test clock soon. */
export function tokenDetails(world: World, card: TestCard): CardDetails {
  const year = new Date(world.now() * 1000).getUTCFullYear();
  return { card, expMonth: 12, expYear: year + 4, hasCvc: true };
}

/** The payment method with this id; a test token such as `pm_card_visa` makes a new one. */
export function resolveMethod(
  world: World,
  id: string,
  param = "payment_method",
): Stripe.PaymentMethod {
  const card = id.startsWith("pm_card_") ? testCardOfToken(id) : undefined;
  if (card) return createMethod(world, tokenDetails(world, card));
  const method = world.find("paymentMethods", id);
  if (!method) throw noSuch("PaymentMethod", id, param);
  if (world.tables.cardNotes.get(id)?.isRetired) throw badRequest(GONE_METHOD);
  return method;
}

/** As `resolveMethod`, for places where the method must already belong to the customer. */
export function resolveAttached(
  world: World,
  id: string,
  customer: string,
  param: string,
): Stripe.PaymentMethod {
  const method = resolveMethod(world, id, param);
  if (method.customer !== customer) {
    throw badRequest(
      `The customer does not have a payment method with the ID ${id}. The payment method must be attached to the customer.`,
      param,
      "resource_missing",
    );
  }
  return method;
}

export function cardOf(world: World, methodId: string): TestCard {
  const note = world.tables.cardNotes.get(methodId);
  const card = note && testCardByKey(note.testCard);
  if (!card) throw noSuch("PaymentMethod", methodId, "payment_method");
  return card;
}

/** Saves a method to a customer. The card is checked, so one that declines at once cannot be saved. */
export function attachMethod(world: World, id: string, customer: string): Stripe.PaymentMethod {
  const method = resolveMethod(world, id);
  if (method.customer === customer) return method;
  if (method.customer !== null) {
    throw badRequest(
      "The payment method you provided has already been attached to a customer.",
      undefined,
      "payment_method_unexpected_state",
    );
  }
  const decline = cardOf(world, method.id).decline;
  if (decline) throw cardFault(decline);
  return saveToCustomer(world, method.id, customer);
}

/** Saves without another check, as after a payment that went through. */
export function saveToCustomer(world: World, id: string, customer: string): Stripe.PaymentMethod {
  const method = world.get("paymentMethods", id);
  const checks = method.card?.checks;
  const card = method.card && {
    ...method.card,
    checks: checks
      ? { ...checks, cvc_check: checks.cvc_check === "unchecked" ? "pass" : checks.cvc_check }
      : null,
  };
  return world.amend(
    "paymentMethods",
    id,
    { customer, ...(card && { card }) },
    "payment_method.attached",
  );
}
