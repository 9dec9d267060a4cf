import type Stripe from "stripe";
import { HOUR, nextPeriodEnd } from "../clock.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import type { World } from "../world.ts";
import { takePendingLines } from "./change-subscription.ts";
import { collectAutomatically, defaultMethodOf } from "./collect.ts";
import { draftInvoice, finalizeInvoice } from "./invoice-steps.ts";
import { linesFor } from "./start-subscription.ts";
import { cancelSubscription, expireSubscription } from "./subscription-steps.ts";

/** How long a first payment may take. */
const INCOMPLETE_LIFETIME = 23 * HOUR;
const MOST_STEPS = 20_000;

interface Due {
  at: number;
  act: () => void;
}

/**
 * Does everything that the clock has made due, in the order it became due and as of that moment:
 * renewals, retries, ends of trials and subscriptions, expiry of those that were never paid. Returns how
 * many things were done.
 */
export function doDueWork(world: World): number {
  const now = world.now();
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const next = earliest([...subscriptionsDue(world), ...invoicesDue(world)]);
    if (!next || next.at > now) return step;
    world.clock.at(next.at, next.act);
  }
  throw new Error("The test clock went further than the sandbox can follow in one go.");
}

function earliest(work: Due[]): Due | undefined {
  let first: Due | undefined;
  for (const due of work) if (!first || due.at < first.at) first = due;
  return first;
}

function subscriptionsDue(world: World): Due[] {
  return world.rows("subscriptions").flatMap((subscription): Due[] => {
    const { id, status } = subscription;
    if (status === "incomplete") {
      const at = subscription.created + INCOMPLETE_LIFETIME;
      return [{ at, act: () => void expireSubscription(world, id) }];
    }
    if (status !== "active" && status !== "trialing" && status !== "past_due") return [];
    const periodEnd = subscription.items.data[0]?.current_period_end ?? Infinity;
    if (subscription.cancel_at !== null && subscription.cancel_at <= periodEnd) {
      return [{ at: subscription.cancel_at, act: () => void cancelSubscription(world, id) }];
    }
    return [{ at: periodEnd, act: () => renew(world, id) }];
  });
}

function invoicesDue(world: World): Due[] {
  return world.rows("invoices").flatMap((invoice): Due[] => {
    if (invoice.status !== "open" || invoice.next_payment_attempt === null) return [];
    const at = invoice.next_payment_attempt;
    return [{ at, act: () => collectAutomatically(world, invoice.id) }];
  });
}

/** Moves a subscription to its next period, bills it and charges the saved card. */
function renew(world: World, id: string): void {
  const subscription = world.get("subscriptions", id);
  const items = subscription.items.data.map((item): Stripe.SubscriptionItem => {
    const { interval, intervalCount } = termsOf(item.price);
    const start = item.current_period_end;
    const anchor = subscription.billing_cycle_anchor;
    const end = nextPeriodEnd(anchor, start, interval, intervalCount);
    return { ...item, current_period_start: start, current_period_end: end };
  });
  const renewed = world.amend("subscriptions", id, {
    items: { ...subscription.items, data: items },
    ...(subscription.status === "trialing" && { status: "active" as const }),
  });
  const from = subscription.items.data[0];
  const invoice = draftInvoice(world, renewed, {
    reason: "subscription_cycle",
    lines: [...takePendingLines(world, id), ...linesFor(world, renewed, false)],
    periodStart: from?.current_period_start ?? world.now(),
    periodEnd: from?.current_period_end ?? world.now(),
  });
  world.emit("customer.subscription.updated", world.get("subscriptions", id), {
    items: subscription.items,
    latest_invoice: subscription.latest_invoice,
    ...(subscription.status === "trialing" && { status: "trialing" }),
  });
  finalizeInvoice(world, invoice.id, defaultMethodOf(world, renewed));
  collectAutomatically(world, invoice.id);
}
