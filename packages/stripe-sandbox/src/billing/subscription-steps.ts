import type Stripe from "stripe";
import { expandableId } from "../ids.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { isPendingUpdateInvoice } from "./pending-update.ts";
import { endSchedule } from "./schedules.ts";
import { voidInvoice } from "./void-invoice.ts";

const endedStatuses = new Set(["canceled", "incomplete_expired"]);

export function hasEnded(subscription: Stripe.Subscription): boolean {
  return endedStatuses.has(subscription.status);
}

/** Updates a subscription whose invoice was paid, if it had one; `methodId` is null when paid out of band. */
export function subscriptionPaid(state: SandboxState, id: string, methodId: string | null): void {
  const subscription = state.find("subscriptions", id);
  if (subscription === undefined || hasEnded(subscription)) return;
  const changes: Partial<Stripe.Subscription> = {};
  // The latest invoice decides: an older one that is paid leaves the subscription past due.
  const latest = state.find("invoices", expandableId(subscription.latest_invoice));
  const isOwing = subscription.status === "past_due" && latest?.status === "open";
  if (subscription.status !== "trialing" && !isOwing) changes.status = "active";
  if (
    methodId !== null &&
    state.tables.subscriptionNotes.get(id)?.saveDefaultMethod === true &&
    subscription.default_payment_method === null
  ) {
    changes.default_payment_method = methodId;
  }
  state.update("subscriptions", id, changes, "customer.subscription.updated");
}

/** Updates a subscription whose invoice could not be collected: an active one becomes past due. */
export function subscriptionUnpaid(state: SandboxState, id: string, invoice: Stripe.Invoice): void {
  const subscription = state.get("subscriptions", id);
  if (invoice.billing_reason === "subscription_create") return;
  if (isPendingUpdateInvoice(state, invoice.id)) return;
  if (subscription.status !== "active" && subscription.status !== "trialing") return;
  state.update("subscriptions", id, { status: "past_due" }, "customer.subscription.updated");
}

export interface CancellationNotes {
  comment?: string | null | undefined;
  feedback?: string | null | undefined;
}

/** Cancels a subscription now. An incomplete one expires and its invoice is voided. */
export function endSubscription(
  state: SandboxState,
  id: string,
  notes: CancellationNotes = {},
): Stripe.Subscription {
  const subscription = state.get("subscriptions", id);
  if (subscription.status === "incomplete") return expireSubscription(state, id, true);
  stopCollection(state, id);
  return end(state, subscription, {
    status: "canceled",
    cancellation_details: details(subscription, "cancellation_requested", notes),
  });
}

export function cancelForNonPayment(state: SandboxState, id: string): void {
  const subscription = state.get("subscriptions", id);
  if (hasEnded(subscription)) return;
  stopCollection(state, id);
  end(state, subscription, {
    status: "canceled",
    cancellation_details: details(subscription, "payment_failed"),
  });
}

/** Expires a subscription without a first payment and voids its invoice. */
export function expireSubscription(
  state: SandboxState,
  id: string,
  isRequested = false,
): Stripe.Subscription {
  const subscription = state.get("subscriptions", id);
  if (typeof subscription.latest_invoice === "string") {
    const invoice = state.get("invoices", subscription.latest_invoice);
    if (invoice.status === "open") voidInvoice(state, invoice.id);
  }
  const ended = { status: "incomplete_expired" as const, ended_at: state.now() };
  return state.update(
    "subscriptions",
    id,
    isRequested ? { ...ended, canceled_at: state.now() } : ended,
    isRequested ? "customer.subscription.deleted" : "customer.subscription.updated",
  );
}

function details(
  subscription: Stripe.Subscription,
  reason: "cancellation_requested" | "payment_failed",
  notes: CancellationNotes = {},
): Stripe.Subscription.CancellationDetails {
  const existing = subscription.cancellation_details;
  return {
    comment: notes.comment ?? existing?.comment ?? null,
    feedback: notes.feedback ?? existing?.feedback ?? null,
    feedback_option: existing?.feedback_option ?? null,
    reason: existing?.reason ?? reason,
  };
}

function end(
  state: SandboxState,
  subscription: Stripe.Subscription,
  changes: Partial<Stripe.Subscription>,
): Stripe.Subscription {
  const now = state.now();
  endSchedule(state, subscription.id, "canceled");
  return state.update(
    "subscriptions",
    subscription.id,
    { canceled_at: subscription.canceled_at ?? now, ended_at: now, ...changes },
    "customer.subscription.deleted",
  );
}

/** Open invoices stay payable by hand but are not retried; drafts stay drafts. */
function stopCollection(state: SandboxState, id: string): void {
  for (const invoice of state.rows("invoices")) {
    if (invoice.parent?.subscription_details?.subscription !== id) continue;
    if (invoice.status !== "open" && invoice.status !== "draft") continue;
    state.update("invoices", invoice.id, {
      auto_advance: false,
      automatically_finalizes_at: null,
      next_payment_attempt: null,
    });
  }
}
