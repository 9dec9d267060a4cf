import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import { discardPlannedChange } from "./planned-change.ts";
import { isMembership, membershipPrices } from "./membership-subscription.ts";
import { changeRenewal } from "./renewal.ts";
import { idOf, isEndedSubscription } from "./subscription-snapshot.ts";
import { cancelImmediately, readSubscription } from "./subscriptions.ts";

/**
 * Ends the subscription with its period after an earlier payment of it was lost in a dispute, and flags the account: who
 * is charged again may dispute that, too. Once for each payment, so that a member who renews on purpose can.
 * @returns whether there was such a payment.
 */
async function endRenewalAfterLoss(
  billing: BillingClients,
  id: string,
  customer: string,
): Promise<boolean> {
  const { database } = billing;
  const lost = await database.lostPayments(id);
  for (const charge of lost) {
    const failureMessage = "The renewal could not be ended";
    await changeRenewal(billing, id, { name: "enforce-payments", ends: true, failureMessage });
    const detail = { subscription_id: id, charge_id: charge };
    await database.flag(customer, "dispute_lost", detail);
    await database.audit(customer, "billing.renewal_ended", detail);
  }
  return lost.length > 0;
}

/**
 * Makes the provider follow what was paid: ends a subscription whose payment was lost in a dispute or refunded in full,
 * ends the renewal when an earlier payment was lost, and puts one back whose upgrade was refunded. All are audited.
 * @param held as read and applied just now.
 * @returns the subscription afterwards.
 */
export async function enforcePayments(
  { stripe, database }: BillingClients,
  held: Stripe.Subscription,
): Promise<Stripe.Subscription> {
  if (isEndedSubscription(held)) return held;
  if (!isMembership(held, await membershipPrices(database))) return held;
  const { id } = held;
  const customer = idOf(held.customer);
  const hold = await database.hold(id);
  if (hold === "refunded" || hold === "dispute_lost") {
    await cancelImmediately(stripe, id);
    await database.audit(customer, "billing.ended", { subscription_id: id, hold });
    return await readSubscription(stripe, database, id);
  }
  if (await endRenewalAfterLoss({ stripe, database }, id, customer)) {
    return await readSubscription(stripe, database, id);
  }
  const [item] = held.items.data;
  if (item === undefined) return held;
  const { price } = item;
  const invoice = idOf(held.latest_invoice);
  const before = await database.priceBeforeUpgrade(id, price.id, invoice);
  if (before === null) return held;
  await discardPlannedChange(stripe, held);
  const items = [{ id: item.id, price: before }];
  await stripe.subscriptions.update(id, { items, proration_behavior: "none" });
  const change = { subscription_id: id, from: price.id, to: before, invoice };
  await database.audit(customer, "billing.upgrade_ended", change);
  return await readSubscription(stripe, database, id);
}
