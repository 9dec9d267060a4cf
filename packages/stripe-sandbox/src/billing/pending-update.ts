import type Stripe from "stripe";
import { hourS } from "../clock.ts";
import type { SandboxState } from "../sandbox-state.ts";
import type { PendingUpdate } from "../tables.ts";
import { changedItem, itemsWith } from "./changed-item.ts";

/** How long a change waits for its payment. */
const pendingLifetimeS = 23 * hourS;

/** The change that waits for this invoice, with its subscription. */
function waitingFor(
  state: SandboxState,
  invoiceId: string,
): { id: string; pending: PendingUpdate } | null {
  for (const [id, { pendingUpdate }] of state.tables.subscriptionNotes) {
    if (pendingUpdate?.invoice === invoiceId) return { id, pending: pendingUpdate };
  }
  return null;
}

export function isPendingUpdateInvoice(state: SandboxState, invoiceId: string): boolean {
  return waitingFor(state, invoiceId) !== null;
}

/** The subscription's item with the price, quantity and period of the change. */
function waitingItem(
  state: SandboxState,
  subscription: Stripe.Subscription,
  pending: PendingUpdate,
): Stripe.SubscriptionItem | undefined {
  const item = subscription.items.data.find(({ id }) => id === pending.item);
  const price = state.get("prices", pending.price);
  return item && changedItem(item, price, pending.quantity, pending.anchor ?? state.now());
}

/** Shows a change that was not paid at once as `pending_update`. */
export function showPendingUpdate(state: SandboxState, id: string): void {
  const pending = state.tables.subscriptionNotes.get(id)?.pendingUpdate;
  if (!pending) return;
  const subscription = state.get("subscriptions", id);
  const item = waitingItem(state, subscription, pending);
  const periodEnd = subscription.items.data[0]?.current_period_end ?? Infinity;
  const pendingUpdate: Stripe.Subscription.PendingUpdate = {
    billing_cycle_anchor: pending.anchor ?? null,
    cancel_at_period_end: null,
    discount: null,
    discounts: null,
    expires_at: Math.min(state.now() + pendingLifetimeS, periodEnd),
    metadata: null,
    subscription_items: item ? [item] : [],
    trial_end: null,
    trial_from_plan: null,
  };
  const changes = { pending_update: pendingUpdate };
  state.update("subscriptions", id, changes, "customer.subscription.updated");
}

/** Makes the change that waited for this invoice. Does nothing for any other invoice. */
export function applyPendingUpdate(state: SandboxState, invoiceId: string): void {
  const found = waitingFor(state, invoiceId);
  const note = found && state.tables.subscriptionNotes.get(found.id);
  if (!found || !note) return;
  note.pendingUpdate = null;
  const subscription = state.get("subscriptions", found.id);
  const { anchor = null } = found.pending;
  const changed = waitingItem(state, subscription, found.pending);
  const wasShown = subscription.pending_update !== null;
  const after = state.update(
    "subscriptions",
    found.id,
    {
      ...(changed && { items: itemsWith(subscription, changed) }),
      ...(anchor !== null && { billing_cycle_anchor: anchor }),
      pending_update: null,
    },
    "customer.subscription.updated",
  );
  if (wasShown) state.emit("customer.subscription.pending_update_applied", after);
}

/** Discards the change that waits for this invoice, which was voided. */
export function discardPendingUpdate(
  state: SandboxState,
  invoiceId: string,
  isExpired = false,
): void {
  const found = waitingFor(state, invoiceId);
  const note = found && state.tables.subscriptionNotes.get(found.id);
  if (!found || !note) return;
  note.pendingUpdate = null;
  const changes = { pending_update: null };
  const after = state.update("subscriptions", found.id, changes, "customer.subscription.updated");
  if (isExpired) state.emit("customer.subscription.pending_update_expired", after);
}
