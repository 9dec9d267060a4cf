import type Stripe from "stripe";
import type { BillingContext } from "./billing-context.ts";
import type { Member } from "../http/caller.ts";
import type { PlanChangeQuote } from "./billing-database.ts";
import type { CallerSubscription } from "./caller-subscription.ts";
import { syncCharges } from "./charges.ts";
import { discardPlannedChange } from "./planned-change.ts";
import { errorForLog, FunctionError } from "../http/responses.ts";
import { isInvalidRequest } from "./stripe-client.ts";
import { endsWithPeriod, idOf, pendingChangeOf } from "./subscription-snapshot.ts";
import { latestClientSecretOf, latestPaymentIntentOf, readSubscription } from "./subscriptions.ts";

/** Changed or planned, or waiting for the member's 3-D Secure authentication. */
export type PlanChangeResult =
  | { kind: "changed" | "planned" }
  /** `changeId` names the change for undoing it. */
  | { kind: "needs_action"; clientSecret: string; changeId: string };

/** An error of the two functions that change a plan, with its code of docs/error-codes.md. */
export const planChangeError = (status: number, code: string, message: string, cause?: unknown) =>
  new FunctionError(status, code, message, cause === undefined ? {} : { cause });

const subscriptionEnding = (cause?: unknown) =>
  planChangeError(
    409,
    "subscription_ending",
    "Your subscription is set to end. Keep it before you switch plans.",
    cause,
  );

const quoteExpired = () =>
  planChangeError(
    409,
    "quote_expired",
    "This price has changed since you saw it. Please choose the plan again.",
  );

/** Another call has dropped the change while this one was making it. */
const changeUndone = (cause?: unknown) =>
  planChangeError(
    409,
    "quote_expired",
    "This change was undone. Please choose the plan again.",
    cause,
  );

/**
 * The item of a subscription whose plan the member may change now.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function requireChangeable(
  { database }: BillingContext,
  held: Stripe.Subscription,
): Promise<Stripe.SubscriptionItem> {
  // One that has not begun would void the payment of what is chosen.
  if (held.pause_collection !== null) {
    const message = "Your membership is paused. Resume it first, then change your plan.";
    throw planChangeError(409, "membership_paused", message);
  }
  if ((await database.hold(held.id)) !== null) {
    throw planChangeError(
      409,
      "membership_on_hold",
      "Your membership is on hold because a payment is disputed. Please contact support.",
    );
  }
  if (held.status !== "active") {
    throw planChangeError(409, "subscription_not_active", "This subscription is not active.");
  }
  if (endsWithPeriod(held)) {
    throw subscriptionEnding();
  }
  const [item, ...others] = held.items.data;
  if (item !== undefined && others.length === 0) return item;
  const message = "Your subscription can't be changed here. Please contact support.";
  throw planChangeError(409, "several_plans", message);
}

/**
 * Makes the change a quote was made for: an upgrade at once, for exactly the amount of the quote; a downgrade when the
 * period ends. The quote's id is the idempotency key, so it is made and paid once.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function changePlan(
  billing: BillingContext,
  caller: Member,
  own: CallerSubscription,
  quoteId: string,
): Promise<PlanChangeResult> {
  const { stripe, database } = billing;
  const quote = await database.planChangeQuote(caller.id, quoteId);
  if (quote === null)
    throw planChangeError(404, "quote_not_found", "Please choose the plan again.");
  const held = await readSubscription(stripe, database, own.subscription);
  const done = resultOf(held, quote);
  if (done !== null) return done;
  const item = await requireChangeable(billing, held);
  if (
    quote.is_expired ||
    quote.subscription_id !== held.id ||
    quote.from_price_id !== item.price.id
  ) {
    throw quoteExpired();
  }
  return quote.kind === "upgrade"
    ? await upgrade(billing, held, item, quote, quoteId)
    : await downgrade(billing, held, item, quote, quoteId);
}

/** Plans a downgrade. A cancellation made at the same moment is the later wish: it stays, and the plan does not change. */
async function downgrade(
  billing: BillingContext,
  held: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  quote: PlanChangeQuote,
  quoteId: string,
): Promise<PlanChangeResult> {
  const { stripe, database } = billing;
  const failure = await planDowngrade(billing, held, item, quote, quoteId).catch(
    (error: unknown) => ({ error }),
  );
  const after = await readSubscription(stripe, database, held.id);
  if (endsWithPeriod(after)) {
    await discardPlannedChange(stripe, after);
    await readSubscription(stripe, database, held.id);
    throw subscriptionEnding(failure?.error);
  }
  const done = resultOf(after, quote);
  if (done !== null) return done;
  // A cancellation releases the schedule a moment before it ends the subscription.
  throw failure === undefined ? changeUndone() : failure.error;
}

/** The result when this quote's change was made before; null when it was not. */
function resultOf(held: Stripe.Subscription, quote: PlanChangeQuote): PlanChangeResult | null {
  if (held.items.data[0]?.price.id === quote.to_price_id) return { kind: "changed" };
  const {
    pending_price_id: pending,
    pending_from: from,
    pending_change_id: changeId,
  } = pendingChangeOf(held);
  if (pending !== quote.to_price_id || quote.subscription_id !== held.id) return null;
  if (from !== null) return { kind: "planned" };
  const clientSecret = latestClientSecretOf(held);
  if (clientSecret === null || changeId === null) return null;
  return { kind: "needs_action", clientSecret, changeId };
}

/** The change itself, the same for its preview. */
type Upgrade = Pick<Stripe.SubscriptionUpdateParams, "proration_behavior" | "proration_date"> & {
  items: { id: string; price: string }[];
};

/** Reads what was just paid: a withdrawal gives it back, too, and the page asks how much before the provider's event comes. */
async function readPayment(billing: BillingContext, held: Stripe.Subscription): Promise<void> {
  await syncCharges(billing, idOf(held.customer)).catch((error: unknown) => {
    console.error(
      `plan-change: the payment of ${held.id} is read with its event: ${errorForLog(error)}`,
    );
  });
}

async function upgrade(
  billing: BillingContext,
  held: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  quote: PlanChangeQuote,
  quoteId: string,
): Promise<PlanChangeResult> {
  const { stripe, database } = billing;
  const change: Upgrade = {
    items: [{ id: item.id, price: quote.to_price_id }],
    proration_behavior: "always_invoice",
    ...(quote.proration_date !== null && { proration_date: quote.proration_date }),
  };
  const { amount_due: due } = await stripe.invoices.createPreview({
    subscription: held.id,
    subscription_details: change,
  });
  if (due !== quote.amount_due) {
    // The same change in another call may have been made since, which leaves nothing to pay.
    const done = resultOf(await readSubscription(stripe, database, held.id), quote);
    if (done !== null) return done;
    throw quoteExpired();
  }
  // A schedule stays attached for a period after the change it made.
  await discardPlannedChange(stripe, held);
  await stripe.subscriptions.update(
    held.id,
    {
      ...change,
      // The plan stays as it is until the payment is made.
      payment_behavior: "pending_if_incomplete",
    },
    { idempotencyKey: `${quoteId}-upgrade` },
  );
  const after = await readSubscription(stripe, database, held.id);
  if (after.pending_update === null) {
    if (after.items.data[0]?.price.id !== quote.to_price_id) throw changeUndone();
    await readPayment(billing, after);
    return { kind: "changed" };
  }
  const payment = latestPaymentIntentOf(after);
  const clientSecret = latestClientSecretOf(after);
  const intent = payment === null ? null : await stripe.paymentIntents.retrieve(payment);
  const { pending_change_id: changeId } = pendingChangeOf(after);
  if (intent?.status === "requires_action" && clientSecret !== null && changeId !== null) {
    return { kind: "needs_action", clientSecret, changeId };
  }
  await discardPlannedChange(stripe, after);
  const current = await readSubscription(stripe, database, held.id);
  if (current.items.data[0]?.price.id === quote.to_price_id) return { kind: "changed" };
  const message = intent?.last_payment_error?.message ?? "Your card was declined.";
  throw planChangeError(402, "payment_declined", message);
}

async function planDowngrade(
  { stripe, database }: BillingContext,
  held: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  quote: PlanChangeQuote,
  quoteId: string,
): Promise<undefined> {
  const schedule =
    held.schedule === null
      ? (
          await stripe.subscriptionSchedules.create(
            { from_subscription: held.id },
            { idempotencyKey: `${quoteId}-schedule` },
          )
        ).id
      : idOf(held.schedule);
  const listed = (await database.catalogue()).find(
    ({ price_id: price }) => price === quote.to_price_id,
  );
  const quantity = item.quantity ?? 1;
  // What a phase does not name ends with it: the card is named for every phase, discounts and tax rates in each of them.
  const method = idOf(held.default_payment_method);
  const discounts = held.discounts.map((discount) => ({ discount: idOf(discount) }));
  const rates = (held.default_tax_rates ?? []).map((rate) => idOf(rate));
  const kept = {
    ...(discounts.length > 0 && { discounts }),
    ...(rates.length > 0 && { default_tax_rates: rates }),
  };
  const phases = stripe.subscriptionSchedules.update(
    schedule,
    {
      end_behavior: "release",
      ...(method !== null && { default_settings: { default_payment_method: method } }),
      proration_behavior: "none",
      phases: [
        {
          items: [{ price: item.price.id, quantity }],
          ...kept,
          start_date: item.current_period_start,
          end_date: item.current_period_end,
        },
        {
          items: [{ price: quote.to_price_id, quantity }],
          ...kept,
          duration: { interval: listed?.interval ?? "month", interval_count: 1 },
          proration_behavior: "none",
        },
      ],
    },
    { idempotencyKey: `${quoteId}-phases` },
  );
  await phases.catch(async (error: unknown) => {
    if (!isInvalidRequest(error)) throw error;
    const { status } = await stripe.subscriptionSchedules.retrieve(schedule);
    throw status === "released" ? changeUndone(error) : error;
  });
}
