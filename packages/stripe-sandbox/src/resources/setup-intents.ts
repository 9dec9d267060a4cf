import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import { resolveMethod } from "../billing/payment-methods.ts";
import { setUpCard } from "../billing/set-up-card.ts";
import { filterBy, listPage, listedCustomer } from "../http/lists.ts";
import {
  flag,
  listParams,
  mergeMetadata,
  metadata,
  noLongerTypes,
  nonEmptyString,
  refuseOldTypes,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newSetupIntent } from "../objects/setup-intent-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const confirmFields = {
  payment_method: nonEmptyString.optional(),
  return_url: nonEmptyString.optional(),
  use_stripe_sdk: flag.optional(),
};
const confirmParams = z.strictObject({
  ...confirmFields,
  client_secret: nonEmptyString.optional(),
});
const createParams = z.strictObject({
  ...confirmFields,
  customer: nonEmptyString.optional(),
  description: nonEmptyString.optional(),
  metadata: metadata.optional(),
  confirm: flag.optional(),
  usage: z.enum(["off_session", "on_session"]).optional(),
  payment_method_types: noLongerTypes,
  allowed_payment_method_types: z.array(z.enum(["card"])).optional(),
});

const openStatuses = new Set([
  "requires_payment_method",
  "requires_confirmation",
  "requires_action",
]);

/** The setup, if the caller may see it: a browser must send its client secret. */
function visibleSetup(
  state: SandboxState,
  id: string,
  isPublic: boolean,
  clientSecret: string | undefined,
): Stripe.SetupIntent {
  const setup = state.get("setupIntents", id);
  const mayBeLeftOut = !isPublic && clientSecret === undefined;
  if (!mayBeLeftOut && setup.client_secret !== clientSecret) {
    throw resourceMissing("setup_intent", id);
  }
  return setup;
}

function unexpectedState(setup: Stripe.SetupIntent, action: string): Error {
  const error = invalidRequest(
    `You cannot ${action} this SetupIntent because it has a status of ${setup.status}.`,
    undefined,
    "setup_intent_unexpected_state",
  );
  error.body.setup_intent = setup;
  return error;
}

function confirm(
  state: SandboxState,
  id: string,
  params: z.infer<typeof confirmParams>,
  isPublic: boolean,
): Stripe.SetupIntent {
  const setup = visibleSetup(state, id, isPublic, params.client_secret);
  if (!openStatuses.has(setup.status)) throw unexpectedState(setup, "confirm");
  const chosen = params.payment_method ?? setup.payment_method;
  if (typeof chosen !== "string") {
    throw invalidRequest(
      "You cannot confirm this SetupIntent because it's missing a payment method. Update the SetupIntent with a payment method and then confirm it again.",
      undefined,
      "setup_intent_unexpected_state",
    );
  }
  const method = resolveMethod(state, chosen);
  if (method.customer !== null && method.customer !== setup.customer) {
    throw invalidRequest(
      "The PaymentMethod supplied belongs to a Customer. Please include the Customer in the `customer` parameter on the SetupIntent.",
      "payment_method",
    );
  }
  const usesSdk = params.use_stripe_sdk === true || isPublic;
  setUpCard(state, id, method.id, usesSdk ? undefined : params.return_url);
  return state.get("setupIntents", id);
}

function create(state: SandboxState, params: z.infer<typeof createParams>): Stripe.SetupIntent {
  refuseOldTypes(params);
  if (params.customer !== undefined) state.get("customers", params.customer, "customer");
  const method =
    params.payment_method === undefined ? null : resolveMethod(state, params.payment_method).id;
  const setup = newSetupIntent(
    {
      customer: params.customer ?? null,
      description: params.description ?? null,
      paymentMethod: method,
      metadata: mergeMetadata({}, params.metadata),
      usage: params.usage ?? "off_session",
    },
    state.now(),
  );
  state.put("setupIntents", setup);
  state.tables.intentNotes.set(setup.id, {
    invoice: null,
    subscription: null,
    challenge: null,
    returnUrl: null,
  });
  state.emit("setup_intent.created", setup);
  if (params.confirm !== true) return setup;
  const { return_url, use_stripe_sdk } = params;
  return confirm(state, setup.id, { return_url, use_stripe_sdk }, false);
}

function cancel(state: SandboxState, id: string, reason: string | undefined): Stripe.SetupIntent {
  const setup = state.get("setupIntents", id);
  if (!openStatuses.has(setup.status)) throw unexpectedState(setup, "cancel");
  const note = state.tables.intentNotes.get(id);
  if (note) note.challenge = null;
  return state.update(
    "setupIntents",
    id,
    {
      status: "canceled",
      cancellation_reason: reason ?? null,
      next_action: null,
    },
    "setup_intent.canceled",
  );
}

export const setupIntentRoutes: Route[] = [
  route("POST", "setup_intents", createParams, ({ state, params }) => create(state, params)),
  route(
    "GET",
    "setup_intents",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      payment_method: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      listedCustomer(state, params);
      const rows = filterBy(state.rows("setupIntents"), ["customer", "payment_method"], params);
      return listPage(rows, params, url, "setupIntents");
    },
  ),
  route(
    "GET",
    "setup_intents/:id",
    z.strictObject({ client_secret: nonEmptyString.optional() }),
    ({ state, id, params, isPublic }) => visibleSetup(state, id, isPublic, params.client_secret),
    true,
  ),
  route(
    "POST",
    "setup_intents/:id/confirm",
    confirmParams,
    ({ state, id, params, isPublic }) => confirm(state, id, params, isPublic),
    true,
  ),
  route(
    "POST",
    "setup_intents/:id/cancel",
    z.strictObject({
      cancellation_reason: z.enum(["abandoned", "duplicate", "requested_by_customer"]).optional(),
    }),
    ({ state, id, params }) => cancel(state, id, params.cancellation_reason),
  ),
];
