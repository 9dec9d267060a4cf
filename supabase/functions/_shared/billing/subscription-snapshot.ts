import type Stripe from "stripe";

/** A subscription as the table stripe_subscriptions keeps it. Times in epoch seconds. */
export type SubscriptionSnapshot = {
  subscription_id: string;
  customer_id: string;
  status: string;
  price_id: string | null;
  current_period_start: number | null;
  current_period_end: number | null;
  cancel_at_period_end: boolean;
  payment_method_brand: string | null;
  payment_method_last4: string | null;
  /** Last month of the card, as YYYY-MM. */
  payment_method_expires: string | null;
  /** Price of a planned change, or of one that waits for its payment. */
  pending_price_id: string | null;
  /** When the planned change happens; null while it waits for its payment. */
  pending_from: number | null;
  /** Names that change: its schedule, or the invoice it waits for. */
  pending_change_id: string | null;
  /** The provider collects nothing (`pause_collection`), whatever the status. */
  is_paused: boolean;
  /** True when the provider collected nothing for the period that runs, as in a pause. */
  is_period_void?: boolean;
  created: number;
  /** Null while the subscription runs. */
  ended: number | null;
  latest_invoice: string | null;
  /** All items; the database knows which prices are memberships. */
  items: SnapshotItem[];
};

/** One price of a subscription. */
export type SnapshotItem = Pick<
  SubscriptionSnapshot,
  "price_id" | "current_period_start" | "current_period_end"
>;

/** The id of a reference that may be expanded. */
export function idOf(reference: string | { id: string }): string;
export function idOf(reference: string | { id: string } | null): string | null;
export function idOf(reference: string | { id: string } | null): string | null {
  return typeof reference === "object" ? (reference?.id ?? null) : reference;
}

function methodOf(subscription: Stripe.Subscription): Stripe.PaymentMethod | null {
  const method = subscription.default_payment_method;
  return typeof method === "object" ? method : null;
}

function expiryOf(method: Stripe.PaymentMethod | null): string | null {
  const card = method?.card;
  return card ? `${card.exp_year}-${String(card.exp_month).padStart(2, "0")}` : null;
}

/** The change of plan that has not happened yet: an unpaid one, or the next phase of the schedule. */
export function pendingChangeOf(
  subscription: Stripe.Subscription,
): Pick<SubscriptionSnapshot, "pending_price_id" | "pending_from" | "pending_change_id"> {
  const unpaid = subscription.pending_update?.subscription_items?.[0];
  if (unpaid) {
    const invoice = idOf(subscription.latest_invoice);
    return { pending_price_id: unpaid.price.id, pending_from: null, pending_change_id: invoice };
  }
  const { schedule } = subscription;
  const periodEnd = subscription.items.data[0]?.current_period_end;
  const phases = typeof schedule === "object" ? (schedule?.phases ?? []) : [];
  const next = phases.find(({ start_date: start }) => start === periodEnd);
  const price = idOf(next?.items[0]?.price ?? null);
  const isChange = price !== null && price !== subscription.items.data[0]?.price.id;
  return isChange && next
    ? { pending_price_id: price, pending_from: next.start_date, pending_change_id: idOf(schedule) }
    : { pending_price_id: null, pending_from: null, pending_change_id: null };
}

/**
 * True when the subscription ends with its current period, by `cancel_at_period_end` or `cancel_at`. Under a schedule
 * `cancel_at` may be no more than the end of the phase, after which the subscription goes on; there the schedule's
 * own end decides, which is known only when `schedule` was expanded.
 */
export function endsWithPeriod(subscription: Stripe.Subscription): boolean {
  if (subscription.cancel_at_period_end) return true;
  const end = subscription.items.data[0]?.current_period_end;
  if (end === undefined) return false;
  const { cancel_at: moment, schedule } = subscription;
  if (schedule === null) return moment !== null && moment <= end;
  if (typeof schedule === "string" || schedule.end_behavior !== "cancel") return false;
  return schedule.phases.every(({ end_date: last }) => last <= end);
}

/** True for a period whose invoice the provider voided; known only when `latest_invoice` was expanded. */
function isPeriodVoid({ latest_invoice: invoice }: Stripe.Subscription): boolean {
  return (
    typeof invoice === "object" &&
    invoice?.status === "void" &&
    invoice.billing_reason === "subscription_cycle"
  );
}

/**
 * Maps a subscription to the table's columns. The period is on the item; the card and a planned change are known only
 * when `default_payment_method` and `schedule` were expanded.
 */
export function toSubscriptionSnapshot(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const item = subscription.items.data[0];
  const method = methodOf(subscription);
  return {
    subscription_id: subscription.id,
    customer_id: idOf(subscription.customer),
    status: subscription.status,
    price_id: item?.price.id ?? null,
    current_period_start: item?.current_period_start ?? null,
    current_period_end: item?.current_period_end ?? null,
    cancel_at_period_end: endsWithPeriod(subscription),
    payment_method_brand: method?.card?.brand ?? method?.type ?? null,
    payment_method_last4: method?.card?.last4 ?? null,
    payment_method_expires: expiryOf(method),
    ...pendingChangeOf(subscription),
    is_paused: (subscription.pause_collection ?? null) !== null,
    ...(isPeriodVoid(subscription) && { is_period_void: true }),
    created: subscription.created,
    ended: subscription.ended_at,
    latest_invoice: idOf(subscription.latest_invoice),
    items: subscription.items.data.map((each) => ({
      price_id: each.price.id,
      current_period_start: each.current_period_start,
      current_period_end: each.current_period_end,
    })),
  };
}

/** True for `active` and `trialing`. */
export function isActiveSubscription(subscription: Stripe.Subscription): boolean {
  return subscription.status === "active" || subscription.status === "trialing";
}

/** True for `canceled` and `incomplete_expired`. */
export function isEndedSubscription(subscription: Stripe.Subscription): boolean {
  return subscription.status === "canceled" || subscription.status === "incomplete_expired";
}
