import type Stripe from "stripe";
import { hourS, nextPeriodEnd } from "../clock.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { takePendingLines } from "./change-subscription.ts";
import { settleBalance } from "./balance.ts";
import { announcementOf, announceTrialEnd } from "./announce-trial-end.ts";
import { announceRenewal, upcomingOf } from "./announce-renewal.ts";
import { expireCheckout } from "./checkout.ts";
import { collectAutomatically, finalizeAndCollect } from "./collect.ts";
import { draftInvoice } from "./invoice-steps.ts";
import { endTrialWithoutCard } from "./pause-subscription.ts";
import { linesFor } from "./start-subscription.ts";
import { leaveUncollected } from "./pause-collection.ts";
import { advanceSchedule, endOfSchedule, endSchedule } from "./schedules.ts";
import { endSubscription, expireSubscription } from "./subscription-steps.ts";
import { voidInvoice } from "./void-invoice.ts";

/** How long a subscription may stay `incomplete`. */
const incompleteLifetimeS = 23 * hourS;
const maxSteps = 20_000;

interface DueAction {
  at: number;
  run: () => void;
}

/**
 * Does all due work in order, each with the clock at the moment it became due: renewals, retries, ends of trials and
 * subscriptions, expiry of unpaid ones. Returns the number of actions.
 */
export function runDueWork(state: SandboxState): number {
  const now = state.now();
  for (let step = 0; step < maxSteps; step += 1) {
    const next = earliest([
      ...subscriptionsDue(state),
      ...invoicesDue(state),
      ...checkoutsDue(state),
    ]);
    if (!next || next.at > now) {
      settleBalance(state);
      return step;
    }
    state.clock.at(next.at, next.run);
  }
  throw new Error("The test clock went further than the sandbox can follow in one go.");
}

function earliest(work: DueAction[]): DueAction | undefined {
  let first: DueAction | undefined;
  for (const due of work) if (!first || due.at < first.at) first = due;
  return first;
}

function subscriptionsDue(state: SandboxState): DueAction[] {
  return state.rows("subscriptions").flatMap((subscription): DueAction[] => {
    const { id, status } = subscription;
    if (status === "incomplete") {
      const at = subscription.created + incompleteLifetimeS;
      return [{ at, run: () => void expireSubscription(state, id) }];
    }
    if (status !== "active" && status !== "trialing" && status !== "past_due") return [];
    const before = [
      ...announcementsDue(state, subscription),
      ...upcomingDue(state, subscription),
      ...resumptionOf(state, subscription),
    ];
    const expiry = subscription.pending_update?.expires_at;
    const waiting = state.tables.subscriptionNotes.get(id)?.pendingUpdate;
    if (expiry !== undefined && waiting) {
      return [{ at: expiry, run: () => void voidInvoice(state, waiting.invoice, true) }];
    }
    const periodEnd = subscription.items.data[0]?.current_period_end ?? Infinity;
    const scheduledEnd = endOfSchedule(state, id);
    if (scheduledEnd !== null && scheduledEnd <= periodEnd) {
      return [...before, { at: scheduledEnd, run: () => completeSchedule(state, id) }];
    }
    const { schedule, cancel_at: end } = subscription;
    if (schedule === null && end !== null && end <= periodEnd) {
      return [...before, { at: end, run: () => void endSubscription(state, id) }];
    }
    return [...before, { at: periodEnd, run: () => renew(state, id) }];
  });
}

function announcementsDue(state: SandboxState, subscription: Stripe.Subscription): DueAction[] {
  const at = announcementOf(state, subscription);
  return at === null ? [] : [{ at, run: () => announceTrialEnd(state, subscription.id) }];
}

function upcomingDue(state: SandboxState, subscription: Stripe.Subscription): DueAction[] {
  const at = upcomingOf(state, subscription);
  return at === null ? [] : [{ at, run: () => announceRenewal(state, subscription.id) }];
}

/** A schedule that ends its subscription is complete with it. */
function completeSchedule(state: SandboxState, id: string): void {
  endSchedule(state, id, "completed");
  endSubscription(state, id);
}

/** When the collection of payments is taken up again: before a renewal that is due at the same moment. */
function resumptionOf(
  state: SandboxState,
  { id, pause_collection }: Stripe.Subscription,
): DueAction[] {
  const at = pause_collection?.resumes_at ?? null;
  if (at === null) return [];
  const changes = { pause_collection: null };
  const event = "customer.subscription.updated";
  return [{ at, run: () => void state.update("subscriptions", id, changes, event) }];
}

function invoicesDue(state: SandboxState): DueAction[] {
  return state.rows("invoices").flatMap((invoice): DueAction[] => {
    const { automatically_finalizes_at: finalizes } = invoice;
    if (invoice.status === "draft" && finalizes !== null) {
      return [{ at: finalizes, run: () => finalizeAndCollect(state, invoice.id) }];
    }
    if (invoice.status !== "open" || invoice.next_payment_attempt === null) return [];
    const at = invoice.next_payment_attempt;
    return [{ at, run: () => collectAutomatically(state, invoice.id) }];
  });
}

function checkoutsDue(state: SandboxState): DueAction[] {
  return state
    .rows("checkoutSessions")
    .filter(({ status }) => status === "open")
    .map(({ id, expires_at: at }) => ({ at, run: () => void expireCheckout(state, id) }));
}

/** Moves a subscription to its next period, bills it and charges the saved card. */
function renew(state: SandboxState, id: string): void {
  if (endTrialWithoutCard(state, id)) return;
  advanceSchedule(state, id);
  const subscription = state.get("subscriptions", id);
  const items = subscription.items.data.map((item): Stripe.SubscriptionItem => {
    const { interval, intervalCount } = termsOf(item.price);
    const start = item.current_period_end;
    const anchor = subscription.billing_cycle_anchor;
    const end = nextPeriodEnd(anchor, start, interval, intervalCount);
    return { ...item, current_period_start: start, current_period_end: end };
  });
  const renewed = state.update("subscriptions", id, {
    items: { ...subscription.items, data: items },
    ...(subscription.status === "trialing" && { status: "active" as const }),
  });
  const from = subscription.items.data[0];
  const invoice = draftInvoice(state, renewed, {
    reason: "subscription_cycle",
    lines: [...takePendingLines(state, id), ...linesFor(state, renewed, false)],
    periodStart: from?.current_period_start ?? state.now(),
    periodEnd: from?.current_period_end ?? state.now(),
  });
  state.emit("customer.subscription.updated", state.get("subscriptions", id), {
    items: subscription.items,
    latest_invoice: subscription.latest_invoice,
    ...(subscription.status === "trialing" && { status: "trialing" }),
  });
  if (renewed.pause_collection) leaveUncollected(state, invoice.id, renewed.pause_collection);
  else if (state.renewalsStayDrafts) {
    state.update("invoices", invoice.id, { automatically_finalizes_at: state.now() + hourS });
  } else finalizeAndCollect(state, invoice.id);
}
