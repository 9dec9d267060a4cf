import type Stripe from "stripe";
import { DAY, nextPeriodEnd } from "../clock.ts";
import { badRequest, cardFault, noSuch, StripeFault } from "../fault.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import { periodLine } from "../objects/invoice-lines.ts";
import { newSubscription, newSubscriptionItem } from "../objects/subscription-objects.ts";
import type { World } from "../world.ts";
import { collectIntent, defaultMethodOf } from "./collect.ts";
import { draftInvoice, finalizeInvoice, intentOf } from "./invoice-steps.ts";
import { cardOf, resolveAttached } from "./payment-methods.ts";
import { idOf } from "../ids.ts";

export interface ItemInput {
  price: string;
  quantity: number;
  metadata: Record<string, string>;
}

export interface StartInput {
  customer: string;
  items: ItemInput[];
  paymentBehavior: "allow_incomplete" | "default_incomplete" | "error_if_incomplete";
  defaultPaymentMethod: string | null;
  saveDefaultMethod: boolean;
  offSession: boolean;
  cancelAtPeriodEnd: boolean;
  description: string | null;
  metadata: Record<string, string>;
  /** Epoch seconds, null without a trial. */
  trialEnd: number | null;
}

const NO_METHOD =
  "This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.";
const ACTION_REQUIRED =
  "Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with subscription.latest_invoice. For more details see: https://stripe.com/docs/billing/subscriptions/overview#requires-action";

/** Creates a subscription with its first invoice and treats the first payment as `payment_behavior` says. */
export function startSubscription(world: World, input: StartInput): Stripe.Subscription {
  const prices = recurringPrices(world, input.items);
  const [first] = prices;
  if (!first) throw badRequest("Missing required param: items.", "items", "parameter_missing");
  const customer = world.get("customers", input.customer, "customer");
  const own = input.defaultPaymentMethod;
  const method =
    own === null ? null : resolveAttached(world, own, customer.id, "default_payment_method").id;
  const fallback = customer.invoice_settings.default_payment_method;
  const payer = method ?? (typeof fallback === "string" ? fallback : null);
  const isFree = input.trialEnd !== null || prices.every((price) => price.unit_amount === 0);
  if (!isFree && input.paymentBehavior !== "default_incomplete") {
    requirePayer(world, payer, input);
  }
  const { id } = writeSubscription(world, input, prices, method);
  world.emit("customer.subscription.created", world.get("subscriptions", id));
  billFirstPeriod(world, id, input);
  return world.get("subscriptions", id);
}

/** Prices of the items; all must be active, recurring and of one currency and interval. */
export function recurringPrices(world: World, items: ItemInput[]): Stripe.Price[] {
  const prices = items.map((item, index) => {
    const price = world.find("prices", item.price);
    if (!price) throw noSuch("price", item.price, `items[${index}][price]`);
    if (!price.active) {
      throw badRequest(
        `The price specified is inactive. This field only accepts active prices.`,
        `items[${index}][price]`,
      );
    }
    if (!price.recurring) {
      throw badRequest(
        `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
        `items[${index}][price]`,
      );
    }
    return price;
  });
  const shape = (price: Stripe.Price) =>
    `${price.currency} ${JSON.stringify([price.recurring?.interval, price.recurring?.interval_count])}`;
  if (new Set(prices.map(shape)).size > 1) {
    throw badRequest(
      "Currency and interval fields must match across all plans/prices on this subscription.",
      "items",
    );
  }
  return prices;
}

/** Refuses before anything is written: nobody to charge, or a charge that must succeed and would not. */
function requirePayer(world: World, payer: string | null, input: StartInput): void {
  if (payer === null) throw badRequest(NO_METHOD, undefined, "resource_missing");
  if (input.paymentBehavior !== "error_if_incomplete") return;
  const card = cardOf(world, payer);
  const isSetUp = world.tables.cardNotes.get(payer)?.isSetUp ?? false;
  if (card.authentication === "always" || (card.authentication !== undefined && !isSetUp)) {
    throw new StripeFault(402, {
      type: "card_error",
      code: "subscription_payment_intent_requires_action",
      message: ACTION_REQUIRED,
    });
  }
  const decline = card.decline ?? card.declineLater;
  if (decline) throw cardFault(decline);
}

function writeSubscription(
  world: World,
  input: StartInput,
  prices: Stripe.Price[],
  method: string | null,
): Stripe.Subscription {
  const now = world.now();
  const [first] = prices;
  const terms = first ? termsOf(first) : { interval: "month" as const, intervalCount: 1 };
  const end = input.trialEnd ?? nextPeriodEnd(now, now, terms.interval, terms.intervalCount);
  const subscription = newSubscription(
    {
      ...input,
      currency: first?.currency ?? "gbp",
      defaultPaymentMethod: method,
      periodEnd: end,
    },
    now,
  );
  subscription.items.data = input.items.flatMap((item, index) => {
    const price = prices[index];
    if (!price) return [];
    const period = { start: now, end };
    return newSubscriptionItem(subscription.id, price, item.quantity, item.metadata, period, now);
  });
  world.tables.subscriptionNotes.set(subscription.id, {
    pendingLines: [],
    saveDefaultMethod: input.saveDefaultMethod,
  });
  const customer = world.get("customers", input.customer);
  if (customer.currency === null) {
    world.amend("customers", customer.id, { currency: subscription.currency });
  }
  return world.put("subscriptions", subscription);
}

function billFirstPeriod(world: World, id: string, input: StartInput): void {
  const subscription = world.get("subscriptions", id);
  const payer = defaultMethodOf(world, subscription);
  const invoice = draftInvoice(world, subscription, {
    reason: "subscription_create",
    lines: linesFor(world, subscription, input.trialEnd !== null),
    periodStart: subscription.start_date,
    periodEnd: subscription.start_date,
  });
  const open = finalizeInvoice(world, invoice.id, payer);
  if (open.status === "paid") {
    if (input.trialEnd === null) {
      world.amend("subscriptions", id, { status: "active" }, "customer.subscription.updated");
    }
    return;
  }
  const intent = intentOf(world, invoice.id);
  if (input.paymentBehavior === "default_incomplete" || payer === null || intent === null) return;
  collectIntent(world, intent, payer, { offSession: input.offSession });
}

/** Invoice lines for the current period of every item. */
export function linesFor(
  world: World,
  subscription: Stripe.Subscription,
  isTrial: boolean,
): Stripe.InvoiceLineItem[] {
  return subscription.items.data.map((item) => {
    const product = world.find("products", idOf(item.price.product));
    const { current_period_start: start, current_period_end: end } = item;
    return periodLine(item, product?.name ?? item.price.id, start, end, isTrial);
  });
}

/** The end of a trial given in days or as a moment; null without one. */
export function trialEndOf(
  now: number,
  days: number | undefined,
  moment: number | "now" | undefined,
): number | null {
  if (moment !== undefined && moment !== "now") {
    if (moment <= now) {
      throw badRequest(
        "Invalid timestamp: must be an integer Unix timestamp in the future.",
        "trial_end",
      );
    }
    return moment;
  }
  if (days === undefined || days === 0 || moment === "now") return null;
  if (days < 0 || days > 730) throw badRequest("Invalid trial_period_days", "trial_period_days");
  return now + days * DAY;
}
