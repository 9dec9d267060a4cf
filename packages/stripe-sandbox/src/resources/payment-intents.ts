import type Stripe from "stripe";
import * as z from "zod";
import { payIntentAndUpdateInvoice } from "../billing/collect.ts";
import { createIntent } from "../billing/pay-intent.ts";
import { resolveMethod } from "../billing/payment-methods.ts";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import { filterBy, listPage, listedCustomer } from "../http/lists.ts";
import {
  flag,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  integer,
  noLongerTypes,
  refuseOldTypes,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";

const confirmFields = {
  payment_method: nonEmptyString.optional(),
  return_url: nonEmptyString.optional(),
  off_session: flag.optional(),
  setup_future_usage: z.enum(["off_session", "on_session"]).optional(),
  use_stripe_sdk: flag.optional(),
};
const confirmParams = z.strictObject({
  ...confirmFields,
  client_secret: nonEmptyString.optional(),
});
const createParams = z.strictObject({
  ...confirmFields,
  amount: integer,
  currency: nonEmptyString,
  customer: nonEmptyString.optional(),
  description: nonEmptyString.optional(),
  metadata: metadata.optional(),
  confirm: flag.optional(),
  payment_method_types: noLongerTypes,
  allowed_payment_method_types: z.array(z.enum(["card"])).optional(),
});

const cancelableStatuses = new Set([
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
]);

function unexpectedState(intent: Stripe.PaymentIntent, action: string): Error {
  const why =
    intent.status === "succeeded" && action === "confirm"
      ? "You cannot confirm this PaymentIntent because it has already succeeded after being previously confirmed."
      : `You cannot ${action} this PaymentIntent because it has a status of ${intent.status}.`;
  const error = invalidRequest(why, undefined, "payment_intent_unexpected_state");
  error.body.payment_intent = intent;
  return error;
}

/** The intent, if the caller may see it: a browser must send its client secret. */
function visibleIntent(
  state: SandboxState,
  id: string,
  isPublic: boolean,
  clientSecret: string | undefined,
): Stripe.PaymentIntent {
  const intent = state.get("paymentIntents", id);
  const mayBeLeftOut = !isPublic && clientSecret === undefined;
  if (!mayBeLeftOut && intent.client_secret !== clientSecret)
    throw resourceMissing("payment_intent", id);
  return intent;
}

function confirm(
  state: SandboxState,
  id: string,
  params: z.infer<typeof confirmParams>,
  isPublic: boolean,
): Stripe.PaymentIntent {
  const intent = visibleIntent(state, id, isPublic, params.client_secret);
  if (!cancelableStatuses.has(intent.status)) throw unexpectedState(intent, "confirm");
  const chosen = params.payment_method ?? intent.payment_method;
  if (typeof chosen !== "string") {
    throw invalidRequest(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method or ConfirmationToken.",
      undefined,
      "payment_intent_unexpected_state",
    );
  }
  const method = resolveMethod(state, chosen);
  if (method.customer !== null && method.customer !== intent.customer) {
    throw invalidRequest(
      "The PaymentMethod supplied belongs to a Customer. Please include the Customer in the `customer` parameter on the PaymentIntent.",
      "payment_method",
    );
  }
  if (params.setup_future_usage !== undefined) {
    state.update("paymentIntents", id, { setup_future_usage: params.setup_future_usage });
  }
  const result = payIntentAndUpdateInvoice(state, id, method.id, {
    offSession: params.off_session ?? false,
    returnUrl: params.use_stripe_sdk === true || isPublic ? undefined : params.return_url,
  });
  if (result.kind === "failed") throw result.error;
  return state.get("paymentIntents", id);
}

const tooSmall = () =>
  invalidRequest(
    "This value must be greater than or equal to 1.",
    "amount",
    "parameter_invalid_integer",
  );

function create(state: SandboxState, params: z.infer<typeof createParams>): Stripe.PaymentIntent {
  refuseOldTypes(params);
  if (params.amount < 1) throw tooSmall();
  if (params.customer !== undefined) state.get("customers", params.customer, "customer");
  const method =
    params.payment_method === undefined ? null : resolveMethod(state, params.payment_method).id;
  const intent = createIntent(
    state,
    {
      amount: params.amount,
      currency: params.currency.toLowerCase(),
      customer: params.customer ?? null,
      description: params.description ?? null,
      paymentMethod: method,
      metadata: mergeMetadata({}, params.metadata),
      setupFutureUsage: params.setup_future_usage ?? null,
    },
    null,
  );
  if (params.confirm !== true) return intent;
  const { return_url, off_session, use_stripe_sdk } = params;
  return confirm(state, intent.id, { return_url, off_session, use_stripe_sdk }, false);
}

const updateParams = z.strictObject({
  amount: integer.optional(),
  currency: nonEmptyString.optional(),
  customer: nonEmptyString.optional(),
  description: nonEmptyString.optional(),
  metadata: metadata.optional(),
  payment_method: nonEmptyString.optional(),
  setup_future_usage: z.enum(["off_session", "on_session"]).optional(),
});

/** Words about a payment may be changed at any time; what is charged only until the bank is asked. */
function update(
  state: SandboxState,
  id: string,
  { description, metadata: given, ...money }: z.infer<typeof updateParams>,
): Stripe.PaymentIntent {
  const intent = state.get("paymentIntents", id);
  const { amount, currency, customer, payment_method: method, setup_future_usage: usage } = money;
  const isOpen = /^requires_(?:payment_method|confirmation)$/.test(intent.status);
  const isChanged = Object.values(money).some((value) => value !== undefined);
  if (!isOpen && isChanged) throw unexpectedState(intent, "update");
  if (amount !== undefined && amount < 1) throw tooSmall();
  if (customer !== undefined) state.get("customers", customer, "customer");
  const chosen = method === undefined ? undefined : resolveMethod(state, method).id;
  return state.update("paymentIntents", id, {
    ...(amount !== undefined && { amount }),
    ...(currency !== undefined && { currency: currency.toLowerCase() }),
    ...(customer !== undefined && { customer }),
    ...(description !== undefined && { description }),
    ...(usage !== undefined && { setup_future_usage: usage }),
    ...(chosen !== undefined && { payment_method: chosen, status: "requires_confirmation" }),
    metadata: mergeMetadata(intent.metadata, given),
  });
}

function cancel(state: SandboxState, id: string, reason: string | undefined): Stripe.PaymentIntent {
  const intent = state.get("paymentIntents", id);
  if (!cancelableStatuses.has(intent.status)) throw unexpectedState(intent, "cancel");
  const note = state.tables.intentNotes.get(id);
  if (note) note.challenge = null;
  return state.update(
    "paymentIntents",
    id,
    {
      status: "canceled",
      canceled_at: state.now(),
      cancellation_reason: reason ?? null,
      next_action: null,
    },
    "payment_intent.canceled",
  );
}

export const paymentIntentRoutes: Route[] = [
  route("POST", "payment_intents", createParams, ({ state, params }) => create(state, params)),
  route(
    "GET",
    "payment_intents",
    z.strictObject({ ...listParams, customer: nonEmptyString.optional() }),
    ({ state, params, url }) => {
      listedCustomer(state, params);
      const rows = filterBy(state.rows("paymentIntents"), ["customer"], params);
      return listPage(rows, params, url, "paymentIntents");
    },
  ),
  route(
    "GET",
    "payment_intents/:id",
    z.strictObject({ client_secret: nonEmptyString.optional() }),
    ({ state, id, params, isPublic }) => visibleIntent(state, id, isPublic, params.client_secret),
    true,
  ),
  route("POST", "payment_intents/:id", updateParams, ({ state, id, params }) =>
    update(state, id, params),
  ),
  route(
    "POST",
    "payment_intents/:id/confirm",
    confirmParams,
    ({ state, id, params, isPublic }) => confirm(state, id, params, isPublic),
    true,
  ),
  route(
    "POST",
    "payment_intents/:id/cancel",
    z.strictObject({
      cancellation_reason: z
        .enum(["abandoned", "duplicate", "fraudulent", "requested_by_customer"])
        .optional(),
    }),
    ({ state, id, params }) => cancel(state, id, params.cancellation_reason),
  ),
];
