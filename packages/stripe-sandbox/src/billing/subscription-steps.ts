import type Stripe from "stripe";
import type { World } from "../world.ts";
import { voidInvoice } from "./void-invoice.ts";

const ENDED = new Set(["canceled", "incomplete_expired"]);

export function hasEnded(subscription: Stripe.Subscription): boolean {
  return ENDED.has(subscription.status);
}

/** A subscription's invoice was paid, with this method unless it was paid elsewhere. */
export function subscriptionPaid(world: World, id: string, methodId: string | null): void {
  const subscription = world.get("subscriptions", id);
  if (hasEnded(subscription)) return;
  const changes: Partial<Stripe.Subscription> = {};
  if (subscription.status !== "trialing") changes.status = "active";
  if (
    methodId !== null &&
    world.tables.subscriptionNotes.get(id)?.saveDefaultMethod === true &&
    subscription.default_payment_method === null
  ) {
    changes.default_payment_method = methodId;
  }
  world.amend("subscriptions", id, changes, "customer.subscription.updated");
}

/** A subscription's invoice could not be collected: one that ran before is past due now. */
export function subscriptionUnpaid(world: World, id: string, invoice: Stripe.Invoice): void {
  const subscription = world.get("subscriptions", id);
  if (invoice.billing_reason === "subscription_create") return;
  if (subscription.status !== "active" && subscription.status !== "trialing") return;
  world.amend("subscriptions", id, { status: "past_due" }, "customer.subscription.updated");
}

export interface CancellationNotes {
  comment?: string | null | undefined;
  feedback?: string | null | undefined;
}

/** Ends a subscription now. One that never started leaves no invoice to pay. */
export function cancelSubscription(
  world: World,
  id: string,
  notes: CancellationNotes = {},
): Stripe.Subscription {
  const subscription = world.get("subscriptions", id);
  if (subscription.status === "incomplete") return expireSubscription(world, id, true);
  stopCollection(world, id);
  return end(world, subscription, {
    status: "canceled",
    cancellation_details: details(subscription, "cancellation_requested", notes),
  });
}

export function cancelForNonPayment(world: World, id: string): void {
  const subscription = world.get("subscriptions", id);
  if (hasEnded(subscription)) return;
  stopCollection(world, id);
  end(world, subscription, {
    status: "canceled",
    cancellation_details: details(subscription, "payment_failed"),
  });
}

/** The first payment did not come: the subscription is over and its invoice void. */
export function expireSubscription(
  world: World,
  id: string,
  isRequested = false,
): Stripe.Subscription {
  const subscription = world.get("subscriptions", id);
  if (typeof subscription.latest_invoice === "string") {
    const invoice = world.get("invoices", subscription.latest_invoice);
    if (invoice.status === "open") voidInvoice(world, invoice.id);
  }
  const ended = { status: "incomplete_expired" as const, ended_at: world.now() };
  return world.amend(
    "subscriptions",
    id,
    isRequested ? { ...ended, canceled_at: world.now() } : ended,
    isRequested ? "customer.subscription.deleted" : "customer.subscription.updated",
  );
}

function details(
  subscription: Stripe.Subscription,
  reason: "cancellation_requested" | "payment_failed",
  notes: CancellationNotes = {},
): Stripe.Subscription.CancellationDetails {
  const held = subscription.cancellation_details;
  return {
    comment: notes.comment ?? held?.comment ?? null,
    feedback: notes.feedback ?? held?.feedback ?? null,
    feedback_option: held?.feedback_option ?? null,
    reason: held?.reason ?? reason,
  };
}

function end(
  world: World,
  subscription: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const now = world.now();
  return world.amend(
    "subscriptions",
    subscription.id,
    { canceled_at: subscription.canceled_at ?? now, ended_at: now, ...changes },
    "customer.subscription.deleted",
  );
}

/** Open invoices stay payable by hand but are not tried again. */
function stopCollection(world: World, id: string): void {
  for (const invoice of world.rows("invoices")) {
    if (invoice.parent?.subscription_details?.subscription !== id) continue;
    if (invoice.status !== "open") continue;
    world.amend("invoices", invoice.id, { auto_advance: false, next_payment_attempt: null });
  }
}
