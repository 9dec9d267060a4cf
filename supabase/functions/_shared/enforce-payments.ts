import type Stripe from "stripe";
import type { BillingClients } from "./billing-context.ts";
import { discardPlannedChange } from "./planned-change.ts";
import { isMembership, membershipPrices } from "./membership-subscription.ts";
import { idOf, isEndedSubscription } from "./subscription-snapshot.ts";
import { cancelImmediately, readSubscription } from "./subscriptions.ts";

/**
 * Makes the provider follow what was paid: ends a subscription whose payment was lost in a dispute or refunded in full, and
 * puts one back whose upgrade was refunded. Both are audited.
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
