import type Stripe from "stripe";
import { expandableId } from "../ids.ts";
import { basicPrice, customerWith, failure } from "./sandbox-fixture.ts";
import { checkOut } from "./checkout.ts";
import { correctWords, endWithSchedule, searchEverything } from "./later-changes.ts";
import { invoiceByHand } from "./manual-invoices.ts";
import { liveThroughSubscriptions, vat, type Provider } from "./subscription-life.ts";

/** Lives through everything that the sandbox can answer and send, once. */
export async function liveThroughEverything(provider: Provider): Promise<void> {
  const { stripe } = provider;
  await fillCatalogue(stripe);
  await keepCustomers(provider);
  await takePayments(provider);
  await refundAndDispute(provider);
  await saveCards(provider);
  await liveThroughSubscriptions(provider);
  await keepTime(stripe);
  await correctWords(provider);
  await endWithSchedule(provider);
  await invoiceByHand(provider);
  await checkOut(provider);
  await searchEverything(stripe);
  await keepAccounts(stripe);
  const { data } = await stripe.events.list({ limit: 1 });
  await stripe.events.retrieve(data[0]?.id ?? "");
  const [endpoint] = (await stripe.webhookEndpoints.list()).data;
  await stripe.webhookEndpoints.retrieve(endpoint?.id ?? "");
}

async function keepTime(stripe: Stripe): Promise<void> {
  const { testClocks } = stripe.testHelpers;
  const now = (await stripe.customers.create({})).created;
  const clock = await testClocks.create({ frozen_time: now + 60, name: "A month" });
  const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
  const { id } = await stripe.subscriptions.create({
    customer,
    items: [{ price: basicPrice }],
    default_payment_method: method.id,
  });
  await failure(testClocks.advance(clock.id, { frozen_time: now }));
  await testClocks.advance(clock.id, { frozen_time: now + 32 * 86_400 });
  await testClocks.retrieve(clock.id);
  await stripe.subscriptions.retrieve(id, { expand: ["test_clock", "latest_invoice"] });
  await testClocks.list();
  await testClocks.del(clock.id);
}

async function keepAccounts(stripe: Stripe): Promise<void> {
  await stripe.balance.retrieve();
  const { data } = await stripe.payouts.list({ expand: ["data.balance_transaction"] });
  const payout = data[0]?.id ?? "";
  await stripe.payouts.retrieve(payout);
  const settled = await stripe.balanceTransactions.list({ payout, expand: ["data.source"] });
  await stripe.balanceTransactions.retrieve(settled.data[0]?.id ?? "");
  for (const type of ["charge", "refund", "refund_failure", "adjustment", "payout"]) {
    await stripe.balanceTransactions.list({ type, limit: 100, expand: ["data.source"] });
  }
  await stripe.charges.list({ expand: ["data.balance_transaction"] });
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
  const warned = await charge("pm_card_createIssuerFraudRecord");
  const { data } = await stripe.radar.earlyFraudWarnings.list({ charge: warned });
  const whole = ["charge", "payment_intent"];
  await stripe.radar.earlyFraudWarnings.retrieve(data[0]?.id ?? "", { expand: whole });
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
