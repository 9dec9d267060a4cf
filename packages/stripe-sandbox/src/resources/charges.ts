import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { refundCharge } from "../billing/refund-charge.ts";
import { filterBy, listPage, listedCustomer } from "../http/lists.ts";
import {
  clearableText,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  integer,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";

const refundParams = z.strictObject({
  charge: nonEmptyString.optional(),
  payment_intent: nonEmptyString.optional(),
  amount: integer.optional(),
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
  metadata: metadata.optional(),
});

function chargeToRefund(state: SandboxState, params: z.infer<typeof refundParams>): Stripe.Charge {
  if (params.charge !== undefined) return state.get("charges", params.charge, "charge");
  if (params.payment_intent === undefined) {
    throw invalidRequest(
      "One of the following params should be provided for this request: payment_intent or charge.",
    );
  }
  const intent = state.get("paymentIntents", params.payment_intent, "payment_intent");
  const charge = typeof intent.latest_charge === "string" ? intent.latest_charge : undefined;
  if (charge === undefined || intent.status !== "succeeded") {
    throw invalidRequest(
      "This PaymentIntent does not have a successful charge to refund.",
      "payment_intent",
    );
  }
  return state.get("charges", charge);
}

const chargeUpdate = z.strictObject({
  customer: nonEmptyString.optional(),
  description: clearableText.optional(),
  fraud_details: z
    .strictObject({ user_report: z.union([z.literal(""), z.enum(["fraudulent", "safe"])]) })
    .optional(),
  metadata: metadata.optional(),
  receipt_email: clearableText.optional(),
});

function updateCharge(
  state: SandboxState,
  id: string,
  {
    customer,
    description,
    fraud_details: fraud,
    metadata: given,
    receipt_email: email,
  }: z.infer<typeof chargeUpdate>,
): Stripe.Charge {
  const charge = state.get("charges", id);
  if (customer !== undefined) {
    if (charge.customer !== null) {
      throw invalidRequest("You can only set a customer on a charge that has none.", "customer");
    }
    state.get("customers", customer, "customer");
  }
  const report = fraud?.user_report;
  const changes: Partial<Stripe.Charge> = {
    ...(customer !== undefined && { customer }),
    ...(description !== undefined && { description }),
    ...(report !== undefined && { fraud_details: report === "" ? {} : { user_report: report } }),
    ...(email !== undefined && { receipt_email: email }),
    metadata: mergeMetadata(charge.metadata, given),
  };
  return state.update("charges", id, changes, "charge.updated");
}

export const chargeRoutes: Route[] = [
  route(
    "GET",
    "charges",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      payment_intent: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      listedCustomer(state, params);
      const rows = filterBy(state.rows("charges"), ["customer", "payment_intent"], params);
      return listPage(rows, params, url, "charges");
    },
  ),
  route("GET", "charges/:id", noParams, ({ state, id }) => state.get("charges", id)),
  route("POST", "charges/:id", chargeUpdate, ({ state, id, params }) =>
    updateCharge(state, id, params),
  ),
  route("POST", "refunds", refundParams, ({ state, params }) =>
    refundCharge(state, chargeToRefund(state, params), {
      amount: params.amount,
      reason: params.reason,
      metadata: mergeMetadata({}, params.metadata),
    }),
  ),
  route(
    "GET",
    "refunds",
    z.strictObject({
      ...listParams,
      charge: nonEmptyString.optional(),
      payment_intent: nonEmptyString.optional(),
    }),
    ({ state, params, url }) => {
      const rows = filterBy(state.rows("refunds"), ["charge", "payment_intent"], params);
      return listPage(rows, params, url, "refunds");
    },
  ),
  route("GET", "refunds/:id", noParams, ({ state, id }) => state.get("refunds", id)),
  route(
    "POST",
    "refunds/:id",
    z.strictObject({ metadata: metadata.optional() }),
    ({ state, id, params }) => {
      const merged = mergeMetadata(state.get("refunds", id).metadata ?? {}, params.metadata);
      return state.update("refunds", id, { metadata: merged }, "refund.updated");
    },
  ),
];
