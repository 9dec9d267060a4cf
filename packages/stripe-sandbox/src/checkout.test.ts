import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import type { Sandbox } from "./main.ts";
import { openCheckout, visitCheckout } from "./testing/checkout.ts";
import { basicPrice, client, failure, openFixture } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;
beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

const charges = () => sandbox.control.charges().map(({ amount, status }) => [amount, status]);

describe("a checkout session", () => {
  it("is paid on its page with a test card, once, and leads back", async () => {
    const { id, url, amount_total: total } = await openCheckout(stripe);
    expect([url?.endsWith(`/checkout/${id}`), total]).toEqual([true, 3000]);
    const page = await visitCheckout(sandbox, id);
    expect(await page.text()).toMatch(/2 × Book, £30.00.*Pay £30.00/s);
    const declined = await visitCheckout(sandbox, id, "pm_card_visa_chargeDeclined");
    expect([declined.status, await declined.text()]).toEqual([
      402,
      expect.stringContaining("Your card was declined."),
    ]);
    const paid = await visitCheckout(sandbox, id, "pm_card_visa");
    expect([paid.status, paid.headers.get("location")]).toEqual([
      303,
      `https://shop.example/done?session=${id}`,
    ]);
    expect(await stripe.checkout.sessions.retrieve(id)).toMatchObject({
      status: "complete",
      payment_status: "paid",
      payment_intent: expect.stringMatching(/^pi_/),
      url: null,
    });
    expect((await visitCheckout(sandbox, id, "pm_card_visa")).status).toBe(404);
    expect(charges().filter(([, status]) => status === "succeeded")).toEqual([[3000, "succeeded"]]);
  });

  it("sells a subscription to a customer who is made for it", async () => {
    const { id } = await openCheckout(stripe, {
      mode: "subscription",
      customer_email: "ada@example.org",
      line_items: [{ price: basicPrice, quantity: 1 }],
    });
    await visitCheckout(sandbox, id, "pm_card_visa");
    const done = await stripe.checkout.sessions.retrieve(id, {
      expand: ["subscription", "customer"],
    });
    expect(done.subscription).toMatchObject({ status: "active" });
    expect(done.customer).toMatchObject({ email: "ada@example.org" });
  });

  it("expires after a day, or when it is told to", async () => {
    const [first, second] = [await openCheckout(stripe), await openCheckout(stripe)];
    await stripe.checkout.sessions.expire(first.id);
    expect((await visitCheckout(sandbox, first.id)).status).toBe(404);
    await sandbox.control.advance({ days: 1, seconds: 1 });
    const list = async (status: "expired" | "open") =>
      (await stripe.checkout.sessions.list({ status })).data.map(({ id }) => id);
    expect(await list("open")).toEqual([]);
    expect(new Set(await list("expired"))).toEqual(new Set([first.id, second.id]));
  });

  it("refuses an address that is none, and prices of the other mode", async () => {
    const wrong = openCheckout(stripe, { success_url: "javascript:alert(1)" });
    expect((await failure(wrong)).param).toBe("success_url");
    const recurring = openCheckout(stripe, { line_items: [{ price: basicPrice, quantity: 1 }] });
    expect((await failure(recurring)).param).toBe("line_items");
    expect((await failure(openCheckout(stripe, { mode: "subscription" }))).code).toBeUndefined();
  });

  it("shows names as text, and takes no card but those it offers", async () => {
    const { id } = await openCheckout(stripe, {
      line_items: [
        {
          price_data: { currency: "gbp", product_data: { name: "<script>" }, unit_amount: 100 },
          quantity: 1,
        },
      ],
    });
    const text = await (await visitCheckout(sandbox, id)).text();
    expect(text).not.toContain("<script>");
    expect((await visitCheckout(sandbox, id, "pm_card_other")).status).toBe(400);
    expect(charges()).toEqual([]);
  });
});

it("the page for customers has an address for a customer, and for no other", async () => {
  const { id: customer } = await stripe.customers.create();
  const session = await stripe.billingPortal.sessions.create({ customer });
  expect(session.url).toMatch(/\/portal\/\w{40}$/);
  const unknown = stripe.billingPortal.sessions.create({ customer: "cus_none" });
  expect((await failure(unknown)).code).toBe("resource_missing");
});
