import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { putOnInvoice, updateLineOf } from "../billing/manual-invoice.ts";
import { listPage, listedCustomer } from "../http/lists.ts";
import {
  clearableText,
  flag,
  integer,
  listParams,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import { newInvoiceItem } from "../objects/invoice-item-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

const createParams = z.strictObject({
  amount: integer.optional(),
  currency: nonEmptyString.optional(),
  customer: nonEmptyString,
  description: nonEmptyString.optional(),
  invoice: nonEmptyString.optional(),
  metadata: metadata.optional(),
  period: z.strictObject({ start: integer, end: integer }).optional(),
  pricing: z.strictObject({ price: nonEmptyString }).optional(),
  quantity: integer.optional(),
});

function create(state: SandboxState, params: z.infer<typeof createParams>): Stripe.InvoiceItem {
  state.get("customers", params.customer, "customer");
  const { amount, pricing, quantity = 1 } = params;
  if ((amount === undefined) === (pricing === undefined)) {
    throw invalidRequest("You must pass exactly one of amount or pricing.", "amount");
  }
  const price = pricing === undefined ? null : state.get("prices", pricing.price, "pricing[price]");
  if (price && price.type !== "one_time") {
    throw invalidRequest(
      "The price of an invoice item must be one for one time.",
      "pricing[price]",
    );
  }
  const now = state.now();
  const item = newInvoiceItem(
    {
      customer: params.customer,
      currency: price?.currency ?? params.currency?.toLowerCase() ?? "gbp",
      unitAmount: amount ?? price?.unit_amount ?? 0,
      quantity,
      price,
      description: params.description ?? null,
      period: params.period ?? { start: now, end: now },
      metadata: mergeMetadata({}, params.metadata),
    },
    now,
  );
  state.put("invoiceItems", item);
  if (params.invoice !== undefined) {
    try {
      putOnInvoice(state, item.id, params.invoice);
    } catch (error) {
      state.tables.invoiceItems.delete(item.id);
      throw error;
    }
  }
  state.emit("invoiceitem.created", state.get("invoiceItems", item.id));
  return state.get("invoiceItems", item.id);
}

/** Things to be paid once. They wait for an invoice that is made by hand; renewals do not take them. */
export const invoiceItemRoutes: Route[] = [
  route("POST", "invoiceitems", createParams, ({ state, params }) => create(state, params)),
  route(
    "GET",
    "invoiceitems",
    z.strictObject({
      ...listParams,
      customer: nonEmptyString.optional(),
      invoice: nonEmptyString.optional(),
      pending: flag.optional(),
    }),
    ({ state, params, url }) => {
      const customer = listedCustomer(state, params);
      const rows = state
        .rows("invoiceItems")
        .filter(
          (row) =>
            row.customer === (customer ?? row.customer) &&
            row.invoice === (params.invoice ?? row.invoice) &&
            (params.pending === undefined || (row.invoice === null) === params.pending),
        )
        .map((row) => ({ ...row, created: row.date }));
      const page = listPage(rows, params, url, "invoiceItems");
      return { ...page, data: page.data.map(({ created: _created, ...row }) => row) };
    },
  ),
  route("GET", "invoiceitems/:id", noParams, ({ state, id }) => state.get("invoiceItems", id)),
  route(
    "POST",
    "invoiceitems/:id",
    z.strictObject({
      amount: integer.optional(),
      description: clearableText.optional(),
      metadata: metadata.optional(),
    }),
    ({ state, id, params: { amount, description, metadata: given } }) => {
      const item = state.get("invoiceItems", id);
      const changed = {
        ...item,
        ...(amount !== undefined && { amount, net_amount: amount }),
        ...(description !== undefined && { description }),
        metadata: mergeMetadata(item.metadata ?? {}, given),
      };
      updateLineOf(state, changed, false);
      return state.put("invoiceItems", changed);
    },
  ),
  route("DELETE", "invoiceitems/:id", noParams, ({ state, id }) => {
    const item = state.get("invoiceItems", id);
    updateLineOf(state, item, true);
    state.tables.invoiceItems.delete(id);
    state.emit("invoiceitem.deleted", item);
    return { id, object: "invoiceitem" as const, deleted: true as const };
  }),
];
