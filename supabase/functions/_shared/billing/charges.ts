import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { EventReference } from "./billing-database.ts";
import { enforcePayments } from "./enforce-payments.ts";
import { membershipPrices } from "./membership-subscription.ts";
import { paidFor, type PaidFor } from "./paid-for.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { orWhenMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";
import { readSubscription, syncSubscription } from "./subscriptions.ts";

/** A payment, refund or dispute as table payment_records keeps it. Amounts in the currency's smallest unit, times in epoch seconds. */
type PaymentRecord = {
  kind: "payment" | "refund" | "dispute";
  id: string;
  status: string;
  amount: number;
  reason: string | null;
  created: number;
  /** Until when the bank of a dispute takes evidence. */
  respond_by: number | null;
};

/** A payment as the table billing_charges keeps it. Amounts in the currency's smallest unit. */
export type ChargeSnapshot = PaidFor & {
  charge_id: string;
  customer_id: string;
  payment_intent_id: string | null;
  currency: string;
  amount: number;
  card_brand: string | null;
  card_last4: string | null;
  /** The provider's fingerprint of the card, the same in all accounts; the database keeps a keyed hash of it. */
  card_fingerprint: string | null;
  amount_refunded: number;
  /** The whole amount was refunded. */
  is_refunded: boolean;
  dispute: "open" | "won" | "lost" | null;
  records: PaymentRecord[];
};

/** State of a payment's disputes. An inquiry (`warning_…`) withdraws no money and does not count. */
function disputeOf(disputes: readonly Stripe.Dispute[]): ChargeSnapshot["dispute"] {
  const has = (...statuses: string[]) => disputes.some(({ status }) => statuses.includes(status));
  if (has("needs_response", "under_review", "appeal_needs_response", "appeal_under_review")) {
    return "open";
  }
  if (has("lost")) return "lost";
  return has("won") ? "won" : null;
}

function recordsOf(
  charge: Stripe.Charge,
  refunds: readonly Stripe.Refund[],
  disputes: readonly Stripe.Dispute[],
): PaymentRecord[] {
  const { id, amount, status, created } = charge;
  return [
    { kind: "payment", id, status, amount, reason: null, created, respond_by: null },
    ...refunds.map((refund) => ({
      kind: "refund" as const,
      id: refund.id,
      status: refund.status ?? "pending",
      amount: refund.amount,
      reason: refund.reason,
      created: refund.created,
      respond_by: null,
    })),
    ...disputes.map((dispute) => ({
      kind: "dispute" as const,
      id: dispute.id,
      status: dispute.status,
      amount: dispute.amount,
      reason: dispute.reason,
      created: dispute.created,
      respond_by: dispute.evidence_details.due_by,
    })),
  ];
}

/**
 * Reads a payment with its refunds and disputes from the provider and updates the subscription it paid for: suspended
 * while disputed, ended once lost or refunded in full, back to the plan before when an upgrade was refunded. With an event the effect happens once.
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
  const bill = await paidFor(stripe, charge, await membershipPrices(database));
  if (bill === null) return false;
  const card = charge.payment_method_details?.card;
  const outcome = await database.applyCharge(ticket, {
    charge_id: id,
    customer_id: customer,
    payment_intent_id: idOf(charge.payment_intent),
    ...bill,
    currency: charge.currency,
    amount: charge.amount,
    card_brand: card?.brand ?? null,
    card_last4: card?.last4 ?? null,
    card_fingerprint: card?.fingerprint ?? null,
    amount_refunded: charge.amount_refunded,
    is_refunded: charge.refunded,
    dispute: disputeOf(disputes),
    records: recordsOf(charge, charge.refunds?.data ?? [], disputes),
  });
  // Also of a deleted account, whose payment staff can refund.
  await settleRefunds({ database }, id, charge.refunds?.data ?? []);
  if (outcome === "unknown_customer") return false;
  if (bill.subscription_id === null) return true;
  const isHeld = charge.refunded || charge.disputed;
  // A successful payment has a separate event for its subscription.
  if (!isHeld && event?.type === "charge.succeeded") return true;
  if (isHeld) {
    // The event of a later payment, which may outweigh a refund, can be late or lost.
    if (event !== undefined) await syncCharges({ stripe, database }, customer);
    await enforcePayments(
      { stripe, database },
      await readSubscription(stripe, database, bill.subscription_id),
    );
  }
  // The event is recorded as applied in this last step, so after an earlier failure it is delivered again.
  await syncSubscription(stripe, database, bill.subscription_id, event);
  return true;
}

/** The latest payments of a customer; empty when the customer no longer exists. */
async function chargesOf(stripe: Stripe, customer: string): Promise<Stripe.Charge[]> {
  const charges = stripe.charges.list({ customer, limit: 100 });
  return (await orWhenMissing(charges, { data: [] })).data;
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
