import type Stripe from "stripe";
import { expandableId } from "../ids.ts";
import type { Sandbox } from "../main.ts";
import { basicPrice, customerWith, failure, plusPrice } from "./sandbox-fixture.ts";
import { createBasicSubscription, invoiceOf, latestIntentOf } from "./subscribe.ts";

/** The sandbox, and the official library with the secret key and with a browser's. */
export interface Provider {
  sandbox: Sandbox;
  stripe: Stripe;
  browser: Stripe;
}

/** Everything that happens to subscriptions. */
export async function liveThroughSubscriptions(provider: Provider): Promise<void> {
  await startSubscriptions(provider);
  await changeSubscriptions(provider);
  await planChanges(provider);
  await pause(provider);
  await endTrials(provider);
  await renew(provider);
}

/** A rate of 20 % that prices include. */
export async function vat(stripe: Stripe): Promise<string> {
  const given = { display_name: "VAT", inclusive: true, percentage: 20, country: "GB" };
  return (await stripe.taxRates.create(given)).id;
}

async function startSubscriptions({ sandbox, stripe }: Provider): Promise<void> {
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: "once" });
  const active = await createBasicSubscription(stripe, "pm_card_visa", {
    discounts: [{ coupon }],
    default_tax_rates: [await vat(stripe)],
    description: "Membership",
  });
  await stripe.subscriptions.retrieve(active.id, {
    expand: ["customer", "discounts", "items.data.price.product", "pending_setup_intent"],
  });
  const intent = latestIntentOf(active);
  await stripe.charges.retrieve(expandableId(intent.latest_charge));
  const invoice = invoiceOf(active);
  await stripe.invoices.retrieve(invoice.id, {
    expand: ["discounts", "payments.data.payment.payment_intent", "confirmation_secret"],
  });
  await stripe.invoices.listLineItems(invoice.id);
  await stripe.invoices.update(invoice.id, { metadata: { seen: "yes" } });
  const payment = { type: "payment_intent" as const, payment_intent: intent.id };
  await stripe.invoicePayments.list({ payment, expand: ["data.invoice"] });
  const trial = await createBasicSubscription(stripe, "pm_card_visa", { trial_period_days: 14 });
  await stripe.invoices.retrieve(invoiceOf(trial).id);
  await createBasicSubscription(stripe, "pm_card_authenticationRequiredOnSetup", {
    trial_period_days: 14,
  });
  const taxed = await stripe.customers.create({ address: { country: "GB" } });
  const method = await stripe.paymentMethods.attach("pm_card_gb", { customer: taxed.id });
  await stripe.subscriptions.create({
    customer: taxed.id,
    items: [{ price: basicPrice, quantity: 2, metadata: { seat: "two" } }],
    default_payment_method: method.id,
    automatic_tax: { enabled: true },
    expand: ["latest_invoice"],
  });
  const declined = await createBasicSubscription(stripe, "pm_card_chargeCustomerFail");
  await failure(stripe.invoices.pay(invoiceOf(declined).id));
  await stripe.invoices.pay(invoiceOf(declined).id, { paid_out_of_band: true });
  const asked = await createBasicSubscription(stripe, "pm_card_authenticationRequired");
  await failure(stripe.invoices.pay(invoiceOf(asked).id));
  await stripe.subscriptions.cancel(asked.id);
  const waiting = await createBasicSubscription(stripe, "pm_card_visa", {
    payment_behavior: "default_incomplete",
    payment_settings: { save_default_payment_method: "on_subscription" },
  });
  await stripe.invoices.voidInvoice(invoiceOf(waiting).id);
  const { id: customer } = await customerWith(stripe, "pm_card_authenticationRequired");
  const items = [{ price: basicPrice }];
  const whole = { customer, items, payment_behavior: "error_if_incomplete" as const };
  await failure(stripe.subscriptions.create(whole));
  await stripe.subscriptions.list({ status: "all", expand: ["data.latest_invoice"] });
  await sandbox.control.settled();
}

async function changeSubscriptions({ sandbox, stripe }: Provider): Promise<void> {
  const { id, items, customer } = await createBasicSubscription(stripe, "pm_card_visa");
  const [item] = items.data;
  const change = [{ id: item?.id ?? "", price: plusPrice }];
  await stripe.invoices.createPreview({
    subscription: id,
    subscription_details: { items: change, proration_behavior: "always_invoice" },
  });
  await stripe.invoices.createPreview({ subscription: id, expand: ["discounts"] });
  await stripe.subscriptions.update(id, { items: change, proration_behavior: "always_invoice" });
  await stripe.subscriptionItems.create({ subscription: id, price: basicPrice });
  await stripe.subscriptionItems.list({ subscription: id });
  await stripe.subscriptions.update(id, {
    cancel_at_period_end: true,
    cancellation_details: { feedback: "too_expensive", comment: "Too dear" },
  });
  await stripe.subscriptions.update(id, { cancel_at_period_end: false });
  await stripe.subscriptions.cancel(id, { prorate: true, invoice_now: true });
  await stripe.customers.retrieve(expandableId(customer));
  await stripe.invoices.list({ customer: expandableId(customer) });
  await failure(stripe.subscriptions.cancel(id));
  for (const isPaid of [true, false]) {
    const held = await createBasicSubscription(stripe, "pm_card_visa");
    const owner = expandableId(held.customer);
    const asking = await stripe.paymentMethods.attach("pm_card_authenticationRequired", {
      customer: owner,
    });
    await stripe.subscriptions.update(held.id, { default_payment_method: asking.id });
    const pending = await stripe.subscriptions.update(held.id, {
      items: [{ id: held.items.data[0]?.id ?? "", price: plusPrice }],
      payment_behavior: "pending_if_incomplete",
      proration_behavior: "always_invoice",
      expand: ["latest_invoice.payments.data.payment.payment_intent"],
    });
    if (isPaid) await sandbox.control.answerChallenge(latestIntentOf(pending).id, true);
    else await sandbox.control.advance({ days: 2 });
    await stripe.subscriptions.retrieve(held.id);
  }
}

async function planChanges({ sandbox, stripe }: Provider): Promise<void> {
  for (const end of ["release", "cancel"] as const) {
    const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
    const [item] = items.data;
    const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id });
    await stripe.subscriptionSchedules.update(schedule.id, {
      end_behavior: "release",
      phases: [
        {
          items: [{ price: basicPrice }],
          start_date: item?.current_period_start ?? 0,
          end_date: item?.current_period_end ?? 0,
        },
        {
          items: [{ price: plusPrice }],
          duration: { interval: "month", interval_count: 1 },
          proration_behavior: "none",
        },
      ],
    });
    await failure(stripe.subscriptions.update(id, { cancel_at_period_end: true }));
    await stripe.subscriptions.retrieve(id, { expand: ["schedule"] });
    await sandbox.control.advance({ months: 1, hours: 2 });
    await stripe.subscriptionSchedules.retrieve(schedule.id, { expand: ["subscription"] });
    await stripe.subscriptionSchedules[end](schedule.id);
  }
  await stripe.subscriptionSchedules.list();
}

async function pause({ sandbox, stripe }: Provider): Promise<void> {
  for (const behavior of ["keep_as_draft", "mark_uncollectible", "void"] as const) {
    const { id, items } = await createBasicSubscription(stripe, "pm_card_visa");
    const resumes_at = (items.data[0]?.current_period_end ?? 0) + 10_000;
    await stripe.subscriptions.update(id, { pause_collection: { behavior, resumes_at } });
    await sandbox.control.advance({ months: 1, hours: 2 });
    const { data } = await stripe.invoices.list({ subscription: id });
    await stripe.invoices.retrieve(data[0]?.id ?? "");
    await stripe.subscriptions.retrieve(id);
    await sandbox.control.advance({ hours: 4 });
    await stripe.subscriptions.retrieve(id);
  }
}

async function endTrials({ sandbox, stripe }: Provider): Promise<void> {
  for (const missing_payment_method of ["cancel", "pause"] as const) {
    const { id: customer } = await stripe.customers.create({});
    const { id } = await stripe.subscriptions.create({
      customer,
      items: [{ price: basicPrice }],
      trial_period_days: 3,
      trial_settings: { end_behavior: { missing_payment_method } },
    });
    await sandbox.control.advance({ days: 4 });
    await stripe.subscriptions.retrieve(id);
    if (missing_payment_method === "cancel") continue;
    const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
    await stripe.subscriptions.update(id, { default_payment_method: method.id });
    await stripe.subscriptions.resume(id, { expand: ["latest_invoice"] });
  }
}

async function renew({ sandbox, stripe }: Provider): Promise<void> {
  sandbox.control.letRenewalsStayDrafts(true);
  const { id, customer } = await createBasicSubscription(stripe, "pm_card_visa");
  await sandbox.control.advance({ months: 1 });
  await stripe.invoices.list({ subscription: id });
  sandbox.control.letRenewalsStayDrafts(false);
  const owner = expandableId(customer);
  const failing = await stripe.paymentMethods.attach("pm_card_chargeCustomerFail", {
    customer: owner,
  });
  await stripe.subscriptions.update(id, { default_payment_method: failing.id });
  await sandbox.control.advance({ months: 1, hours: 2 });
  await stripe.invoices.list({ subscription: id, status: "open" });
  await stripe.subscriptions.retrieve(id);
  await sandbox.control.advance({ days: 20 });
  await stripe.subscriptions.retrieve(id);
}
