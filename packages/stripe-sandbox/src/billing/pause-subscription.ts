import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { nextPeriodEnd } from "../clock.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { defaultMethodOf, finalizeAndCollect } from "./collect.ts";
import { draftInvoice } from "./invoice-steps.ts";
import { linesFor } from "./start-subscription.ts";
import { cancelForNonPayment } from "./subscription-steps.ts";

/** Ends a trial that nobody can be charged for, if it is set to pause or cancel then. @returns false if it is not. */
export function endTrialWithoutCard(state: SandboxState, id: string): boolean {
  const trial = state.get("subscriptions", id);
  const ending = trial.trial_settings?.end_behavior.missing_payment_method;
  if (trial.status !== "trialing" || defaultMethodOf(state, trial) !== null) return false;
  if (ending === "cancel") {
    cancelForNonPayment(state, id);
    return true;
  }
  if (ending !== "pause") return false;
  const paused = { status: "paused" as const };
  const after = state.update("subscriptions", id, paused, "customer.subscription.updated");
  state.emit("customer.subscription.paused", after);
  return true;
}

/** Takes a paused subscription up again: a new period begins, and is charged. It is past due when that fails. */
export function resumeSubscription(state: SandboxState, id: string): Stripe.Subscription {
  const paused = state.get("subscriptions", id);
  if (paused.status !== "paused") {
    throw invalidRequest(
      `You can only resume a subscription with the status \`paused\`; this one's is \`${paused.status}\`.`,
    );
  }
  startPeriodNow(state, id);
  const after = state.get("subscriptions", id);
  state.emit("customer.subscription.resumed", after);
  return after;
}

/** Begins a period at this moment, credits nothing of the one before, and charges the whole of it. */
export function startPeriodNow(state: SandboxState, id: string): void {
  const before = state.get("subscriptions", id);
  const now = state.now();
  const data = before.items.data.map((item): Stripe.SubscriptionItem => {
    const { interval, intervalCount } = termsOf(item.price);
    const end = nextPeriodEnd(now, now, interval, intervalCount);
    return { ...item, current_period_start: now, current_period_end: end };
  });
  const started: Partial<Stripe.Subscription> = {
    status: "active",
    billing_cycle_anchor: now,
    items: { ...before.items, data },
  };
  const active = state.update("subscriptions", id, started, "customer.subscription.updated");
  const invoice = draftInvoice(state, active, {
    reason: "subscription_update",
    lines: linesFor(state, active, false),
    periodStart: now,
    periodEnd: now,
  });
  finalizeAndCollect(state, invoice.id);
}
