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

/** Lives through everything that the sandbox can answer and send, once. */
export async function liveThroughEverything(provider: Provider): Promise<void> {
  const { stripe } = provider;
  await fillCatalogue(stripe);
  await keepCustomers(provider);
  await takePayments(provider);
  await refundAndDispute(provider);
  await saveCards(provider);
  await startSubscriptions(provider);
  await changeSubscriptions(provider);
  await planChanges(provider);
  await renew(provider);
  const { data } = await stripe.events.list({ limit: 1 });
  await stripe.events.retrieve(data[0]?.id ?? "");
}

async function fillCatalogue(stripe: Stripe): Promise<void> {
  const { id: product } = await stripe.products.create({ name: "Course" });
  await stripe.products.update(product, { description: "Ten films", active: true });
  await stripe.products.retrieve(product, { expand: ["default_price"] });
  await stripe.products.list();
  const once = await stripe.prices.create({ product, currency: "gbp", unit_amount: 12_000 });
  await stripe.prices.create({
    product,
    currency: "gbp",
    unit_amount: 50_000,
    recurring: { interval: "year" },
    lookup_key: "yearly",
  });
  await stripe.prices.update(once.id, { nickname: "Full price", active: false });
  await stripe.prices.retrieve(once.id, { expand: ["product"] });
  await stripe.prices.list({ expand: ["data.product"] });
  const share = await stripe.coupons.create({ percent_off: 12.5, duration: "forever" });
  const amount = await stripe.coupons.create({
    amount_off: 500,
    currency: "gbp",
    duration: "repeating",
    duration_in_months: 3,
    applies_to: { products: [product] },
    max_redemptions: 5,
    redeem_by: 4_000_000_000,
  });
  for (const { id } of [share, amount]) {
    await stripe.coupons.retrieve(id, { expand: ["applies_to"] });
  }
  await stripe.coupons.list();
  const promotion = { type: "coupon" as const, coupon: share.id };
  const code = await stripe.promotionCodes.create({
    promotion,
    code: "WELCOME",
    restrictions: { first_time_transaction: true },
  });
  await stripe.promotionCodes.update(code.id, { active: false });
  await stripe.promotionCodes.retrieve(code.id, { expand: ["promotion.coupon"] });
  await stripe.promotionCodes.list();
  const rate = await vat(stripe);
  await stripe.taxRates.update(rate, { jurisdiction: "United Kingdom", tax_type: "vat" });
  await stripe.taxRates.retrieve(rate);
  await stripe.taxRates.list();
}

async function vat(stripe: Stripe): Promise<string> {
  const given = { display_name: "VAT", inclusive: true, percentage: 20, country: "GB" };
  return (await stripe.taxRates.create(given)).id;
}

async function keepCustomers({ stripe, browser }: Provider): Promise<void> {
  const card = { number: "4242424242424242", exp_month: 12, exp_year: 2040, cvc: "123" };
  const entered = await browser.paymentMethods.create({ type: "card", card });
  const { id: token } = await browser.tokens.create({
    card: { number: card.number, exp_month: "12", exp_year: "2040", cvc: "123" },
  });
  await stripe.paymentMethods.create({ type: "card", card: { token } });
  const declined = { ...card, number: "4000000000000002" };
  await failure(browser.paymentMethods.create({ type: "card", card: { ...card, exp_month: 13 } }));
  const { id: customer } = await stripe.customers.create({
    name: "Ada",
    email: "ada@example.org",
    address: { country: "GB", postal_code: "N1 1AA" },
    preferred_locales: ["en-GB"],
  });
  await stripe.customers.update(customer, { phone: "+44", metadata: { user: "1" } });
  await stripe.paymentMethods.attach(entered.id, { customer });
  const refused = await browser.paymentMethods.create({ type: "card", card: declined });
  await failure(stripe.paymentMethods.attach(refused.id, { customer }));
  await stripe.paymentMethods.update(entered.id, { billing_details: { name: "Ada" } });
  await stripe.paymentMethods.retrieve(entered.id, { expand: ["customer"] });
  await stripe.paymentMethods.list({ customer });
  await stripe.customers.listPaymentMethods(customer);
  await stripe.customers.retrieve(customer, { expand: ["subscriptions"] });
  await stripe.customers.list();
  await stripe.paymentMethods.detach(entered.id);
  await stripe.customers.del(customer);
  await stripe.customers.retrieve(customer);
  await failure(stripe.customers.retrieve("cus_none"));
  await failure(stripe.customers.create({ email: "not an address" }));
  await failure(browser.customers.list());
}

async function takePayments({ sandbox, stripe, browser }: Provider): Promise<void> {
  const { id: customer } = await customerWith(stripe, "pm_card_visa");
  const pay = async (
    payment_method: string,
    more: Stripe.PaymentIntentCreateParams | object = {},
  ) =>
    await stripe.paymentIntents.create({
      amount: 2500,
      currency: "gbp",
      customer,
      payment_method,
      confirm: true,
      ...more,
    });
  const paid = await pay("pm_card_visa", { description: "Course" });
  await stripe.paymentIntents.retrieve(paid.id, {
    expand: ["latest_charge", "payment_method", "customer"],
  });
  await failure(stripe.paymentIntents.confirm(paid.id));
  for (const decline of ["chargeCustomerFail", "chargeDeclinedExpiredCard"]) {
    await failure(pay(`pm_card_${decline}`));
  }
  await failure(pay("pm_card_authenticationRequired", { off_session: true }));
  const first = await pay("pm_card_authenticationRequired", { use_stripe_sdk: true });
  await sandbox.control.answerChallenge(first.id, true);
  await stripe.paymentIntents.retrieve(first.id, { expand: ["latest_charge"] });
  const second = await pay("pm_card_authenticationRequired", { return_url: "https://x.example/" });
  await sandbox.control.answerChallenge(second.id, false);
  await browser.paymentIntents.retrieve(second.id, { client_secret: second.client_secret ?? "" });
  await stripe.paymentIntents.cancel(second.id, { cancellation_reason: "abandoned" });
  const open = await stripe.paymentIntents.create({ amount: 100, currency: "gbp" });
  await stripe.paymentIntents.confirm(open.id, { payment_method: "pm_card_mastercard" });
  await stripe.paymentIntents.list({ customer });
}

async function refundAndDispute({ sandbox, stripe }: Provider): Promise<void> {
  const { id: customer } = await customerWith(stripe, "pm_card_visa");
  const charge = async (payment_method = "pm_card_visa") => {
    const amount = { amount: 5000, currency: "gbp" };
    const paid = await stripe.paymentIntents.create({
      ...amount,
      customer,
      payment_method,
      confirm: true,
    });
    return expandableId(paid.latest_charge);
  };
  const returned = await charge();
  const part = { charge: returned, amount: 1500, reason: "requested_by_customer" as const };
  const { id: refund } = await stripe.refunds.create(part);
  await stripe.charges.retrieve(returned, { expand: ["refunds"] });
  await stripe.refunds.create({ charge: returned });
  await failure(stripe.refunds.create({ charge: returned }));
  await sandbox.control.failRefund(refund);
  await stripe.refunds.retrieve(refund, { expand: ["charge", "payment_intent"] });
  await stripe.refunds.list();
  for (const evidence of ["winning_evidence", "losing_evidence"]) {
    const disputed = await charge("pm_card_createDispute");
    const { data } = await stripe.disputes.list({ charge: disputed });
    const id = data[0]?.id ?? "";
    await stripe.disputes.retrieve(id, { expand: ["charge", "payment_intent"] });
    await stripe.disputes.update(id, { metadata: { seen: "yes" } });
    await stripe.disputes.update(id, { evidence: { uncategorized_text: evidence } });
    await failure(stripe.disputes.close(id));
  }
  const inquiry = await sandbox.control.openDispute(await charge(), { isInquiry: true });
  await stripe.disputes.retrieve(inquiry.id);
  await sandbox.control.closeDispute(inquiry.id, "won");
  const product = await sandbox.control.openDispute(await charge(), {
    reason: "product_not_received",
  });
  await stripe.disputes.close(product.id);
  await stripe.charges.list({ expand: ["data.customer"] });
}

async function saveCards({ sandbox, stripe, browser }: Provider): Promise<void> {
  const create = async () => {
    const { id: customer } = await stripe.customers.create({});
    return await stripe.setupIntents.create({ customer, usage: "off_session" });
  };
  const ask = { payment_method: "pm_card_authenticationRequired", use_stripe_sdk: true };
  await stripe.setupIntents.confirm((await create()).id, { payment_method: "pm_card_visa" });
  for (const accept of [true, false]) {
    const { id, client_secret } = await create();
    await stripe.setupIntents.confirm(id, ask);
    await sandbox.control.answerChallenge(id, accept);
    await browser.setupIntents.retrieve(id, { client_secret: client_secret ?? "" });
  }
  const declined = await create();
  const bad = { payment_method: "pm_card_visa_chargeDeclined" };
  await failure(stripe.setupIntents.confirm(declined.id, bad));
  await stripe.setupIntents.cancel(declined.id);
  await stripe.setupIntents.list();
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
