import type Stripe from "stripe";
import * as z from "zod";
import { invalidRequest } from "../api-errors.ts";
import { collectAutomatically } from "../billing/collect.ts";
import { finalizeInvoice } from "../billing/invoice-steps.ts";
import { createManualInvoice } from "../billing/manual-invoice.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import {
  flag,
  integer,
  mergeMetadata,
  metadata,
  nonEmptyString,
  noParams,
} from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";

const createParams = z.strictObject({
  auto_advance: flag.optional(),
  collection_method: z.enum(["charge_automatically", "send_invoice"]).optional(),
  currency: nonEmptyString.optional(),
  customer: nonEmptyString,
  days_until_due: integer.optional(),
  default_payment_method: nonEmptyString.optional(),
  description: nonEmptyString.optional(),
  metadata: metadata.optional(),
  pending_invoice_items_behavior: z.enum(["exclude", "include"]).optional(),
});

function create(state: SandboxState, params: z.infer<typeof createParams>): Stripe.Invoice {
  const { customer, days_until_due: days, default_payment_method: method } = params;
  state.get("customers", customer, "customer");
  const collectionMethod = params.collection_method ?? "charge_automatically";
  if ((collectionMethod === "send_invoice") !== (days !== undefined)) {
    throw invalidRequest(
      "If collection_method is set to send_invoice, you must set days_until_due, and only then.",
      "days_until_due",
    );
  }
  return createManualInvoice(state, {
    customer,
    currency: params.currency?.toLowerCase() ?? "gbp",
    collectionMethod,
    daysUntilDue: days ?? null,
    autoAdvance: params.auto_advance ?? false,
    takesPendingItems: params.pending_invoice_items_behavior === "include",
    defaultPaymentMethod:
      method === undefined
        ? null
        : resolveAttached(state, method, customer, "default_payment_method").id,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
  });
}

/** Makes a draft final. One that goes on by itself is charged at once, where Stripe waits about an hour. */
function finalize(
  state: SandboxState,
  id: string,
  autoAdvance: boolean | undefined,
): Stripe.Invoice {
  const draft = state.get("invoices", id);
  if (draft.status !== "draft") {
    throw invalidRequest(
      "This invoice is already finalized, you can't re-finalize a non-draft invoice.",
    );
  }
  const goesOn = autoAdvance ?? draft.auto_advance ?? false;
  state.update("invoices", id, { auto_advance: goesOn });
  finalizeInvoice(state, id, null);
  if (goesOn && draft.collection_method === "charge_automatically") collectAutomatically(state, id);
  return state.get("invoices", id);
}

function send(state: SandboxState, id: string): Stripe.Invoice {
  const invoice = state.get("invoices", id);
  if (invoice.collection_method !== "send_invoice") {
    throw invalidRequest(
      "You can only manually send an invoice if its collection method is 'send_invoice'.",
    );
  }
  if (invoice.status === "draft") finalizeInvoice(state, id, null);
  state.emit("invoice.sent", state.get("invoices", id));
  return state.get("invoices", id);
}

function giveUp(state: SandboxState, id: string): Stripe.Invoice {
  const { status, status_transitions: transitions } = state.get("invoices", id);
  if (status !== "open") {
    throw invalidRequest("You can only mark open invoices as uncollectible.");
  }
  const now = state.now();
  const changes = {
    status: "uncollectible" as const,
    auto_advance: false,
    next_payment_attempt: null,
    status_transitions: { ...transitions, marked_uncollectible_at: now },
  };
  return state.update("invoices", id, changes, "invoice.marked_uncollectible");
}

/** Invoices that are made by hand, and what is done with any invoice by hand. */
export const manualInvoiceRoutes: Route[] = [
  route("POST", "invoices", createParams, ({ state, params }) => create(state, params)),
  route(
    "POST",
    "invoices/:id/finalize",
    z.strictObject({ auto_advance: flag.optional() }),
    ({ state, id, params }) => finalize(state, id, params.auto_advance),
  ),
  route("POST", "invoices/:id/send", noParams, ({ state, id }) => send(state, id)),
  route("POST", "invoices/:id/mark_uncollectible", noParams, ({ state, id }) => giveUp(state, id)),
  route("DELETE", "invoices/:id", noParams, ({ state, id }) => {
    const invoice = state.get("invoices", id);
    if (invoice.status !== "draft" || invoice.parent !== null) {
      throw invalidRequest("You can only delete draft invoices without a subscription.");
    }
    for (const item of state.rows("invoiceItems")) {
      if (item.invoice === id) state.update("invoiceItems", item.id, { invoice: null });
    }
    state.tables.invoices.delete(id);
    state.emit("invoice.deleted", invoice);
    return { id, object: "invoice" as const, deleted: true as const };
  }),
];
