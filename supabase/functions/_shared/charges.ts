import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { EventReference } from "./billing-database.ts";
import { isResourceMissing } from "./stripe-client.ts";
import { idOf, isEndedSubscription } from "./subscription-snapshot.ts";
import { cancelImmediately, readSubscription, syncSubscription } from "./subscriptions.ts";

/** A payment, refund or dispute as table payment_records keeps it. Amounts in the currency's smallest unit, times in epoch seconds. */
interface PaymentRecord {
  kind: "payment" | "refund" | "dispute";
  id: string;
  status: string;
  amount: number;
  reason: string | null;
  created: number;
  /** By when evidence about a dispute has to be sent. */
  due?: number | null;
}

/** A payment as the table billing_charges keeps it. Amounts in the currency's smallest unit. */
export interface ChargeSnapshot {
  charge_id: string;
  customer_id: string;
  /** Null for a payment without a subscription. */
  subscription_id: string | null;
  /** The invoice it paid. */
  invoice_id: string | null;
  currency: string;
  amount: number;
  card_brand: string | null;
  card_last4: string | null;
  amount_refunded: number;
  /** The whole amount was refunded. */
  is_refunded: boolean;
  /** Start of the period it paid for, epoch seconds; null when it paid for none. */
  period_start: number | null;
  /** End of the period it paid for, epoch seconds; null when it paid for none. */
  period_end: number | null;
  dispute: "open" | "won" | "lost" | null;
  records: PaymentRecord[];
}

/** State of a payment's disputes. An inquiry (`warning_…`) withdraws no money and does not count. */
function disputeOf(disputes: readonly Stripe.Dispute[]): ChargeSnapshot["dispute"] {
  const has = (...statuses: string[]) => disputes.some(({ status }) => statuses.includes(status));
  if (has("needs_response", "under_review", "appeal_needs_response", "appeal_under_review")) {
    return "open";
  }
  if (has("lost")) return "lost";
  return has("won") ? "won" : null;
}

/** The subscription and billing period a payment was for. A prorated plan change has no period of its own. */
async function invoicePeriodOf(
  stripe: Stripe,
  charge: Stripe.Charge,
): Promise<Pick<ChargeSnapshot, "invoice_id" | "subscription_id" | "period_start" | "period_end">> {
  const none = { invoice_id: null, subscription_id: null, period_start: null, period_end: null };
  if (charge.payment_intent === null) return none;
  const { data } = await stripe.invoicePayments.list({
    payment: { type: "payment_intent", payment_intent: idOf(charge.payment_intent) },
    limit: 1,
    expand: ["data.invoice"],
  });
  const invoice = data[0]?.invoice;
  if (typeof invoice !== "object" || !("lines" in invoice)) return none;
  const subscription = invoice.parent?.subscription_details?.subscription ?? null;
  const [period] = invoice.lines.data
    .filter(({ parent }) => parent?.subscription_item_details?.proration === false)
    .map((line) => line.period)
    .toSorted((a, b) => b.end - a.end);
  return {
    invoice_id: invoice.id,
    subscription_id: idOf(subscription),
    period_start: period?.start ?? null,
    period_end: period?.end ?? null,
  };
}

function recordsOf(
  charge: Stripe.Charge,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): PaymentRecord[] {
  const { id, amount, status, created } = charge;
  return [
    { kind: "payment", id, status, amount, reason: null, created },
    ...refunds.map((refund) => ({
      kind: "refund" as const,
      id: refund.id,
      status: refund.status ?? "pending",
      amount: refund.amount,
      reason: refund.reason,
      created: refund.created,
    })),
    ...disputes.map((dispute) => ({
      kind: "dispute" as const,
      id: dispute.id,
      status: dispute.status,
      amount: dispute.amount,
      reason: dispute.reason,
      created: dispute.created,
      due: dispute.evidence_details.due_by,
    })),
  ];
}

/**
 * Reads a payment with its refunds and disputes from the provider and updates the subscription it paid for: suspended
 * while disputed, ended once lost or refunded in full. With an event the effect happens once.
 * @returns false when nothing was changed.
 */
export async function syncCharge(
  { stripe, database }: BillingClients,
  id: string,
  event?: EventReference,
): Promise<boolean> {
  const ticket = await database.drawTicket(event?.id);
  if (ticket === null) return false;
  const charge = await stripe.charges.retrieve(id, { expand: ["refunds"] });
  const customer = idOf(charge.customer);
  if (customer === null || !charge.paid) return false;
  const { data: disputes } = charge.disputed
    ? await stripe.disputes.list({ charge: id, limit: 100 })
    : { data: [] };
  const bill = await invoicePeriodOf(stripe, charge);
  const card = charge.payment_method_details?.card;
  const outcome = await database.applyCharge(ticket, {
    charge_id: id,
    customer_id: customer,
    ...bill,
    currency: charge.currency,
    amount: charge.amount,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
    amount_refunded: charge.amount_refunded,
    is_refunded: charge.refunded,
    dispute: disputeOf(disputes),
    records: recordsOf(charge, charge.refunds?.data ?? [], disputes),
  });
  if (outcome === "unknown_customer") return false;
  if (bill.subscription_id === null) return true;
  const isHeld = charge.refunded || charge.disputed;
  // A successful payment has a separate event for its subscription.
  if (!isHeld && event?.type === "charge.succeeded") return true;
  if (isHeld) {
    // The event of a later payment, which may outweigh a refund, can be late or lost.
    if (event !== undefined) await syncCharges({ stripe, database }, customer);
    await endIfPaymentLost({ stripe, database }, bill.subscription_id);
  }
  // The event is recorded as applied in this last step, so after an earlier failure it is delivered again.
  await syncSubscription(stripe, database, bill.subscription_id, event);
  return true;
}

/** Ends a subscription at the provider when its payment was lost in a dispute or refunded in full, and audits it. */
export async function endIfPaymentLost(
  { stripe, database }: BillingClients,
  id: string,
): Promise<Stripe.Subscription> {
  const held = await readSubscription(stripe, database, id);
  const hold = await database.hold(id);
  if (isEndedSubscription(held) || (hold !== "refunded" && hold !== "dispute_lost")) return held;
  await cancelImmediately(stripe, id);
  await database.audit(idOf(held.customer), "billing.ended", { subscription_id: id, hold });
  return await readSubscription(stripe, database, id);
}

/** The latest payments of a customer; empty when the customer no longer exists. */
async function chargesOf(stripe: Stripe, customer: string): Promise<Stripe.Charge[]> {
  try {
    return (await stripe.charges.list({ customer, limit: 100 })).data;
  } catch (error) {
    if (isResourceMissing(error)) return [];
    throw error;
  }
}

/** Reads the payments of a customer that are new or have changed since they were last read. */
export async function syncCharges(billing: BillingClients, customer: string): Promise<void> {
  const charges = await chargesOf(billing.stripe, customer);
  const known = await billing.database.knownCharges(charges.map(({ id }) => id));
  for (const charge of charges) {
    const before = known[charge.id];
    const isSettled =
      before !== undefined &&
      before.amount_refunded === charge.amount_refunded &&
      (!charge.disputed || before.dispute === "won" || before.dispute === "lost");
    if (charge.paid && !isSettled) await syncCharge(billing, charge.id);
  }
}
