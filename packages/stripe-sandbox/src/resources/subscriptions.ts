import type Stripe from "stripe";
import * as z from "zod";
import { changeItem, creditUnusedTime } from "../billing/change-subscription.ts";
import { resolveAttached } from "../billing/payment-methods.ts";
import { startSubscription, trialEndOf } from "../billing/start-subscription.ts";
import { cancelSubscription, hasEnded } from "../billing/subscription-steps.ts";
import { badRequest, noSuch } from "../fault.ts";
import { listPage } from "../http/lists.ts";
import { mergeMetadata } from "../http/params.ts";
import { route, type Route } from "../http/route.ts";
import type { World } from "../world.ts";
import { cancelParams, createParams, listFilter, updateParams } from "./subscription-params.ts";
import { idOf } from "../ids.ts";

const nothing = z.strictObject({});
function create(world: World, params: z.infer<typeof createParams>): Stripe.Subscription {
  return startSubscription(world, {
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
    trialEnd: trialEndOf(world.now(), params.trial_period_days, params.trial_end),
  });
}

function update(world: World, id: string, params: z.infer<typeof updateParams>) {
  const held = world.get("subscriptions", id);
  if (hasEnded(held)) {
    const { metadata: _metadata, cancellation_details: _details, ...rest } = params;
    if (Object.values(rest).some((value) => value !== undefined)) {
      throw badRequest(
        "A canceled subscription can only update its cancellation_details and metadata.",
      );
    }
  }
  const chosen = params.default_payment_method;
  const changes: Partial<Stripe.Subscription> = {
    ...cancellationChanges(world, held, params),
    ...(params.description !== undefined && { description: params.description }),
    ...(chosen !== undefined && {
      default_payment_method:
        chosen === null
          ? null
          : resolveAttached(world, chosen, idOf(held.customer), "default_payment_method").id,
    }),
    metadata: mergeMetadata(held.metadata, params.metadata),
  };
  const note = world.tables.subscriptionNotes.get(id);
  const saving = params.payment_settings?.save_default_payment_method;
  if (note && saving) note.saveDefaultMethod = saving === "on_subscription";
  const item = params.items?.[0];
  if (item) {
    const { id: itemId, price, quantity } = item;
    const behaviour = params.proration_behavior ?? "create_prorations";
    changeItem(world, id, { id: itemId, price, quantity }, behaviour);
  }
  return world.amend("subscriptions", id, changes, "customer.subscription.updated");
}

function cancellationChanges(
  world: World,
  held: Stripe.Subscription,
  params: z.infer<typeof updateParams>,
): Partial<Stripe.Subscription> {
  const { cancel_at_period_end: atEnd, cancel_at: moment, cancellation_details: given } = params;
  const before = held.cancellation_details;
  const details = {
    comment: given?.comment === undefined ? (before?.comment ?? null) : given.comment,
    feedback: given?.feedback === undefined ? (before?.feedback ?? null) : given.feedback,
    feedback_option: before?.feedback_option ?? null,
    reason: before?.reason ?? null,
  };
  if (atEnd === undefined && moment === undefined) {
    return given ? { cancellation_details: details } : {};
  }
  if (atEnd === true && moment !== undefined && moment !== "") {
    throw badRequest("You may only specify one of: cancel_at, cancel_at_period_end.", "cancel_at");
  }
  if (typeof moment === "number" && moment <= world.now()) {
    throw badRequest("Invalid timestamp: must be in the future.", "cancel_at");
  }
  const periodEnd = held.items.data[0]?.current_period_end ?? null;
  const cancelAt = atEnd === true ? periodEnd : typeof moment === "number" ? moment : null;
  const isEnding = cancelAt !== null;
  return {
    cancel_at_period_end: atEnd === true,
    cancel_at: cancelAt,
    canceled_at: isEnding ? (held.canceled_at ?? world.now()) : null,
    cancellation_details: { ...details, reason: isEnding ? "cancellation_requested" : null },
  };
}

export const subscriptionRoutes: Route[] = [
  route("POST", "subscriptions", createParams, ({ world, params }) => create(world, params)),
  route("GET", "subscriptions", listFilter, ({ world, params, url }) => {
    const { customer, price, status } = params;
    const hasStatus = (row: Stripe.Subscription): boolean => {
      if (status === "all") return true;
      if (status === "ended") return hasEnded(row);
      return status === undefined ? row.status !== "canceled" : row.status === status;
    };
    const rows = world
      .rows("subscriptions")
      .filter(
        (row) =>
          hasStatus(row) &&
          row.customer === (customer ?? row.customer) &&
          (price === undefined || row.items.data.some((item) => item.price.id === price)),
      );
    return listPage(rows, params, url, "subscriptions");
  }),
  route("GET", "subscriptions/:id", nothing, ({ world, id }) => world.get("subscriptions", id)),
  route("POST", "subscriptions/:id", updateParams, ({ world, id, params }) =>
    update(world, id, params),
  ),
  route("DELETE", "subscriptions/:id", cancelParams, ({ world, id, params }) => {
    if (hasEnded(world.get("subscriptions", id))) throw noSuch("subscription", id);
    if (params.prorate === true && params.invoice_now === true) creditUnusedTime(world, id);
    return cancelSubscription(world, id, params.cancellation_details);
  }),
];
