import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { debitRefund } from "../billing/balance.ts";
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
import { newObjectId } from "../ids.ts";
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

function refund(state: SandboxState, params: z.infer<typeof refundParams>): Stripe.Refund {
  const charge = chargeToRefund(state, params);
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.refunded) {
    throw invalidRequest(
      `Charge ${charge.id} has already been refunded.`,
      undefined,
      "charge_already_refunded",
    );
  }
  const amount = params.amount ?? left;
  if (amount < 1)
    throw invalidRequest("Invalid positive integer", "amount", "parameter_invalid_integer");
  if (amount > left) {
    throw invalidRequest(
      `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`,
      "amount",
    );
  }
  const made: Stripe.Refund = {
    id: newObjectId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: state.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  made.balance_transaction = debitRefund(state, made);
  state.put("refunds", made);
  state.emit("refund.created", made);
  const refunded = charge.amount_refunded + amount;
  const changes = { amount_refunded: refunded, refunded: refunded === charge.amount_captured };
  state.update("charges", charge.id, changes, "charge.refunded");
  return made;
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
  route("POST", "refunds", refundParams, ({ state, params }) => refund(state, params)),
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
