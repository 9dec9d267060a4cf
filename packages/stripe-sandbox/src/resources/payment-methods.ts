import type Stripe from "stripe";
import * as z from "zod";
import {
  attachMethod,
  cardOf,
  createMethod,
  resolveMethod,
  tokenDetails,
} from "../billing/payment-methods.ts";
import { badRequest, noSuch, StripeFault } from "../fault.ts";
import { listPage } from "../http/lists.ts";
import { listParams, mergeMetadata, metadata, text, whole } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { NO_BILLING_DETAILS } from "../objects/card-objects.ts";
import { testCardOfToken } from "../test-cards.ts";
import type { World } from "../world.ts";
import { billingDetails, mergeBilling } from "./billing-details.ts";
import { cardParams, checkCard } from "./card-input.ts";

const createParams = z.strictObject({
  type: z.enum(["card"]),
  card: z.union([z.strictObject({ token: text }), cardParams]),
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(["always", "limited", "unspecified"]).optional(),
});

const updateParams = z.strictObject({
  billing_details: billingDetails.optional(),
  metadata: metadata.optional(),
  allow_redisplay: z.enum(["always", "limited", "unspecified"]).optional(),
  card: z.strictObject({ exp_month: whole.optional(), exp_year: whole.optional() }).optional(),
});

const nothing = z.strictObject({});

const RAW_NUMBERS =
  "Sending credit card numbers directly to the Stripe API is generally unsafe. We suggest you use test tokens that map to the test card you are using, see https://stripe.com/docs/testing.";

function create(
  world: World,
  params: z.infer<typeof createParams>,
  isPublic: boolean,
): Stripe.PaymentMethod {
  const billing = mergeBilling(NO_BILLING_DETAILS, params.billing_details);
  const more = mergeMetadata({}, params.metadata);
  if (!("token" in params.card)) {
    if (!isPublic) {
      throw new StripeFault(402, { type: "invalid_request_error", message: RAW_NUMBERS });
    }
    return createMethod(world, checkCard(params.card, world.now()), billing, more);
  }
  const { token } = params.card;
  const made = world.tables.tokens.get(token)?.card;
  if (made) {
    const details = {
      card: cardOf(world, token),
      expMonth: made.exp_month,
      expYear: made.exp_year,
      hasCvc: made.cvc_check !== null,
    };
    return createMethod(world, details, billing, more);
  }
  const card = testCardOfToken(token);
  if (!card) throw noSuch("token", token, "card[token]");
  return createMethod(world, tokenDetails(world, card), billing, more);
}

/** Takes a method away from its customer and out of every default; it can never be used again. */
export function detachMethod(world: World, id: string): Stripe.PaymentMethod {
  const method = world.get("paymentMethods", id);
  const { customer } = method;
  if (typeof customer !== "string") {
    throw badRequest(
      "The payment method you provided is not attached to a customer so detachment is impossible.",
      undefined,
      "payment_method_unexpected_state",
    );
  }
  const note = world.tables.cardNotes.get(id);
  if (note) note.isRetired = true;
  for (const subscription of world.rows("subscriptions")) {
    if (subscription.default_payment_method !== id) continue;
    world.amend("subscriptions", subscription.id, { default_payment_method: null });
  }
  const owner = world.find("customers", customer);
  if (owner?.invoice_settings.default_payment_method === id) {
    world.amend("customers", customer, {
      invoice_settings: { ...owner.invoice_settings, default_payment_method: null },
    });
  }
  world.amend("paymentMethods", id, { customer: null });
  const detached = world.get("paymentMethods", id);
  world.emit("payment_method.detached", detached, { customer });
  return detached;
}

function update(world: World, id: string, params: z.infer<typeof updateParams>) {
  const method = world.get("paymentMethods", id);
  if (method.customer === null) {
    throw badRequest("You must save this PaymentMethod to a customer before you can update it.");
  }
  const card = method.card && {
    ...method.card,
    exp_month: params.card?.exp_month ?? method.card.exp_month,
    exp_year: params.card?.exp_year ?? method.card.exp_year,
  };
  return world.amend(
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
    ({ world, params, isPublic }) => create(world, params, isPublic),
    true,
  ),
  route(
    "GET",
    "payment_methods",
    z.strictObject({ ...listParams, customer: text.optional(), type: text.optional() }),
    ({ world, params, url }) => {
      if (params.customer !== undefined) world.get("customers", params.customer, "customer");
      const rows = world
        .rows("paymentMethods")
        .filter(
          (row) =>
            row.customer === (params.customer ?? row.customer) &&
            row.type === (params.type ?? row.type),
        );
      return listPage(rows, params, url, "paymentMethods");
    },
  ),
  route("GET", "payment_methods/:id", nothing, ({ world, id }) =>
    id.startsWith("pm_card_") ? resolveMethod(world, id, "id") : world.get("paymentMethods", id),
  ),
  route("POST", "payment_methods/:id", updateParams, ({ world, id, params }) =>
    update(world, id, params),
  ),
  route(
    "POST",
    "payment_methods/:id/attach",
    z.strictObject({ customer: text }),
    ({ world, id, params }) => {
      world.get("customers", params.customer, "customer");
      if (!id.startsWith("pm_card_")) world.get("paymentMethods", id);
      return attachMethod(world, id, params.customer);
    },
  ),
  route("POST", "payment_methods/:id/detach", nothing, ({ world, id }) => detachMethod(world, id)),
];
