import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoicesOf, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because the reconciliation reads all members.
let billing: BillingFixture;
let stop: () => Promise<void>;
let talk: string;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  const product = await billing.stripe.products.create({ name: "A talk every month" });
  const price = await billing.stripe.prices.create({
    product: product.id,
    unit_amount: 700,
    currency: "gbp",
    recurring: { interval: "month" },
  });
  talk = price.id;
});
afterAll(async () => {
  // What the last test caused is delivered before the product stops.
  await billing.deliverWebhooks();
  await stop();
});

/** Sells the talk to the account's customer, as another shop of the same business does. @returns its id. */
async function sellTalk(ada: Payer, card: string | null = "pm_card_visa"): Promise<string> {
  await billing.call(ada.client, "create-stripe-customer", {});
  const customer = await billing.customerId(ada);
  const items = [{ price: talk }];
  if (card === null) {
    const unpaid = { customer, items, payment_behavior: "default_incomplete" } as const;
    return (await billing.stripe.subscriptions.create(unpaid)).id;
  }
  const { id } = await billing.stripe.paymentMethods.attach(card, { customer });
  const sold = await billing.stripe.subscriptions.create({
    customer,
    items,
    default_payment_method: id,
  });
  await billing.deliverWebhooks();
  return sold.id;
}

const statusOf = async (id: string) => (await billing.stripe.subscriptions.retrieve(id)).status;

async function chargeOf(ada: Payer, amount: number): Promise<string> {
  const customer = await billing.customerId(ada);
  const { data } = await billing.stripe.charges.list({ customer });
  return data.find((charge) => charge.amount === amount)?.id ?? "";
}

describe("a customer who pays for another product", () => {
  it("has no membership by it, and can buy one", async () => {
    const ada = await billing.payer();
    const other = await sellTalk(ada);
    expect(await billing.subscription(ada)).toBeNull();
    expect(await billing.isMember(ada)).toBe(false);
    const ways = "select status from private.membership_statuses where user_id = $1";
    expect(await billing.sql(ways, [ada.id])).toEqual([{ status: "never_paid" }]);
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.subscription(ada)).toMatchObject({ price_id: studentPlan });
    expect(await statusOf(other)).toBe("active");
    expect((await billing.pay(ada, studentPlan)).status).toBe(200);
    expect((await billing.atProvider(ada)).paid.toSorted((a, b) => a - b)).toEqual([700, 5000]);
  });

  it("is shown and mailed nothing of it", async () => {
    const ada = await billing.payer();
    await sellTalk(ada);
    await billing.reconcile();
    expect(await invoicesOf(ada)).toEqual([]);
    const mails = "select template from private.email_outbox where user_id = $1";
    expect(await billing.sql(mails, [ada.id])).toEqual([]);
    const records = "select kind from private.payment_records where customer_id = $1";
    expect(await billing.sql(records, [await billing.customerId(ada)])).toEqual([]);
  });

  it("keeps it while it is unpaid, whatever is bought or compared here", async () => {
    const ada = await billing.payer();
    const other = await sellTalk(ada, null);
    expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
    expect(await billing.reconcile()).toMatchObject({ given_up: 0, failed: 0 });
    expect(await statusOf(other)).toBe("incomplete");
  });

  it("keeps it when its payment is refunded", async () => {
    const ada = await billing.payer();
    const other = await sellTalk(ada);
    await billing.pay(ada, studentPlan);
    await billing.stripe.refunds.create({ charge: await chargeOf(ada, 700) });
    await billing.deliverWebhooks();
    await billing.reconcile();
    expect(await statusOf(other)).toBe("active");
    expect(await billing.isMember(ada)).toBe(true);
  });

  it("keeps the card of the membership when the other product has one of its own", async () => {
    const { ada } = await billing.member(studentPlan);
    const customer = await billing.customerId(ada);
    const cardOf = async () => {
      const found = await billing.stripe.customers.retrieve(customer);
      return found.deleted === true ? null : found.invoice_settings.default_payment_method;
    };
    const before = await cardOf();
    await sellTalk(ada, "pm_card_mastercard");
    expect(before).not.toBeNull();
    expect(await cardOf()).toBe(before);
    await billing.reconcile();
    expect(await cardOf()).toBe(before);
  });

  it("keeps it when the account is deleted, and the customer goes once it has ended", async () => {
    const { ada, subscription } = await billing.member(studentPlan);
    const other = await sellTalk(ada);
    const customer = await billing.customerId(ada);
    expect(
      await billing.call(ada.client, "delete-my-account", { password: testPassword }),
    ).toMatchObject({ status: 200 });
    expect(await statusOf(subscription)).toBe("canceled");
    expect(await billing.reconcile()).toMatchObject({ departed: 0, failed: 0 });
    expect(await statusOf(other)).toBe("active");
    await billing.stripe.subscriptions.cancel(other);
    expect(await billing.reconcile()).toMatchObject({ departed: 1, failed: 0 });
    expect(await billing.stripe.customers.retrieve(customer)).toMatchObject({ deleted: true });
  });
});

it("a membership that staff moved to another product's price is none, and can be bought again", async () => {
  const { ada, subscription } = await billing.member(studentPlan);
  const held = await billing.stripe.subscriptions.retrieve(subscription);
  const items = [{ id: held.items.data[0]?.id ?? "", price: talk }];
  await billing.stripe.subscriptions.update(subscription, { items, proration_behavior: "none" });
  await billing.deliverWebhooks();
  expect(await billing.subscription(ada)).toBeNull();
  expect(await billing.isMember(ada)).toBe(false);
  expect(await billing.pay(ada, studentPlan)).toMatchObject({ status: 200 });
  expect(await billing.isMember(ada)).toBe(true);
});
