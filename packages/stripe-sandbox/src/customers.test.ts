import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import {
  client,
  customerWith,
  failure,
  openFixture,
  basicPrice,
} from "./testing/sandbox-fixture.ts";
import type { Sandbox } from "./main.ts";
import { expandableId } from "./ids.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

describe("customers", () => {
  it("are created, read, changed, found by e-mail and deleted", async () => {
    const made = await stripe.customers.create({
      email: "ada@example.org",
      name: "Ada",
      metadata: { user_id: "u1", drop: "me" },
    });
    expect(made.id).toMatch(/^cus_\w{14}$/);
    expect(made.lastResponse.requestId).toMatch(/^req_/);
    const changed = await stripe.customers.update(made.id, {
      name: "",
      metadata: { drop: "", keep: "yes" },
    });
    expect(changed).toMatchObject({ name: null, metadata: { user_id: "u1", keep: "yes" } });
    expect(changed.metadata).not.toHaveProperty("drop");
    const found = await stripe.customers.list({ email: "ada@example.org" });
    expect(found.data.map((row) => row.id)).toEqual([made.id]);
    expect((await stripe.customers.list({ email: "nobody@example.org" })).data).toEqual([]);
    expect(await stripe.customers.del(made.id)).toMatchObject({ id: made.id, deleted: true });
    expect(await stripe.customers.retrieve(made.id)).toMatchObject({ deleted: true });
    expect((await failure(stripe.customers.update(made.id, { name: "x" }))).code).toBe(
      "resource_missing",
    );
  });

  it("end their subscriptions and lose their cards when deleted", async () => {
    const customer = await customerWith(stripe, "pm_card_visa");
    const subscription = await stripe.subscriptions.create({
      customer: customer.id,
      items: [{ price: basicPrice }],
    });
    const method = expandableId(customer.invoice_settings.default_payment_method);
    await stripe.customers.del(customer.id);
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
    expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull();
  });

  it("page from the newest, and say when there is more", async () => {
    const made: string[] = [];
    for (const name of ["a", "b", "c"]) {
      made.push((await stripe.customers.create({ name, email: "page@example.org" })).id);
    }
    const first = await stripe.customers.list({ email: "page@example.org", limit: 2 });
    expect(first.has_more).toBe(true);
    expect(first.data.map((row) => row.name)).toEqual(["c", "b"]);
    const all: string[] = [];
    for await (const row of stripe.customers.list({ email: "page@example.org", limit: 1 })) {
      all.push(row.id);
    }
    expect(all).toEqual(made.toReversed());
    const back = await stripe.customers.list({
      email: "page@example.org",
      ending_before: made[0] ?? "",
    });
    expect(back.data.map((row) => row.name)).toEqual(["c", "b"]);
    const wrong = await failure(stripe.customers.list({ starting_after: "cus_none" }));
    expect(wrong).toMatchObject({ statusCode: 400, param: "starting_after" });
  });
});

describe("payment methods", () => {
  it("are attached, listed and detached for good", async () => {
    const customer = await stripe.customers.create();
    const method = await stripe.paymentMethods.attach("pm_card_mastercard", {
      customer: customer.id,
    });
    expect(method).toMatchObject({
      customer: customer.id,
      card: { brand: "mastercard", last4: "4444" },
    });
    expect((await stripe.paymentMethods.attach(method.id, { customer: customer.id })).id).toBe(
      method.id,
    );
    const listed = await stripe.customers.listPaymentMethods(customer.id);
    expect(listed.data.map((row) => row.id)).toEqual([method.id]);
    await stripe.paymentMethods.detach(method.id);
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([]);
    const again = await failure(stripe.paymentMethods.attach(method.id, { customer: customer.id }));
    expect(again.message).toContain("may not be used again");
  });

  it.each([
    ["pm_card_visa_chargeDeclined", "card_declined", "generic_decline", "Your card was declined."],
    [
      "pm_card_visa_chargeDeclinedInsufficientFunds",
      "card_declined",
      "insufficient_funds",
      "Your card has insufficient funds.",
    ],
    ["pm_card_chargeDeclinedExpiredCard", "expired_card", "", "Your card has expired."],
    [
      "pm_card_chargeDeclinedIncorrectCvc",
      "incorrect_cvc",
      "",
      "Your card's security code is incorrect.",
    ],
  ])("%s cannot be saved", async (token, code, declineCode, message) => {
    const customer = await stripe.customers.create();
    const error = await failure(stripe.paymentMethods.attach(token, { customer: customer.id }));
    expect(error).toMatchObject({ statusCode: 402, rawType: "card_error", code, message });
    expect(error.decline_code).toBe(declineCode);
    expect((await stripe.paymentMethods.list({ customer: customer.id })).data).toEqual([]);
  });

  it("refuse raw numbers with the secret key", async () => {
    const error = await failure(
      stripe.paymentMethods.create({
        type: "card",
        card: { number: "4242424242424242", exp_month: 1, exp_year: 2040, cvc: "123" },
      }),
    );
    expect(error.message).toContain("credit card numbers directly");
  });
});

describe("the catalogue", () => {
  it("holds the configured prices and takes new ones", async () => {
    const price = await stripe.prices.retrieve(basicPrice, { expand: ["product"] });
    expect(price).toMatchObject({
      unit_amount: 5000,
      currency: "gbp",
      recurring: { interval: "month", interval_count: 1 },
      product: { name: "Basic" },
    });
    expect(String(price.unit_amount_decimal)).toBe("5000");
    const yearly = await stripe.prices.create({
      currency: "gbp",
      unit_amount: 50_000,
      recurring: { interval: "year" },
      product_data: { name: "Yearly" },
      lookup_key: "yearly",
    });
    expect((await stripe.prices.list({ lookup_keys: ["yearly"] })).data[0]?.id).toBe(yearly.id);
    await stripe.prices.update(yearly.id, { active: false });
    const products = await stripe.products.list({ active: true, limit: 100 });
    expect(products.data.map((row) => row.name)).toContain("Yearly");
    const customer = await customerWith(stripe, "pm_card_visa");
    const error = await failure(
      stripe.subscriptions.create({ customer: customer.id, items: [{ price: yearly.id }] }),
    );
    expect(error.message).toContain("inactive");
  });
});
