import type Stripe from "stripe";
import * as z from "zod";
import {
  attachMethod,
  cardOf,
  createMethod,
  resolveMethod,
  tokenDetails,
} from "../billing/payment-methods.ts";
import { invalidRequest, resourceMissing, StripeApiError } from "../api-errors.ts";
import { filterBy, listPage } from "../http/lists.ts";
import {
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  integer,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { noBillingDetails } from "../objects/card-objects.ts";
import { testCardOfToken, walletOfToken } from "../test-cards.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { billingDetails, mergeBilling } from "./billing-details.ts";
import { cardParams, checkCard } from "./card-input.ts";

const createParams = z.strictObject({
  type: z.enum(["card"]),
  card: z.union([z.strictObject({ token: nonEmptyString }), cardParams]),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(["always", "limited", "unspecified"]).optional(),
});

const updateParams = z.strictObject({
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(["always", "limited", "unspecified"]).optional(),
  card: z.strictObject({ exp_month: integer.optional(), exp_year: integer.optional() }).optional(),
});

const rawNumberMessage =
  "Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.";

function create(
  state: SandboxState,
  params: z.infer<typeof createParams>,
  isPublic: boolean,
): Stripe.PaymentMethod {
  const billing = mergeBilling(noBillingDetails, params.billing_details);
  const more = mergeMetadata({}, params.metadata);
  if (!("token" in params.card)) {
    if (!isPublic) {
      throw new StripeApiError(402, { type: "invalid_request_error", message: rawNumberMessage });
    }
    return createMethod(state, checkCard(params.card, state.now()), billing, more);
  }
  const { token } = params.card;
  const made = state.tables.tokens.get(token)?.card;
  if (made) {
    const details = {
      card: cardOf(state, token),
      expMonth: made.exp_month,
      expYear: made.exp_year,
      hasCvc: made.cvc_check !== null,
    };
    return createMethod(state, details, billing, more);
  }
  const wallet = walletOfToken(token);
  const card = testCardOfToken(wallet === undefined ? token : "tok_visa");
  if (!card) throw resourceMissing("token", token, "card[token]");
  return createMethod(state, { ...tokenDetails(state, card), wallet }, billing, more);
}

/** Detaches a method from its customer and from every default. It cannot be used again. */
export function detachMethod(state: SandboxState, id: string): Stripe.PaymentMethod {
  const method = state.get("paymentMethods", id);
  const { customer } = method;
  if (typeof customer !== "string") {
    throw invalidRequest(
      "The payment method you provided is not attached to a customer so detachment is impossible.",
      undefined,
      "payment_method_unexpected_state",
    );
  }
  const note = state.tables.cardNotes.get(id);
  if (note) note.isRetired = true;
  for (const subscription of state.rows("subscriptions")) {
    if (subscription.default_payment_method !== id) continue;
    state.update("subscriptions", subscription.id, { default_payment_method: null });
  }
  const owner = state.find("customers", customer);
  if (owner?.invoice_settings.default_payment_method === id) {
    state.update("customers", customer, {
      invoice_settings: { ...owner.invoice_settings, default_payment_method: null },
    });
  }
  state.update("paymentMethods", id, { customer: null });
  const detached = state.get("paymentMethods", id);
  state.emit("payment_method.detached", detached, { customer });
  return detached;
}

function update(state: SandboxState, id: string, params: z.infer<typeof updateParams>) {
  const method = state.get("paymentMethods", id);
  if (method.customer === null) {
    throw invalidRequest(
      "You must save this PaymentMethod to a customer before you can update it.",
    );
  }
  const card = method.card && {
    ...method.card,
    exp_month: params.card?.exp_month ?? method.card.exp_month,
    exp_year: params.card?.exp_year ?? method.card.exp_year,
  };
  return state.update(
    "paymentMethods",
    id,
    {
      billing_details: mergeBilling(method.billing_details, params.billing_details),
      metadata: mergeMetadata(method.metadata ?? {}, params.metadata),
      ...(card && { card }),
      ...(params.allow_redisplay && { allow_redisplay: params.allow_redisplay }),
    },
    "payment_method.updated",
  );
}

export const paymentMethodRoutes: Route[] = [
  route(
    "POST",
    "payment_methods",
    createParams,
    ({ state, params, isPublic }) => create(state, params, isPublic),
    true,
  ),
  route(
    "GET",
    "payment_methods",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      type: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      if (params.customer !== undefined) state.get("customers", params.customer, "customer");
      const rows = filterBy(state.rows("paymentMethods"), ["customer", "type"], params);
      return listPage(rows, params, url, "paymentMethods");
    },
  ),
  route("GET", "payment_methods/:id", noParams, ({ state, id }) =>
    id.startsWith("pm_card_") ? resolveMethod(state, id, "id") : state.get("paymentMethods", id),
  ),
  route("POST", "payment_methods/:id", updateParams, ({ state, id, params }) =>
    update(state, id, params),
  ),
  route(
    "POST",
    "payment_methods/:id/attach",
    z.strictObject({ customer: nonEmptyString }),
    ({ state, id, params }) => {
      state.get("customers", params.customer, "customer");
      if (!id.startsWith("pm_card_")) state.get("paymentMethods", id);
      return attachMethod(state, id, params.customer);
    },
  ),
  route("POST", "payment_methods/:id/detach", noParams, ({ state, id }) => detachMethod(state, id)),
];
