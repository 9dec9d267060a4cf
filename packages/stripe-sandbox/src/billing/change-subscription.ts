import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { newSubscriptionItem } from "../objects/subscription-objects.ts";
import { prorationLine } from "../objects/invoice-lines.ts";
import type { PendingLine, PendingUpdate } from "../tables.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { payIntentAndUpdateInvoice, defaultMethodOf } from "./collect.ts";
import { draftInvoice, finalizeInvoice, intentOf } from "./invoice-steps.ts";
import { changedItem, isOtherRhythm, itemsWith } from "./changed-item.ts";
import { showPendingUpdate } from "./pending-update.ts";
import { linesFor, recurringPrices } from "./start-subscription.ts";
import { voidInvoice } from "./void-invoice.ts";
import { expandableId } from "../ids.ts";

export type ProrationBehavior = "always_invoice" | "create_prorations" | "none";

export interface ChangeOptions {
  proration: ProrationBehavior;
  /** The moment to prorate at, epoch seconds; now by default. */
  prorationDate?: number | undefined;
  /** Change nothing until the invoice of the change is paid. */
  isPendingIfUnpaid?: boolean | undefined;
}

export interface ItemChange {
  id: string | undefined;
  price: string | undefined;
  quantity: number | undefined;
}

/**
 * Changes price or quantity of the subscription's item. With another billing interval a new period starts
 * and is billed at once; otherwise the rest of the period is prorated as asked.
 */
export function changeItem(
  state: SandboxState,
  id: string,
  change: ItemChange,
  { proration, prorationDate, isPendingIfUnpaid = false }: ChangeOptions,
): void {
  const subscription = state.get("subscriptions", id);
  const item = findItem(subscription, change.id);
  const quantity = change.quantity ?? item.quantity ?? 1;
  const priceId = change.price ?? item.price.id;
  const [price] = recurringPrices(state, [{ price: priceId, quantity, metadata: {} }]);
  if (!price) return;
  if (price.id === item.price.id && quantity === item.quantity) return;
  const isOtherInterval = isOtherRhythm(price, item.price);
  const pending =
    proration === "none"
      ? []
      : prorate(
          state,
          item,
          price,
          quantity,
          isOtherInterval,
          prorationMoment(state, item, prorationDate),
        );
  const waiting = state.tables.subscriptionNotes.get(id)?.pendingUpdate;
  if (waiting) voidInvoice(state, waiting.invoice);
  const now = state.now();
  const changed = changedItem(item, price, quantity, now);
  const anchor = isOtherInterval ? now : null;
  if (isPendingIfUnpaid && proration === "always_invoice") {
    state.tables.subscriptionNotes.get(id)?.pendingLines.push(...pending);
    const newPeriod = isOtherInterval
      ? { ...subscription, items: itemsWith(subscription, changed) }
      : null;
    billChange(state, id, newPeriod, { item: item.id, price: price.id, quantity, anchor });
    return;
  }
  state.update(
    "subscriptions",
    id,
    {
      items: itemsWith(subscription, changed),
      ...(anchor !== null && { billing_cycle_anchor: anchor }),
      ...(subscription.cancel_at_period_end && { cancel_at: changed.current_period_end }),
    },
    "customer.subscription.updated",
  );
  const note = state.tables.subscriptionNotes.get(id);
  note?.pendingLines.push(...pending);
  if (subscription.status === "trialing" || subscription.status === "incomplete") return;
  if (isOtherInterval || proration === "always_invoice") {
    billChange(state, id, isOtherInterval ? state.get("subscriptions", id) : null);
  }
}

/** The item with this id; without an id the only one. */
export function findItem(
  subscription: Stripe.Subscription,
  id: string | undefined,
): Stripe.SubscriptionItem {
  const item = subscription.items.data.find((row) => row.id === (id ?? row.id));
  if (item && (id !== undefined || subscription.items.data.length === 1)) return item;
  throw invalidRequest(
    `No such subscription item: '${id ?? ""}'`,
    "items[0][id]",
    "resource_missing",
  );
}

function prorationMoment(
  state: SandboxState,
  item: Stripe.SubscriptionItem,
  given: number | undefined,
): number {
  const moment = given ?? state.now();
  if (moment >= item.current_period_start && moment <= item.current_period_end) return moment;
  throw invalidRequest(
    "Cannot specify a proration date outside of the current subscription period.",
    "proration_date",
  );
}

/** Adds a price to a subscription for the rest of its period. */
export function addItem(
  state: SandboxState,
  id: string,
  added: { price: string; quantity: number },
  proration: ProrationBehavior,
): Stripe.SubscriptionItem {
  const subscription = state.get("subscriptions", id, "subscription");
  const [first] = subscription.items.data;
  const [price] = recurringPrices(state, [{ ...added, metadata: {} }]);
  if (!first || !price) throw invalidRequest("Missing required param: price.", "price");
  if (subscription.items.data.some((item) => item.price.id === price.id)) {
    throw invalidRequest(`An existing Subscription Item is already using this Price`, "price");
  }
  const now = state.now();
  const period = { start: first.current_period_start, end: first.current_period_end };
  const item = newSubscriptionItem(id, price, added.quantity, {}, period, now);
  const data = [...subscription.items.data, item];
  const items = { ...subscription.items, data };
  state.update("subscriptions", id, { items }, "customer.subscription.updated");
  const left = Math.max(0, period.end - now) / (period.end - period.start);
  if (proration !== "none") {
    state.tables.subscriptionNotes.get(id)?.pendingLines.push({
      amount: Math.round((price.unit_amount ?? 0) * added.quantity * left),
      description: `Remaining time on ${state.find("products", expandableId(price.product))?.name ?? price.id}`,
      priceId: price.id,
      periodStart: now,
      periodEnd: period.end,
    });
  }
  if (proration === "always_invoice") billChange(state, id, null);
  return item;
}

/** Bills pending lines and credits the unused time of every item to the customer's balance. */
export function creditUnusedTime(state: SandboxState, id: string): void {
  const { items } = state.get("subscriptions", id);
  const credits = items.data.flatMap((item) =>
    prorate(state, item, item.price, item.quantity ?? 1, true, state.now()),
  );
  state.tables.subscriptionNotes.get(id)?.pendingLines.push(...credits);
  billChange(state, id, null);
}

/** Credit for the unused time at the old price and, within the same period, the rest at the new one. */
export function prorate(
  state: SandboxState,
  item: Stripe.SubscriptionItem,
  price: Stripe.Price,
  quantity: number,
  isOtherInterval: boolean,
  now: number,
): PendingLine[] {
  const length = item.current_period_end - item.current_period_start;
  const left = Math.max(0, item.current_period_end - now) / length;
  const nameOf = (of: Stripe.Price) =>
    state.find("products", expandableId(of.product))?.name ?? of.id;
  const period = { periodStart: now, periodEnd: item.current_period_end };
  const credit: PendingLine = {
    ...period,
    amount: -Math.round((item.price.unit_amount ?? 0) * (item.quantity ?? 1) * left),
    description: `Unused time on ${nameOf(item.price)}`,
    priceId: item.price.id,
  };
  if (isOtherInterval) return [credit];
  const debit: PendingLine = {
    ...period,
    amount: Math.round((price.unit_amount ?? 0) * quantity * left),
    description: `Remaining time on ${nameOf(price)}`,
    priceId: price.id,
  };
  return [credit, debit];
}

/** Removes and returns the prorations pending for the next invoice. */
export function takePendingLines(state: SandboxState, id: string): Stripe.InvoiceLineItem[] {
  const note = state.tables.subscriptionNotes.get(id);
  const item = state.get("subscriptions", id).items.data[0];
  if (!note || !item) return [];
  const pending = note.pendingLines;
  note.pendingLines = [];
  return pending.map((line) => prorationLine(item, state.get("prices", line.priceId), line));
}

/** Bills what is pending and, where the change begins one, the new period of the subscription as it will be. */
function billChange(
  state: SandboxState,
  id: string,
  newPeriod: Stripe.Subscription | null,
  update: Omit<PendingUpdate, "invoice"> | null = null,
): void {
  const subscription = state.get("subscriptions", id);
  const lines = takePendingLines(state, id);
  if (newPeriod !== null) lines.push(...linesFor(state, newPeriod, false));
  if (lines.length === 0) return;
  const now = state.now();
  const invoice = draftInvoice(state, subscription, {
    reason: "subscription_update",
    lines,
    periodStart: now,
    periodEnd: now,
  });
  const note = state.tables.subscriptionNotes.get(id);
  if (note && update) note.pendingUpdate = { ...update, invoice: invoice.id };
  const payer = defaultMethodOf(state, state.get("subscriptions", id));
  const open = finalizeInvoice(state, invoice.id, payer);
  const intent = intentOf(state, invoice.id);
  if (open.status !== "paid" && payer !== null && intent !== null) {
    payIntentAndUpdateInvoice(state, intent, payer, { offSession: false });
  }
  showPendingUpdate(state, id);
}
