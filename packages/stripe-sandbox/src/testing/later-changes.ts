import type { Stripe } from "stripe";
import { expandableId } from "../ids.ts";
import { customerWith, failure } from "./sandbox-fixture.ts";
import { createBasicSubscription } from "./subscribe.ts";
import type { Provider } from "./subscription-life.ts";

/** What is said of payments later, what is taken back of coupons, and customers' credit. */
export async function correctWords({ stripe }: Provider): Promise<void> {
  const { id: customer } = await customerWith(stripe, "pm_card_visa");
  const intent = await stripe.paymentIntents.create({ amount: 900, currency: "gbp", customer });
  await stripe.paymentIntents.update(intent.id, {
    amount: 1000,
    description: "Ten",
    metadata: { order: "10" },
    payment_method: "pm_card_visa",
  });
  const paid = await stripe.paymentIntents.confirm(intent.id, { off_session: true });
  await failure(stripe.paymentIntents.update(intent.id, { amount: 1 }));
  const charge = expandableId(paid.latest_charge);
  await stripe.charges.update(charge, {
    description: "Ten pounds",
    fraud_details: { user_report: "safe" },
    metadata: { order: "10" },
    receipt_email: "ada@example.org",
  });
  await failure(stripe.charges.update(charge, { customer }));
  const refund = await stripe.refunds.create({ charge, amount: 100 });
  await stripe.refunds.update(refund.id, { metadata: { why: "kind" } });

  const coupon = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
  await stripe.coupons.update(coupon.id, { name: "Half" });
  const held = await createBasicSubscription(stripe, "pm_card_visa", {
    discounts: [{ coupon: coupon.id }],
  });
  await stripe.coupons.del(coupon.id);
  await failure(stripe.coupons.retrieve(coupon.id));
  await stripe.subscriptions.deleteDiscount(held.id);
  await failure(stripe.subscriptions.deleteDiscount(held.id));
  await failure(stripe.customers.deleteDiscount(customer));

  const credit = await stripe.customers.createBalanceTransaction(customer, {
    amount: -500,
    currency: "gbp",
    description: "Goodwill",
  });
  await stripe.customers.retrieveBalanceTransaction(customer, credit.id);
  await stripe.customers.updateBalanceTransaction(customer, credit.id, {
    metadata: { by: "staff" },
  });
  await stripe.customers.listBalanceTransactions(customer);
  await failure(stripe.customers.retrieveBalanceTransaction(customer, "cbtxn_none"));
}

/** A schedule that ends its subscription after one more month. */
export async function endWithSchedule({ sandbox, stripe }: Provider): Promise<void> {
  const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
  await stripe.subscriptions.update(id, {
    billing_cycle_anchor: { type: "unchanged" },
    items: [{ id: items.data[0]?.id ?? "", quantity: 1 }],
  });
  await stripe.subscriptionSchedules.update(schedule.id, { end_behavior: "cancel" });
  await stripe.subscriptions.retrieve(id, { expand: ["schedule"] });
  await sandbox.control.advance({ months: 1, hours: 2 });
  await stripe.subscriptions.retrieve(id);
  await stripe.subscriptionSchedules.retrieve(schedule.id);
}

/** Every kind of object that can be searched. */
export async function searchEverything(stripe: Stripe): Promise<void> {
  const query = "created>0";
  await stripe.charges.search({ query, limit: 2 });
  await stripe.customers.search({ query: 'email~"example.org" OR metadata["user"]:"1"' });
  await stripe.invoices.search({ query: 'status:"paid" AND total>=5000' });
  await stripe.paymentIntents.search({ query: '-status:"succeeded"' });
  await stripe.prices.search({ query: 'active:"true"' });
  await stripe.products.search({ query: 'name~"Course"' });
  await stripe.subscriptions.search({ query: 'status:"active"' });
  await failure(stripe.customers.search({ query: 'shoe_size:"7"' }));
}
