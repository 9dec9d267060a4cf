import type Stripe from "stripe";
import { invalidRequest } from "../api-errors.ts";
import { expandableId } from "../ids.ts";
import { isOtherRhythm } from "./changed-item.ts";
import { redeemDiscounts } from "./discounts.ts";
import { planOf } from "../objects/catalogue-objects.ts";
import { newPhase, newSchedule } from "../objects/schedule-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";

/** Puts a subscription under a schedule whose only phase is the current period. */
export function scheduleSubscription(state: SandboxState, id: string): Stripe.SubscriptionSchedule {
  const subscription = state.get("subscriptions", id, "from_subscription");
  if (subscription.schedule !== null) {
    throw invalidRequest(
      `You cannot migrate a subscription that is already attached to a schedule: \`${expandableId(subscription.schedule)}\`.`,
      "from_subscription",
    );
  }
  if (subscription.status !== "active" && subscription.status !== "trialing") {
    throw invalidRequest(
      `You cannot migrate a subscription that is in the \`${subscription.status}\` status to a schedule.`,
      "from_subscription",
    );
  }
  const [first] = subscription.items.data;
  const now = state.now();
  const phase = newPhase(
    {
      items: subscription.items.data.map(({ price, quantity }) => ({
        price: price.id,
        quantity: quantity ?? 1,
      })),
      startDate: first?.current_period_start ?? now,
      endDate: first?.current_period_end ?? now,
      prorationBehavior: "create_prorations",
      defaultPaymentMethod: expandableId(subscription.default_payment_method) || null,
      discounts: subscription.discounts.map((discount) => ({ discount: expandableId(discount) })),
      taxRates: subscription.default_tax_rates ?? [],
    },
    subscription.currency,
  );
  const schedule = state.put("subscriptionSchedules", newSchedule(subscription, phase, now));
  state.emit("subscription_schedule.created", schedule);
  const changes = { schedule: schedule.id, ...endOfPhase(state, phase) };
  state.update("subscriptions", id, changes, "customer.subscription.updated");
  return schedule;
}

/** The end of a phase as the subscription shows it, which ends nothing while the schedule manages it. */
function endOfPhase(
  { phasesSetCancelAt }: SandboxState,
  phase: Stripe.SubscriptionSchedule.Phase,
): Partial<Stripe.Subscription> {
  return phasesSetCancelAt ? { cancel_at: phase.end_date } : {};
}

/** The schedule that manages the subscription, if any. */
function scheduleOf(state: SandboxState, id: string): Stripe.SubscriptionSchedule | undefined {
  const { schedule } = state.get("subscriptions", id);
  return schedule === null
    ? undefined
    : state.find("subscriptionSchedules", expandableId(schedule));
}

/** When the subscription ends with its schedule, in epoch seconds; null when it goes on or has none. */
export function endOfSchedule(state: SandboxState, id: string): number | null {
  const schedule = scheduleOf(state, id);
  return schedule?.end_behavior === "cancel" ? (schedule.phases.at(-1)?.end_date ?? null) : null;
}

/** Ends the schedule of a subscription, if it has one, and detaches it. */
export function endSchedule(
  state: SandboxState,
  id: string,
  status: "canceled" | "completed" | "released",
): Stripe.SubscriptionSchedule | undefined {
  const schedule = scheduleOf(state, id);
  if (!schedule) return undefined;
  const now = state.now();
  const ending = state.phasesSetCancelAt ? { cancel_at: null } : {};
  const changes = { schedule: null, ...ending };
  state.update("subscriptions", id, changes, "customer.subscription.updated");
  return state.update(
    "subscriptionSchedules",
    schedule.id,
    {
      status,
      current_phase: null,
      subscription: null,
      ...(status === "released"
        ? { released_at: now, released_subscription: id }
        : { [`${status}_at`]: now }),
    },
    `subscription_schedule.${status}`,
  );
}

/** Enters the phase that begins with the next period, or releases the schedule after its last one. */
export function advanceSchedule(state: SandboxState, id: string): void {
  const schedule = scheduleOf(state, id);
  const subscription = state.get("subscriptions", id);
  const start = subscription.items.data[0]?.current_period_end;
  if (!schedule || start === undefined) return;
  const phase = schedule.phases.find((each) => each.start_date <= start && start < each.end_date);
  if (!phase) {
    endSchedule(state, id, "released");
    return;
  }
  state.update(
    "subscriptionSchedules",
    schedule.id,
    { current_phase: { start_date: phase.start_date, end_date: phase.end_date } },
    "subscription_schedule.updated",
  );
  const data = subscription.items.data.map((item, index) => {
    const planned = phase.items[index];
    if (!planned) return item;
    const price = state.get("prices", expandableId(planned.price));
    return { ...item, price, plan: planOf(price), quantity: planned.quantity ?? 1 };
  });
  const [before, after] = [subscription.items.data[0], data[0]];
  // A phase in another rhythm counts its periods from its own start.
  const isOther = before && after && isOtherRhythm(after.price, before.price);
  const ending = endOfPhase(state, phase);
  state.update("subscriptions", id, {
    items: { ...subscription.items, data },
    ...(isOther && { billing_cycle_anchor: start }),
    ...ending,
  });
  applyPhaseSettings(state, id, schedule, phase);
}

/**
 * Gives the subscription the card, discounts and tax rates of a phase, and no others: a phase without a card has the
 * schedule's, and without that the customer's card pays. A phase without discounts ends those of the subscription, one
 * without tax rates its taxes.
 */
export function applyPhaseSettings(
  state: SandboxState,
  id: string,
  { default_settings: defaults }: Stripe.SubscriptionSchedule,
  phase: Stripe.SubscriptionSchedule.Phase,
): void {
  const method = phase.default_payment_method ?? defaults.default_payment_method;
  const discounts = phase.discounts.map(({ coupon, discount, promotion_code: code }) => ({
    coupon: expandableId(coupon) || undefined,
    discount: expandableId(discount) || undefined,
    promotion_code: expandableId(code) || undefined,
  }));
  const subscription = state.get("subscriptions", id);
  state.update(
    "subscriptions",
    id,
    {
      default_payment_method: method,
      discounts: redeemDiscounts(state, subscription, discounts, "phases[0][discounts]"),
      default_tax_rates: phase.default_tax_rates ?? [],
    },
    "customer.subscription.updated",
  );
}

/** Writes card, discounts and tax rates of a subscription that was changed directly to the phase it is in, and to no later one. */
export function keepPhaseInStep(state: SandboxState, id: string): void {
  const schedule = scheduleOf(state, id);
  if (!schedule) return;
  const subscription = state.get("subscriptions", id);
  const start = schedule.current_phase?.start_date;
  const phases = schedule.phases.map((phase) =>
    phase.start_date === start
      ? {
          ...phase,
          default_payment_method: subscription.default_payment_method,
          default_tax_rates: subscription.default_tax_rates ?? null,
          discounts: subscription.discounts.map((discount) => ({
            coupon: null,
            discount: expandableId(discount),
            promotion_code: null,
          })),
        }
      : phase,
  );
  state.update("subscriptionSchedules", schedule.id, { phases }, "subscription_schedule.updated");
}
