import type Stripe from "stripe";
import type { BillingContext } from "./billing-context.ts";
import type { Member } from "../http/caller.ts";
import type { ListedPrice } from "./billing-database.ts";
import { invoiceLinesOf } from "./invoice-snapshot.ts";
import type { CallerSubscription } from "./caller-subscription.ts";
import { hasOtherInterval, takesEffectAtOnce } from "./change-timing.ts";
import { planChangeError, requireChangeable } from "./plan-change.ts";
import { findPriceMismatch } from "./prices.ts";
import { idOf, pendingChangeOf } from "./subscription-snapshot.ts";
import { readSubscription } from "./subscriptions.ts";

/** What a change costs. Amounts in the currency's smallest unit, times in epoch seconds. */
export interface PlanChangePreview {
  quote: string;
  kind: "upgrade" | "downgrade";
  currency: string;
  /** Charged at once; 0 for a downgrade. */
  dueNow: number;
  /** What the change is made of: credit for unused time, the rest of the period at the new price. */
  lines: { description: string; amount: number }[];
  /** Amount of the next renewal, and when it is taken. */
  nextAmount: number;
  nextAt: number;
}

async function requirePlan(
  { stripe, database, isLiveMode }: BillingContext,
  price: string,
): Promise<ListedPrice> {
  const listed = (await database.catalogue()).find(
    (each) => each.price_id === price && each.is_current,
  );
  if (listed === undefined)
    throw planChangeError(400, "invalid_price", "This plan is not on sale.");
  const wrong = await findPriceMismatch(stripe, listed, isLiveMode);
  if (wrong === null) return listed;
  throw planChangeError(
    503,
    "price_mismatch",
    "This plan cannot be bought at the moment. You have not been charged.",
    new Error(`${wrong.price} ${wrong.problem}`),
  );
}

/**
 * Computes what a change to this price costs and keeps it as a quote. Nothing is changed.
 * @throws {FunctionError} with the codes of docs/error-codes.md.
 */
export async function previewPlanChange(
  billing: BillingContext,
  caller: Member,
  own: CallerSubscription,
  price: string,
): Promise<PlanChangePreview> {
  const { stripe, database } = billing;
  const listed = await requirePlan(billing, price);
  const held = await readSubscription(stripe, database, own.subscription);
  const item = await requireChangeable(billing, held);
  if (item.price.id === price)
    throw planChangeError(409, "same_plan", "You already have this plan.");
  if (pendingChangeOf(held).pending_price_id !== null) {
    throw planChangeError(
      409,
      "change_pending",
      "A change of plan is already planned. Undo it first.",
    );
  }
  const isUpgrade = takesEffectAtOnce(await database.catalogue(), item.price, listed);
  const isOther = hasOtherInterval(item.price, listed);
  const periodEnd = item.current_period_end;
  const preview = await stripe.invoices.createPreview({
    subscription: held.id,
    subscription_details: {
      items: [{ id: item.id, price }],
      proration_behavior: isUpgrade ? "always_invoice" : "none",
    },
    // In another rhythm the provider previews the invoice as of now, although the change is made when the period ends.
    ...(isOther && !isUpgrade && (await discountsAt(stripe, held, periodEnd))),
  });
  const kind = isUpgrade ? "upgrade" : "downgrade";
  const quote = await database.quotePlanChange(caller.id, {
    subscription_id: held.id,
    kind,
    from_price_id: item.price.id,
    to_price_id: price,
    amount_due: preview.amount_due,
    proration_date: isUpgrade ? prorationDateOf(preview) : null,
  });
  // An upgrade into another rhythm begins a period.
  const nextAt =
    isUpgrade && isOther
      ? Math.max(...preview.lines.data.map(({ period }) => period.end))
      : periodEnd;
  return {
    quote,
    kind,
    currency: preview.currency,
    dueNow: isUpgrade ? preview.amount_due : 0,
    lines: invoiceLinesOf(preview).map(({ description, amount }) => ({
      description: description ?? "",
      amount,
    })),
    nextAmount: isUpgrade
      ? await nextAmountOf(stripe, held, item, price, isOther ? nextAt : null)
      : preview.amount_due,
    nextAt,
  };
}

/**
 * The amount of the first renewal at another price, with the subscription's discounts.
 * @param at when it is, for a price in another rhythm, of which the provider previews an invoice as of now.
 */
async function nextAmountOf(
  stripe: Stripe,
  held: Stripe.Subscription,
  item: Stripe.SubscriptionItem,
  price: string,
  at: number | null,
): Promise<number> {
  const renewal = await stripe.invoices.createPreview({
    subscription: held.id,
    subscription_details: { items: [{ id: item.id, price }], proration_behavior: "none" },
    ...(at !== null && (await discountsAt(stripe, held, at, { afterAnInvoice: true }))),
  });
  // Credit the customer has now is used up by the upgrade first.
  return renewal.total;
}

/** The discounts that a subscription still has at a moment, in epoch seconds, as a preview takes them. */
async function discountsAt(
  stripe: Stripe,
  held: Stripe.Subscription,
  at: number,
  { afterAnInvoice = false } = {},
): Promise<Pick<Stripe.InvoiceCreatePreviewParams, "discounts">> {
  if (held.discounts.length === 0) return {};
  const expand = ["discounts.source.coupon"];
  const { discounts } = await stripe.subscriptions.retrieve(held.id, { expand });
  const left = discounts.filter((discount) => {
    if (typeof discount === "string") return true;
    const { coupon } = discount.source;
    const isOnce = typeof coupon === "object" && coupon?.duration === "once";
    return (discount.end === null || discount.end > at) && !(isOnce && afterAnInvoice);
  });
  return { discounts: left.length === 0 ? "" : left.map((each) => ({ discount: idOf(each) })) };
}

/** The moment the provider prorated at: its lines begin there. */
function prorationDateOf(preview: Stripe.Invoice): number {
  return Math.max(...preview.lines.data.map(({ period }) => period.start));
}
