import type Stripe from "stripe";
import type * as z from "zod";
import { changeItem, creditUnusedTime } from "../billing/change-subscription.ts";
import { redeemDiscounts } from "../billing/discounts.ts";
import { pauseOf } from "../billing/pause-collection.ts";
import { resumeSubscription, startPeriodNow } from "../billing/pause-subscription.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import { keepPhaseInStep } from "../billing/schedules.ts";
import { startSubscription, trialEndOf } from "../billing/start-subscription.ts";
import { requireTaxable, taxRatesOf } from "../billing/taxes.ts";
import { endSubscription, hasEnded } from "../billing/subscription-steps.ts";
import { invalidRequest, resourceMissing } from "../api-errors.ts";
import { listPage, listedCustomer } from "../http/lists.ts";
import { mergeMetadata, noParams } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { SandboxState } from "../sandbox-state.ts";
import {
  cancelParams,
  createParams,
  listFilter,
  resumeParams,
  updateParams,
} from "./subscription-params.ts";
import { expandableId } from "../ids.ts";

function create(state: SandboxState, params: z.infer<typeof createParams>): Stripe.Subscription {
  const taxRates = taxRatesOf(state, params.default_tax_rates ?? [], "default_tax_rates");
  requireOneTax(params.automatic_tax?.enabled ?? false, taxRates);
  return startSubscription(state, {
    customer: params.customer,
    items: params.items.map((item) => ({
      price: item.price,
      quantity: item.quantity ?? 1,
      metadata: mergeMetadata({}, item.metadata),
    })),
    paymentBehavior: params.payment_behavior ?? "allow_incomplete",
    defaultPaymentMethod: params.default_payment_method ?? null,
    saveDefaultMethod: params.payment_settings?.save_default_payment_method === "on_subscription",
    offSession: params.off_session ?? false,
    cancelAtPeriodEnd: params.cancel_at_period_end ?? false,
    description: params.description ?? null,
    metadata: mergeMetadata({}, params.metadata),
    discounts: params.discounts ?? [],
    automaticTax: params.automatic_tax?.enabled ?? false,
    taxRates,
    trialEnd: trialEndOf(state.now(), params.trial_period_days, params.trial_end),
    withoutCardAtTrialEnd:
      params.trial_settings?.end_behavior.missing_payment_method ?? "create_invoice",
  });
}

function update(state: SandboxState, id: string, params: z.infer<typeof updateParams>) {
  const existing = state.get("subscriptions", id);
  if (hasEnded(existing)) {
    const { metadata: _metadata, cancellation_details: _details, ...rest } = params;
    if (Object.values(rest).some((value) => value !== undefined)) {
      throw invalidRequest(
        "A canceled subscription can only update its cancellation_details and metadata.",
      );
    }
  }
  requireMovableAnchor(existing, params);
  const { default_payment_method: chosen, discounts } = params;
  const changes: Partial<Stripe.Subscription> = {
    ...cancellationChanges(state, existing, params),
    ...(params.description !== undefined && { description: params.description }),
    ...(params.trial_settings && {
      trial_settings: {
        end_behavior: { billing_cycle_anchor: null, ...params.trial_settings.end_behavior },
      },
    }),
    ...(params.pause_collection !== undefined && {
      pause_collection: pauseOf(state, params.pause_collection),
    }),
    ...(chosen !== undefined && {
      default_payment_method:
        chosen === null
          ? null
          : resolveAttached(
              state,
              chosen,
              expandableId(existing.customer),
              "default_payment_method",
            ).id,
    }),
    ...(discounts !== undefined && {
      discounts: redeemDiscounts(state, existing, discounts === "" ? [] : discounts),
    }),
    ...taxChanges(state, existing, params),
    metadata: mergeMetadata(existing.metadata, params.metadata),
  };
  const note = state.tables.subscriptionNotes.get(id);
  const saving = params.payment_settings?.save_default_payment_method;
  if (note && saving) note.saveDefaultMethod = saving === "on_subscription";
  const item = params.items?.[0];
  if (item) {
    const { id: itemId, price, quantity } = item;
    requireNoOtherChanges(params);
    changeItem(
      state,
      id,
      { id: itemId, price, quantity },
      {
        proration: params.proration_behavior ?? "create_prorations",
        prorationDate: params.proration_date,
        isPendingIfUnpaid: params.payment_behavior === "pending_if_incomplete",
      },
    );
  }
  const updated = state.update("subscriptions", id, changes, "customer.subscription.updated");
  if (chosen !== undefined || discounts !== undefined || params.default_tax_rates !== undefined)
    keepPhaseInStep(state, id);
  if (params.billing_cycle_anchor?.type !== "now") return updated;
  startPeriodNow(state, id);
  return state.get("subscriptions", id);
}

/** Tax on the invoices to come: rates of one's own, or automatic tax, never both. */
function taxChanges(
  state: SandboxState,
  existing: Stripe.Subscription,
  { automatic_tax: automatic, default_tax_rates: rates }: z.infer<typeof updateParams>,
): Partial<Stripe.Subscription> {
  const isAutomatic = automatic?.enabled ?? existing.automatic_tax.enabled;
  const chosen =
    rates === undefined
      ? (existing.default_tax_rates ?? [])
      : taxRatesOf(state, rates === "" ? [] : rates, "default_tax_rates");
  requireOneTax(isAutomatic, chosen);
  if (automatic?.enabled === true) {
    const prices = existing.items.data.map(({ price }) => price);
    requireTaxable(state, expandableId(existing.customer), prices);
  }
  return {
    ...(automatic && {
      automatic_tax: {
        disabled_reason: null,
        enabled: isAutomatic,
        liability: isAutomatic ? { type: "self" as const } : null,
      },
    }),
    ...(rates !== undefined && { default_tax_rates: chosen }),
  };
}

function requireOneTax(isAutomatic: boolean, rates: readonly Stripe.TaxRate[]): void {
  if (!isAutomatic || rates.length === 0) return;
  throw invalidRequest(
    "You cannot set `default_tax_rates` while `automatic_tax` is enabled.",
    "default_tax_rates",
  );
}

/** The anchor moves only as the product moves it: alone, for a live subscription, and without crediting the rest. */
function requireMovableAnchor(
  { status, schedule }: Stripe.Subscription,
  params: z.infer<typeof updateParams>,
): void {
  if (params.billing_cycle_anchor?.type !== "now") return;
  if (params.items === undefined && params.proration_behavior === "none" && schedule === null) {
    if (status === "active") return;
  }
  throw invalidRequest(
    "The sandbox resets `billing_cycle_anchor` only of active subscriptions without a schedule, with `proration_behavior=none` and no change of items.",
    "billing_cycle_anchor",
  );
}

const pendingParams = new Set([
  "billing_cycle_anchor",
  "items",
  "payment_behavior",
  "proration_behavior",
  "proration_date",
]);

/** A change that may wait for its payment can change nothing but the items. */
function requireNoOtherChanges(params: z.infer<typeof updateParams>): void {
  if (params.payment_behavior !== "pending_if_incomplete") return;
  const other = Object.entries(params).find(
    ([name, value]) => value !== undefined && !pendingParams.has(name),
  )?.[0];
  if (other === undefined) return;
  throw invalidRequest(
    `When \`payment_behavior\` is set to \`pending_if_incomplete\`, you cannot pass \`${other}\`.`,
    other,
  );
}

function cancellationChanges(
  state: SandboxState,
  existing: Stripe.Subscription,
  params: z.infer<typeof updateParams>,
): Partial<Stripe.Subscription> {
  const { cancel_at_period_end: atEnd, cancel_at: moment, cancellation_details: given } = params;
  const before = existing.cancellation_details;
  const details = {
    comment: given?.comment === undefined ? (before?.comment ?? null) : given.comment,
    feedback: given?.feedback === undefined ? (before?.feedback ?? null) : given.feedback,
    feedback_option: before?.feedback_option ?? null,
    reason: before?.reason ?? null,
  };
  if (atEnd === undefined && moment === undefined) {
    return given ? { cancellation_details: details } : {};
  }
  if (existing.schedule !== null) {
    throw invalidRequest(
      `The subscription is managed by the subscription schedule \`${expandableId(existing.schedule)}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  }
  if (atEnd === true && moment !== undefined && moment !== "") {
    throw invalidRequest(
      "You may only specify one of: cancel_at, cancel_at_period_end.",
      "cancel_at",
    );
  }
  if (typeof moment === "number" && moment <= state.now()) {
    throw invalidRequest("Invalid timestamp: must be in the future.", "cancel_at");
  }
  const periodEnd = existing.items.data[0]?.current_period_end ?? null;
  const cancelAt = atEnd === true ? periodEnd : typeof moment === "number" ? moment : null;
  const isEnding = cancelAt !== null;
  return {
    cancel_at_period_end: atEnd === true,
    cancel_at: cancelAt,
    canceled_at: isEnding ? (existing.canceled_at ?? state.now()) : null,
    cancellation_details: { ...details, reason: isEnding ? "cancellation_requested" : null },
  };
}

export const subscriptionRoutes: Route[] = [
  route("POST", "subscriptions", createParams, ({ state, params }) => create(state, params)),
  route("GET", "subscriptions", listFilter, ({ state, params, url }) => {
    const { price, status } = params;
    const customer = listedCustomer(state, params);
    const hasStatus = (row: Stripe.Subscription): boolean => {
      if (status === "all") return true;
      if (status === "ended") return hasEnded(row);
      return status === undefined ? row.status !== "canceled" : row.status === status;
    };
    const rows = state
      .rows("subscriptions")
      .filter(
        (row) =>
          hasStatus(row) &&
          row.customer === (customer ?? row.customer) &&
          (customer !== undefined || row.test_clock === (params.test_clock ?? null)) &&
          (price === undefined || row.items.data.some((item) => item.price.id === price)),
      );
    return listPage(rows, params, url, "subscriptions");
  }),
  route("GET", "subscriptions/:id", noParams, ({ state, id }) => state.get("subscriptions", id)),
  route("POST", "subscriptions/:id", updateParams, ({ state, id, params }) =>
    update(state, id, params),
  ),
  route("POST", "subscriptions/:id/resume", resumeParams, ({ state, id }) =>
    resumeSubscription(state, id),
  ),
  route("DELETE", "subscriptions/:id", cancelParams, ({ state, id, params }) => {
    if (hasEnded(state.get("subscriptions", id))) throw resourceMissing("subscription", id);
    if (params.prorate === true && params.invoice_now === true) creditUnusedTime(state, id);
    return endSubscription(state, id, params.cancellation_details);
  }),
];
