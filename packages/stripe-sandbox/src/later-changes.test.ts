import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { expandableId } from "./ids.ts";
import type { Sandbox } from "./main.ts";
import {
  basicPrice,
  client,
  customerWith,
  failure,
  openFixture,
} from "./testing/sandbox-fixture.ts";
import { createBasicSubscription, invoiceOf } from "./testing/subscribe.ts";

let sandbox: Sandbox;
let stripe: Stripe;
beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

describe("a payment", () => {
  it("can be changed until the bank is asked, and its words for ever", async () => {
    const { id } = await stripe.paymentIntents.create({ amount: 900, currency: "gbp" });
    expect(
      await stripe.paymentIntents.update(id, { amount: 1000, payment_method: "pm_card_visa" }),
    ).toMatchObject({ amount: 1000, status: "requires_confirmation" });
    const paid = await stripe.paymentIntents.confirm(id);
    const charge = expandableId(paid.latest_charge);
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ amount: 1000 });
    const refused = await failure(stripe.paymentIntents.update(id, { amount: 1 }));
    expect(refused.code).toBe("payment_intent_unexpected_state");
    await stripe.paymentIntents.update(id, { metadata: { order: "7" } });
    const changed = await stripe.charges.update(charge, {
      metadata: { order: "7" },
      receipt_email: "ada@example.org",
    });
    expect(changed).toMatchObject({ metadata: { order: "7" }, receipt_email: "ada@example.org" });
    const refund = await stripe.refunds.create({ charge });
    expect(await stripe.refunds.update(refund.id, { metadata: { why: "" } })).toMatchObject({
      metadata: {},
    });
  });
});

describe("a coupon that is deleted", () => {
  it("is redeemed by nobody, and goes on for those who have it until it is taken off", async () => {
    const { id } = await stripe.coupons.create({ percent_off: 50, duration: "forever" });
    const code = await stripe.promotionCodes.create({
      promotion: { type: "coupon", coupon: id },
      code: "HALF",
    });
    const held = await createBasicSubscription(stripe, "pm_card_visa", {
      discounts: [{ promotion_code: code.id }],
    });
    expect(invoiceOf(held).total).toBe(2500);
    await stripe.coupons.del(id);
    expect((await failure(stripe.coupons.retrieve(id))).code).toBe("resource_missing");
    const { id: customer } = await customerWith(stripe, "pm_card_visa");
    const items = [{ price: basicPrice }];
    const discounts = [{ promotion_code: code.id }];
    expect(
      (await failure(stripe.subscriptions.create({ customer, items, discounts }))).message,
    ).toContain("inactive");
    const total = async () =>
      (await stripe.invoices.list({ subscription: held.id, limit: 1 })).data[0]?.total;
    await sandbox.control.advance({ months: 1 });
    expect(await total()).toBe(2500);
    expect(await stripe.subscriptions.deleteDiscount(held.id)).toMatchObject({ deleted: true });
    await sandbox.control.advance({ months: 1 });
    expect(await total()).toBe(5000);
  });
});

describe("a customer's credit", () => {
  it("pays the next invoice, and each change of it is on record", async () => {
    const { id: customer } = await customerWith(stripe, "pm_card_visa");
    await stripe.customers.createBalanceTransaction(customer, { amount: -6000, currency: "gbp" });
    const paid = await stripe.subscriptions.create({
      customer,
      items: [{ price: basicPrice }],
      expand: ["latest_invoice"],
    });
    expect(invoiceOf(paid)).toMatchObject({ status: "paid", amount_due: 0, ending_balance: -1000 });
    const { data } = await stripe.customers.listBalanceTransactions(customer);
    expect(data.map((one) => [one.type, one.amount, one.ending_balance])).toEqual([
      ["applied_to_invoice", 5000, -1000],
      ["adjustment", -6000, -6000],
    ]);
    expect(data[0]?.invoice).toBe(invoiceOf(paid).id);
    const { id: other } = await stripe.customers.create();
    const foreign = stripe.customers.retrieveBalanceTransaction(other, data[0]?.id ?? "");
    expect((await failure(foreign)).code).toBe("resource_missing");
  });
});

describe("a search", () => {
  const emails = async (query: string) =>
    (await stripe.customers.search({ query })).data.map(({ email }) => email);

  it("finds by field, part, number and metadata, with AND, OR and NOT", async () => {
    await stripe.customers.create({
      email: "ada@example.org",
      name: "Ada",
      metadata: { order: "7" },
    });
    await stripe.customers.create({ email: "ben@example.org", name: "Ben O'Neil and sons" });
    expect(await emails('email:"ADA@example.org"')).toEqual(["ada@example.org"]);
    expect(await emails('email~"example"')).toEqual(["ben@example.org", "ada@example.org"]);
    expect(await emails('name:"Ben O\'Neil and sons"')).toEqual(["ben@example.org"]);
    expect(await emails('metadata["order"]:"7"')).toEqual(["ada@example.org"]);
    expect(await emails('metadata["order"]:null')).toEqual(["ben@example.org"]);
    expect(await emails('email~"example" AND -name:"Ada"')).toEqual(["ben@example.org"]);
    expect(await emails('name:"Ada" OR name~"Neil"')).toHaveLength(2);
    expect(await emails("created<10")).toEqual([]);
  });

  it("has pages, and refuses what cannot be read", async () => {
    for (let count = 0; count < 3; count += 1) await stripe.customers.create({ name: "Ada" });
    const query = 'name:"Ada"';
    const first = await stripe.customers.search({ query, limit: 2 });
    expect([first.data.length, first.has_more]).toEqual([2, true]);
    const rest = await stripe.customers.search({ query, limit: 2, page: first.next_page ?? "" });
    expect([rest.data.length, rest.has_more, rest.next_page]).toEqual([1, false, null]);
    expect(await stripe.customers.search({ query }).autoPagingToArray({ limit: 10 })).toHaveLength(
      3,
    );
    for (const wrong of [
      "",
      "AND",
      'name:"Ada" OR',
      'shoe:"7"',
      "name",
      'a:"1" AND b:"2" OR c:"3"',
      'name~"A"',
    ]) {
      expect((await failure(stripe.customers.search({ query: wrong }))).param, wrong).toBe("query");
    }
  });
});
