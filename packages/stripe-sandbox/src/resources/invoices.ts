import * as z from "zod";
import { payIntentAndUpdateInvoice, defaultMethodOf } from "../billing/collect.ts";
import {
  finalizeInvoice,
  intentOf,
  markInvoicePaid,
  subscriptionOf,
} from "../billing/invoice-steps.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import { previewInvoice } from "../billing/preview-invoice.ts";
import { expireSubscription, subscriptionPaid } from "../billing/subscription-steps.ts";
import { voidInvoice } from "../billing/void-invoice.ts";
import { invalidRequest, StripeApiError } from "../api-errors.ts";
import { listPage, listedCustomer } from "../http/lists.ts";
import {
  flag,
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { proration } from "./subscription-params.ts";
import { expandableId } from "../ids.ts";

const payParams = z.strictObject({
  payment_method: nonEmptyString.optional(),
  off_session: flag.optional(),
  paid_out_of_band: flag.optional(),
  forgive: flag.optional(),
});

const previewParams = z.strictObject({
  customer: nonEmptyString.optional(),
  subscription: nonEmptyString,
  /** In the place of the subscription's discounts; empty for none. */
  discounts: z
    .union([z.literal(""), z.array(z.strictObject({ discount: nonEmptyString }))])
    .optional(),
  subscription_details: z
    .strictObject({
      items: z
        .array(
          z.strictObject({
            id: nonEmptyString.optional(),
            price: nonEmptyString.optional(),
            quantity: integer.optional(),
          }),
        )
        .length(1)
        .optional(),
      proration_behavior: proration.optional(),
      proration_date: integer.optional(),
    })
    .optional(),
});

function pay(state: SandboxState, id: string, params: z.infer<typeof payParams>): object {
  const invoice = state.get("invoices", id);
  if (invoice.status === "paid") throw invalidRequest("Invoice is already paid");
  if (invoice.status === "draft") finalizeInvoice(state, id, null);
  else if (invoice.status !== "open" && invoice.status !== "uncollectible") {
    throw invalidRequest(
      `This invoice can't be paid because it is ${invoice.status ?? "not open"}.`,
    );
  }
  const subscription = state.find("subscriptions", subscriptionOf(invoice));
  const intentId = intentOf(state, id);
  if (params.paid_out_of_band === true || intentId === null) {
    const paid = markInvoicePaid(state, id);
    if (subscription) subscriptionPaid(state, subscription.id, null);
    return paid;
  }
  const given = params.payment_method;
  const method =
    given === undefined
      ? defaultMethodOf(state, subscription ?? invoice)
      : resolveAttached(state, given, expandableId(invoice.customer), "payment_method").id;
  if (method === null) {
    throw invalidRequest(
      "There is no `default_payment_method` set on this Customer or Invoice. Please set one or pass `payment_method`.",
      undefined,
      "missing",
    );
  }
  const offSession = params.off_session ?? true;
  const result = payIntentAndUpdateInvoice(state, intentId, method, { offSession });
  if (result.kind === "failed") throw result.error;
  if (result.kind === "requires_action") {
    throw new StripeApiError(402, {
      type: "card_error",
      code: "invoice_payment_intent_requires_action",
      message:
        "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
      payment_intent: state.get("paymentIntents", intentId),
    });
  }
  return state.get("invoices", id);
}

function voidOpen(state: SandboxState, id: string): object {
  const invoice = state.get("invoices", id);
  if (invoice.status !== "open" && invoice.status !== "uncollectible") {
    throw invalidRequest(`You can only pass in open invoices. This invoice isn't open.`);
  }
  const subscription = state.find("subscriptions", subscriptionOf(invoice));
  if (subscription?.status === "incomplete") {
    expireSubscription(state, subscription.id);
    return state.get("invoices", id);
  }
  return voidInvoice(state, id);
}

export const invoiceRoutes: Route[] = [
  route(
    "GET",
    "invoices",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      subscription: nonEmptyString.optional(),
      status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
      collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
    }),
    ({ state, params, url }) => {
      const customer = listedCustomer(state, params);
      const rows = state
        .rows("invoices")
        .filter(
          (row) =>
            row.customer === (customer ?? row.customer) &&
            subscriptionOf(row) === (params.subscription ?? subscriptionOf(row)) &&
            row.collection_method === (params.collection_method ?? row.collection_method) &&
            row.status === (params.status ?? row.status),
        );
      return listPage(rows, params, url, "invoices");
    },
  ),
  route("POST", "invoices/create_preview", previewParams, ({ state, params }) => {
    const { items, proration_behavior, proration_date } = params.subscription_details ?? {};
    const item = items?.[0];
    const change = item && { id: item.id, price: item.price, quantity: item.quantity };
    const proration = proration_behavior ?? "create_prorations";
    const { discounts } = params;
    return previewInvoice(state, params.subscription, change, {
      proration,
      prorationDate: proration_date,
      discounts: discounts === "" ? [] : discounts?.map(({ discount }) => discount),
    });
  }),
  route("GET", "invoices/:id", noParams, ({ state, id }) => state.get("invoices", id)),
  route(
    "POST",
    "invoices/:id",
    z.strictObject({ metadata: metadata.optional() }),
    ({ state, id, params }) => {
      const existing = state.get("invoices", id);
      const merged = mergeMetadata(existing.metadata ?? {}, params.metadata);
      return state.update("invoices", id, { metadata: merged }, "invoice.updated");
    },
  ),
  route("GET", "invoices/:id/lines", z.strictObject(listParams), ({ state, id, url }) => ({
    ...state.get("invoices", id).lines,
    url,
  })),
  route("POST", "invoices/:id/pay", payParams, ({ state, id, params }) => pay(state, id, params)),
  route("POST", "invoices/:id/void", noParams, ({ state, id }) => voidOpen(state, id)),
  route(
    "GET",
    "invoice_payments",
    z.strictObject({
      ...listParams,
      invoice: nonEmptyString.optional(),
      payment: z
        .strictObject({
          type: z.enum(["payment_intent"]),
          payment_intent: nonEmptyString.optional(),
        })
        .optional(),
    }),
    ({ state, params, url }) => {
      const rows = state
        .rows("invoicePayments")
        .filter(
          (row) =>
            row.invoice === (params.invoice ?? row.invoice) &&
            row.payment.payment_intent ===
              (params.payment?.payment_intent ?? row.payment.payment_intent),
        );
      return listPage(rows, params, url, "invoicePayments");
    },
  ),
];
