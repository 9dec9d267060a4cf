import * as z from "zod";
import { collectIntent, defaultMethodOf } from "../billing/collect.ts";
import {
  finalizeInvoice,
  intentOf,
  markInvoicePaid,
  subscriptionOf,
} from "../billing/invoice-steps.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import { expireSubscription, subscriptionPaid } from "../billing/subscription-steps.ts";
import { voidInvoice } from "../billing/void-invoice.ts";
import { badRequest, StripeFault } from "../fault.ts";
import { listPage } from "../http/lists.ts";
import { flag, listParams, mergeMetadata, metadata, text } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { World } from "../world.ts";
import { idOf } from "../ids.ts";

const nothing = z.strictObject({});
const payParams = z.strictObject({
  payment_method: text.optional(),
  off_session: flag.optional(),
  paid_out_of_band: flag.optional(),
  forgive: flag.optional(),
});

function pay(world: World, id: string, params: z.infer<typeof payParams>): object {
  const invoice = world.get("invoices", id);
  if (invoice.status === "paid") throw badRequest("Invoice is already paid");
  if (invoice.status === "draft") finalizeInvoice(world, id, null);
  else if (invoice.status !== "open") {
    throw badRequest(`This invoice can't be paid because it is ${invoice.status ?? "not open"}.`);
  }
  const subscription = world.get("subscriptions", subscriptionOf(invoice));
  const intentId = intentOf(world, id);
  if (params.paid_out_of_band === true || intentId === null) {
    const paid = markInvoicePaid(world, id);
    subscriptionPaid(world, subscription.id, null);
    return paid;
  }
  const given = params.payment_method;
  const method =
    given === undefined
      ? defaultMethodOf(world, subscription)
      : resolveAttached(world, given, idOf(invoice.customer), "payment_method").id;
  if (method === null) {
    throw badRequest(
      "There is no `default_payment_method` set on this Customer or Invoice. Please set one or pass `payment_method`.",
      undefined,
      "missing",
    );
  }
  const offSession = params.off_session ?? true;
  const result = collectIntent(world, intentId, method, { offSession });
  if (result.kind === "failed") throw result.fault;
  if (result.kind === "requires_action") {
    throw new StripeFault(402, {
      type: "card_error",
      code: "invoice_payment_intent_requires_action",
      message:
        "This payment requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with the invoice.",
      payment_intent: world.get("paymentIntents", intentId),
    });
  }
  return world.get("invoices", id);
}

function voidOpen(world: World, id: string): object {
  const invoice = world.get("invoices", id);
  if (invoice.status !== "open" && invoice.status !== "uncollectible") {
    throw badRequest(`You can only pass in open invoices. This invoice isn't open.`);
  }
  const subscription = world.find("subscriptions", subscriptionOf(invoice));
  if (subscription?.status === "incomplete") {
    expireSubscription(world, subscription.id);
    return world.get("invoices", id);
  }
  return voidInvoice(world, id);
}

export const invoiceRoutes: Route[] = [
  route(
    "GET",
    "invoices",
    z.strictObject({
      ...listParams,
      customer: text.optional(),
      subscription: text.optional(),
      status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
      collection_method: z.enum(["charge_automatically"]).optional(),
    }),
    ({ world, params, url }) => {
      const rows = world
        .rows("invoices")
        .filter(
          (row) =>
            row.customer === (params.customer ?? row.customer) &&
            subscriptionOf(row) === (params.subscription ?? subscriptionOf(row)) &&
            row.status === (params.status ?? row.status),
        );
      return listPage(rows, params, url, "invoices");
    },
  ),
  route("GET", "invoices/:id", nothing, ({ world, id }) => world.get("invoices", id)),
  route(
    "POST",
    "invoices/:id",
    z.strictObject({ metadata: metadata.optional() }),
    ({ world, id, params }) => {
      const held = world.get("invoices", id);
      const merged = mergeMetadata(held.metadata ?? {}, params.metadata);
      return world.amend("invoices", id, { metadata: merged }, "invoice.updated");
    },
  ),
  route("GET", "invoices/:id/lines", z.strictObject(listParams), ({ world, id, url }) => ({
    ...world.get("invoices", id).lines,
    url,
  })),
  route("POST", "invoices/:id/pay", payParams, ({ world, id, params }) => pay(world, id, params)),
  route("POST", "invoices/:id/void", nothing, ({ world, id }) => voidOpen(world, id)),
  route(
    "GET",
    "invoice_payments",
    z.strictObject({
      ...listParams,
      invoice: text.optional(),
      payment: z
        .strictObject({ type: z.enum(["payment_intent"]), payment_intent: text.optional() })
        .optional(),
    }),
    ({ world, params, url }) => {
      const rows = world
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
