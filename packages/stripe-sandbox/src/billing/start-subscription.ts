import type Stripe from "stripe";
import { dayS, nextPeriodEnd } from "../clock.ts";
import { invalidRequest, cardError, resourceMissing, StripeApiError } from "../api-errors.ts";
import { termsOf } from "../objects/catalogue-objects.ts";
import { periodLine } from "../objects/invoice-lines.ts";
import { newSubscription, newSubscriptionItem } from "../objects/subscription-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import { announcementOf, announceTrialEnd } from "./announce-trial-end.ts";
import { payIntentAndUpdateInvoice, defaultMethodOf } from "./collect.ts";
import { checkDiscounts, type DiscountInput } from "./discounts.ts";
import { draftInvoice, finalizeInvoice, intentOf } from "./invoice-steps.ts";
import { cardOf, resolveAttached } from "./payment-methods.ts";
import { requireTaxable } from "./taxes.ts";
import { expandableId } from "../ids.ts";

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
  discounts: DiscountInput[];
  automaticTax: boolean;
  taxRates: Stripe.TaxRate[];
  /** Epoch seconds, null without a trial. */
  trialEnd: number | null;
  withoutCardAtTrialEnd: "cancel" | "create_invoice" | "pause";
}

const noPaymentMethodMessage =
  "This customer has no attached payment source or default payment method. Please consider adding a default payment method. For more information, visit https://stripe.com/docs/billing/subscriptions/payment-methods-setting#payment-method-priority.";
const actionRequiredMessage =
  "Payment for this subscription requires additional user action before it can be completed successfully. Payment can be completed using the PaymentIntent associated with subscription.latest_invoice. For more details see: https://stripe.com/docs/billing/subscriptions/overview#requires-action";

/** Creates a subscription with its first invoice and handles the first payment as `payment_behavior` says. */
export function startSubscription(state: SandboxState, input: StartInput): Stripe.Subscription {
  const prices = recurringPrices(state, input.items);
  const [first] = prices;
  if (!first) throw invalidRequest("Missing required param: items.", "items", "parameter_missing");
  const customer = state.get("customers", input.customer, "customer");
  const own = input.defaultPaymentMethod;
  const method =
    own === null ? null : resolveAttached(state, own, customer.id, "default_payment_method").id;
  const fallback = customer.invoice_settings.default_payment_method;
  const payer = method ?? (typeof fallback === "string" ? fallback : null);
  const isFree = input.trialEnd !== null || prices.every((price) => price.unit_amount === 0);
  if (!isFree && input.paymentBehavior !== "default_incomplete") {
    requirePayer(state, payer, input);
  }
  if (input.automaticTax) requireTaxable(state, customer.id, prices);
  const take = checkDiscounts(state, customer.id, input.discounts);
  const written = writeSubscription(state, input, prices, method);
  const { id } = written;
  state.update("subscriptions", id, { discounts: take.map((redeem) => redeem(written)) });
  state.emit("customer.subscription.created", state.get("subscriptions", id));
  billFirstPeriod(state, id, input);
  const announcement = announcementOf(state, state.get("subscriptions", id));
  if (announcement !== null && announcement <= state.now()) announceTrialEnd(state, id);
  return state.get("subscriptions", id);
}

/** Prices of the items; all must be active, recurring and of one currency and interval. */
export function recurringPrices(state: SandboxState, items: ItemInput[]): Stripe.Price[] {
  const prices = items.map((item, index) => {
    const price = state.find("prices", item.price);
    if (!price) throw resourceMissing("price", item.price, `items[${index}][price]`);
    if (!price.active) {
      throw invalidRequest(
        `The price specified is inactive. This field only accepts active prices.`,
        `items[${index}][price]`,
      );
    }
    if (!price.recurring) {
      throw invalidRequest(
        `The price specified is set to \`type=one_time\` but this field only accepts prices with \`type=recurring\`.`,
        `items[${index}][price]`,
      );
    }
    return price;
  });
  const shape = (price: Stripe.Price) =>
    `${price.currency} ${JSON.stringify([price.recurring?.interval, price.recurring?.interval_count])}`;
  if (new Set(prices.map(shape)).size > 1) {
    throw invalidRequest(
      "Currency and interval fields must match across all plans/prices on this subscription.",
      "items",
    );
  }
  return prices;
}

/** Throws without a payment method, or when `error_if_incomplete` and the first charge would fail. */
function requirePayer(state: SandboxState, payer: string | null, input: StartInput): void {
  if (payer === null) throw invalidRequest(noPaymentMethodMessage, undefined, "resource_missing");
  if (input.paymentBehavior !== "error_if_incomplete") return;
  const card = cardOf(state, payer);
  const isSetUp = state.tables.cardNotes.get(payer)?.isSetUp ?? false;
  if (card.authentication === "always" || (card.authentication !== undefined && !isSetUp)) {
    throw new StripeApiError(402, {
      type: "card_error",
      code: "subscription_payment_intent_requires_action",
      message: actionRequiredMessage,
    });
  }
  const decline = card.decline ?? card.declineLater;
  if (decline) throw cardError(decline);
}

function writeSubscription(
  state: SandboxState,
  input: StartInput,
  prices: Stripe.Price[],
  method: string | null,
): Stripe.Subscription {
  const now = state.now();
  const [first] = prices;
  const terms = first ? termsOf(first) : { interval: "month" as const, intervalCount: 1 };
  const end = input.trialEnd ?? nextPeriodEnd(now, now, terms.interval, terms.intervalCount);
  const subscription = newSubscription(
    {
      ...input,
      currency: first?.currency ?? "gbp",
      defaultPaymentMethod: method,
      periodEnd: end,
      testClock: state.get("customers", input.customer).test_clock ?? null,
    },
    now,
  );
  subscription.items.data = input.items.flatMap((item, index) => {
    const price = prices[index];
    if (!price) return [];
    const period = { start: now, end };
    return newSubscriptionItem(subscription.id, price, item.quantity, item.metadata, period, now);
  });
  state.tables.subscriptionNotes.set(subscription.id, {
    pendingLines: [],
    pendingUpdate: null,
    saveDefaultMethod: input.saveDefaultMethod,
  });
  const customer = state.get("customers", input.customer);
  if (customer.currency === null) {
    state.update("customers", customer.id, { currency: subscription.currency });
  }
  return state.put("subscriptions", subscription);
}

function billFirstPeriod(state: SandboxState, id: string, input: StartInput): void {
  const subscription = state.get("subscriptions", id);
  const payer = defaultMethodOf(state, subscription);
  const invoice = draftInvoice(state, subscription, {
    reason: "subscription_create",
    lines: linesFor(state, subscription, input.trialEnd !== null),
    periodStart: subscription.start_date,
    periodEnd: subscription.start_date,
  });
  const open = finalizeInvoice(state, invoice.id, payer);
  if (open.status === "paid") {
    if (input.trialEnd === null) {
      state.update("subscriptions", id, { status: "active" }, "customer.subscription.updated");
    }
    return;
  }
  const intent = intentOf(state, invoice.id);
  if (input.paymentBehavior === "default_incomplete" || payer === null || intent === null) return;
  payIntentAndUpdateInvoice(state, intent, payer, { offSession: input.offSession });
}

/** Invoice lines for the current period of every item. */
export function linesFor(
  state: SandboxState,
  subscription: Stripe.Subscription,
  isTrial: boolean,
): Stripe.InvoiceLineItem[] {
  return subscription.items.data.map((item) => {
    const product = state.find("products", expandableId(item.price.product));
    const { current_period_start: start, current_period_end: end } = item;
    return periodLine(item, product?.name ?? item.price.id, start, end, isTrial);
  });
}

/** The end of a trial given in days or as a timestamp; null without one. */
export function trialEndOf(
  now: number,
  days: number | undefined,
  moment: number | "now" | undefined,
): number | null {
  if (moment !== undefined && moment !== "now") {
    if (moment <= now) {
      throw invalidRequest(
        "Invalid timestamp: must be an integer Unix timestamp in the future.",
        "trial_end",
      );
    }
    return moment;
  }
  if (days === undefined || days === 0 || moment === "now") return null;
  if (days < 0 || days > 730)
    throw invalidRequest("Invalid trial_period_days", "trial_period_days");
  return now + days * dayS;
}
