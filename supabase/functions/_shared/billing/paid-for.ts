import type Stripe from "stripe";
import { isOfMembership, type MembershipPrices } from "./membership-subscription.ts";
import type { PaidFor } from "./charge-snapshot.ts";
import { idOf } from "./subscription-snapshot.ts";
import { taxOfPayment } from "./vat.ts";

const nothing: PaidFor = {
  invoice_id: null,
  subscription_id: null,
  period_start: null,
  period_end: null,
  price_id: null,
  upgraded_from: null,
  upgraded_to: null,
  tax_pence: null,
  tax_basis_points: null,
};

const isProration = (line: Stripe.InvoiceLineItem): boolean =>
  line.parent?.subscription_item_details?.proration === true;

/** The change of plan an invoice consists of: credit for the plan before it, and the rest of the period at the one after. */
function upgradeOf(
  lines: readonly Stripe.InvoiceLineItem[],
): Pick<PaidFor, "upgraded_from" | "upgraded_to"> {
  const prorations = lines.filter(isProration);
  const credit = prorations.findLast(({ amount }) => amount < 0);
  const debit = prorations.findLast(({ amount }) => amount > 0);
  const [from, to] = [credit, debit].map((line) => line?.pricing?.price_details?.price);
  if (from === undefined || to === undefined) return { upgraded_from: null, upgraded_to: null };
  return { upgraded_from: idOf(from), upgraded_to: idOf(to) };
}

/**
 * Subscription, and billing period or change of plan, that a payment was for.
 * @returns null for a payment for another product's subscription.
 */
export async function paidFor(
  stripe: Stripe,
  charge: Stripe.Charge,
  prices: MembershipPrices,
): Promise<PaidFor | null> {
  if (charge.payment_intent === null) return nothing;
  const { data } = await stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: idOf(charge.payment_intent) },
    limit: 1,
    expand: ["data.invoice"],
  });
  const invoice = data[0]?.invoice;
  if (typeof invoice !== "object" || !("lines" in invoice)) return nothing;
  if (!isOfMembership(invoice, prices)) return null;
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  const [period] = invoice.lines.data
    .filter(({ parent }) => parent?.subscription_item_details?.proration === false)
    .toSorted((a, b) => b.period.end - a.period.end);
  return {
    ...nothing,
    ...(await taxOfPayment(stripe, invoice, charge.amount)),
    invoice_id: invoice.id,
    subscription_id: idOf(subscription),
    ...(period === undefined
      ? upgradeOf(invoice.lines.data)
      : {
          period_start: period.period.start,
          period_end: period.period.end,
          price_id: idOf(period.pricing?.price_details?.price ?? null),
        }),
  };
}
