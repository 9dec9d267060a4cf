import type Stripe from "stripe";
import { nextPeriodEnd } from "../clock.ts";
import { expandableId, randomText } from "../ids.ts";
import { planOf, termsOf } from "../objects/catalogue-objects.ts";
import { prorationLine } from "../objects/invoice-lines.ts";
import { newInvoice } from "../objects/invoice-objects.ts";
import type { SandboxState } from "../sandbox-state.ts";
import {
  findItem,
  prorate,
  type ItemChange,
  type ProrationBehavior,
} from "./change-subscription.ts";
import { changedItem, isOtherRhythm, itemsWith } from "./changed-item.ts";
import { discountAmounts } from "./discounts.ts";
import { linesFor, recurringPrices } from "./start-subscription.ts";
import { taxesOf } from "./taxes.ts";

/**
 * The next invoice of a subscription, as if its item had been changed: with `always_invoice` or another rhythm the one that
 * the change itself makes, otherwise the one of the next renewal. Nothing is stored.
 */
export function previewInvoice(
  state: SandboxState,
  id: string,
  change: ItemChange | undefined,
  {
    proration,
    prorationDate,
    discounts: given,
  }: {
    readonly proration: ProrationBehavior;
    readonly prorationDate?: number | undefined;
    /** Ids in the place of the subscription's own. */
    readonly discounts?: string[] | undefined;
  },
): Stripe.Invoice {
  const existing = state.get("subscriptions", id, "subscription");
  const subscription = given === undefined ? existing : { ...existing, discounts: given };
  const item = findItem(subscription, change?.id);
  const quantity = change?.quantity ?? item.quantity ?? 1;
  const [price = item.price] = recurringPrices(state, [
    { price: change?.price ?? item.price.id, quantity, metadata: {} },
  ]);
  const isChanged = price.id !== item.price.id || quantity !== item.quantity;
  // Another rhythm begins a period at once and bills it, also without prorations.
  const isOther = isChanged && isOtherRhythm(price, item.price);
  const waiting = state.tables.subscriptionNotes.get(id)?.pendingLines ?? [];
  const prorations =
    isChanged && proration !== "none"
      ? prorate(state, item, price, quantity, isOther, prorationDate ?? state.now())
      : [];
  const lines = [...waiting, ...prorations].map((line) =>
    prorationLine(item, state.get("prices", line.priceId), line),
  );
  const isImmediate = isOther || (isChanged && proration === "always_invoice");
  if (isOther) {
    const items = itemsWith(subscription, changedItem(item, price, quantity, state.now()));
    lines.push(...linesFor(state, { ...subscription, items }, false));
  } else if (!isImmediate) {
    const { interval, intervalCount } = termsOf(price);
    const start = item.current_period_end;
    const end = nextPeriodEnd(subscription.billing_cycle_anchor, start, interval, intervalCount);
    const period = { current_period_start: start, current_period_end: end };
    const renewed = { ...item, price, plan: planOf(price), quantity, ...period };
    const next = { ...subscription, items: itemsWith(subscription, renewed) };
    lines.push(...linesFor(state, next, false));
  }
  const now = state.now();
  const customer = state.get("customers", expandableId(subscription.customer));
  const moment = isImmediate ? now : item.current_period_end;
  const discounts = discountAmounts(state, subscription, lines, moment);
  const off = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const invoice = newInvoice(
    {
      customer,
      subscription: id,
      currency: subscription.currency,
      reason: isImmediate ? "subscription_update" : "subscription_cycle",
      taxes: taxesOf(state, subscription, lines, off),
      discounts,
      periodStart: isImmediate ? now : item.current_period_start,
      periodEnd: isImmediate ? now : item.current_period_end,
      number: "",
      publicBase: state.publicBase,
    },
    moment,
  );
  const due = Math.max(0, invoice.total + customer.balance);
  return {
    ...invoice,
    id: `upcoming_in_1${randomText(23)}`,
    number: null,
    amount_due: due,
    amount_remaining: due,
    starting_balance: customer.balance,
    ending_balance: Math.min(0, invoice.total + customer.balance),
  };
}
