import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import type { EventReference } from "./billing-database.ts";
import { toChargeSnapshot } from "./charge-snapshot.ts";
import { enforcePayments } from "./enforce-payments.ts";
import { membershipPrices } from "./membership-subscription.ts";
import { paidFor } from "./paid-for.ts";
import { settleRefunds } from "./settle-refunds.ts";
import { isPermissionMissing, orWhenMissing } from "./stripe-client.ts";
import { idOf } from "./subscription-snapshot.ts";
import { readSubscription, syncSubscription } from "./subscriptions.ts";
import { writeReading } from "./write-reading.ts";

/** What each of them moved on the balance. */
const movements = [
  "balance_transaction",
  "refunds.data.balance_transaction",
  "refunds.data.failure_balance_transaction",
];

/** A payment with its refunds. A restricted key that may not read the balance must not stop memberships: the reconciliation says so. */
async function readCharge(stripe: Stripe, id: string): Promise<Stripe.Charge> {
  try {
    return await stripe.charges.retrieve(id, { expand: ["refunds", ...movements] });
  } catch (error) {
    if (!isPermissionMissing(error)) throw error;
    return await stripe.charges.retrieve(id, { expand: ["refunds"] });
  }
}

/** Reads a payment with its refunds and disputes and writes it, if a member paid it for something of ours. */
async function writeCharge({ stripe, database }: BillingClients, id: string, version: number) {
  const charge = await readCharge(stripe, id);
  const customer = idOf(charge.customer);
  if (customer === null || !charge.paid) return { outcome: "not_ours" } as const;
  const { data: disputes } = charge.disputed
    ? await stripe.disputes.list({ charge: id, limit: 100 })
    : { data: [] };
  const bill = await paidFor(stripe, charge, await membershipPrices(database));
  if (bill === null) return { outcome: "not_ours" } as const;
  const snapshot = toChargeSnapshot(charge, customer, bill, charge.refunds?.data ?? [], disputes);
  return { outcome: await database.applyCharge(version, snapshot), charge, customer, bill };
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
  const reading = await writeReading(database, event, async (version) => {
    return await writeCharge({ stripe, database }, id, version);
  });
  if (reading === null || reading.outcome === "not_ours") return false;
  const { outcome, charge, customer, bill } = reading;
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
