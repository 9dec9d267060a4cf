import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { startTestProduct } from "../support/backend-setup.ts";
import { Counter, MENTOR, STUDENT, type Payer } from "../support/billing.ts";

// A product of its own: prices are changed, and rounds look at everybody.
let counter: Counter;
let stop: () => Promise<void>;
beforeAll(async () => {
  const product = await startTestProduct();
  counter = new Counter(product.running, product.sandbox);
  stop = product.stop;
});
afterAll(async () => {
  await counter.close();
  await stop();
});

async function student(): Promise<{ ada: Payer; subscription: string; item: string }> {
  const ada = await counter.payer();
  await counter.pay(ada, STUDENT);
  await counter.settle();
  const subscription = String((await counter.subscription(ada))?.["subscription_id"]);
  const held = await counter.stripe.subscriptions.retrieve(subscription);
  return { ada, subscription, item: held.items.data[0]?.id ?? "" };
}

/** A subscription as staff sells it in the provider's dashboard. */
async function sellByHand(ada: Payer, price: string): Promise<string> {
  const customer = await counter.customerId(ada);
  const method = await counter.stripe.paymentMethods.attach("pm_card_visa", { customer });
  const sold = await counter.stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: method.id,
  });
  await counter.settle();
  return sold.id;
}

const flags = async ({ id }: Payer) =>
  await counter.sql("select reason from private.account_flags where user_id = $1", [id]);

describe("an upgrade sold at the provider", () => {
  it("as another price of the same item gives the role, and nothing is refunded", async () => {
    const { ada, subscription, item } = await student();
    await counter.stripe.subscriptions.update(subscription, {
      items: [{ id: item, price: MENTOR }],
      proration_behavior: "always_invoice",
    });
    await counter.settle();
    await counter.reconcile();
    expect(await counter.role(ada)).toBe("mentor");
    expect(await counter.atProvider(ada)).toMatchObject({ live: [subscription] });
    expect((await counter.atProvider(ada)).paid.length).toBe(2);
  });

  it("as a second price of the same subscription gives the role, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    await counter.stripe.subscriptionItems.create({ subscription, price: MENTOR });
    await counter.settle();
    await counter.reconcile();
    expect(await counter.role(ada)).toBe("mentor");
    expect(await counter.subscription(ada)).toMatchObject({ status: "active", price_id: MENTOR });
    expect(await counter.atProvider(ada)).toMatchObject({ live: [subscription], paid: [5000] });
  });

  it("as a second subscription counts; the lesser one ends with credit, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    const sold = await sellByHand(ada, MENTOR);
    expect(await counter.role(ada)).toBe("mentor");
    expect(await counter.subscription(ada)).toMatchObject({ subscription_id: sold });
    expect(await counter.reconcile()).toMatchObject({ replaced: 1, duplicates: 0, failed: 0 });
    await counter.settle();
    const held = await counter.atProvider(ada);
    expect(held.live).toEqual([sold]);
    expect(held.paid.toSorted((a, b) => a - b)).toEqual([5000, 10_000]);
    const customer = await counter.stripe.customers.retrieve(await counter.customerId(ada));
    expect(customer).toMatchObject({ balance: -5000 });
    expect(await counter.role(ada)).toBe("mentor");
    const audit = await counter.sql(
      "select action, detail ->> 'subscription_id' as ended from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(audit).toEqual([{ action: "billing.replaced_ended", ended: subscription }]);
    expect(await counter.reconcile()).toMatchObject({ replaced: 0 });
  });

  it("that is disputed ends no lesser plan until the dispute is won", async () => {
    const { ada, subscription } = await student();
    const sold = await sellByHand(ada, MENTOR);
    const customer = await counter.customerId(ada);
    const { data: charges } = await counter.stripe.charges.list({ customer });
    const charge = charges.find(({ amount }) => amount === 10_000)?.id;
    const dispute = await counter.control("/disputes", { charge, isInquiry: false });
    await counter.settle();
    expect(await counter.reconcile()).toMatchObject({ replaced: 0, duplicates: 0, failed: 0 });
    expect(await counter.subscription(ada)).toMatchObject({
      subscription_id: subscription,
      status: "active",
      hold: null,
    });
    expect((await counter.atProvider(ada)).live.toSorted()).toEqual(
      [subscription, sold].toSorted(),
    );
    await counter.control("/disputes/close", { dispute: dispute["id"], outcome: "won" });
    await counter.settle();
    expect(await counter.reconcile()).toMatchObject({ replaced: 1, failed: 0 });
    expect((await counter.atProvider(ada)).live).toEqual([sold]);
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("of the plan one has is left for a person, once, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    const sold = await sellByHand(ada, STUDENT);
    expect(await counter.reconcile()).toMatchObject({ flagged: 1, duplicates: 0, replaced: 0 });
    expect(await counter.reconcile()).toMatchObject({ flagged: 0, duplicates: 0, replaced: 0 });
    expect(await flags(ada)).toEqual([{ reason: "several_subscriptions" }]);
    const held = await counter.atProvider(ada);
    expect(held.live.toSorted()).toEqual([subscription, sold].toSorted());
    expect(held.paid).toEqual([5000, 5000]);
  });

  it("of something that is no membership makes no member and ends none", async () => {
    const product = await counter.stripe.products.create({ name: "A talk" });
    const price = await counter.stripe.prices.create({
      product: product.id,
      unit_amount: 100,
      currency: "gbp",
      recurring: { interval: "month" },
    });
    const { ada } = await student();
    const talk = await sellByHand(ada, price.id);
    expect(await counter.reconcile()).toMatchObject({ duplicates: 0, replaced: 0, flagged: 0 });
    expect((await counter.atProvider(ada)).live).toContain(talk);
    const [before] = (await counter.atProvider(ada)).live.filter((id) => id !== talk);
    expect(await counter.subscription(ada)).toMatchObject({ subscription_id: before });
    await counter.stripe.subscriptions.cancel(before ?? "");
    await counter.settle();
    const member = "select private.has_live_membership($1) as live";
    expect(await counter.sql(member, [ada.id])).toEqual([{ live: false }]);
  });
});

describe("a price that differs from the catalogue", () => {
  it.each([
    ["amount_pence", "1"],
    ["currency", "'EUR'"],
  ])("in its %s is not sold, and the round says so", async (column, value) => {
    const [before] = await counter.sql<Record<string, unknown>>(
      "select * from public.plans where id = 'student-access'",
    );
    await counter.sql(`update public.plans set ${column} = ${value} where id = 'student-access'`);
    const log = vi.spyOn(console, "error").mockReturnValue();
    try {
      const ada = await counter.payer();
      expect(await counter.pay(ada, STUDENT)).toMatchObject({
        status: 503,
        body: {
          code: "price_mismatch",
          error: "This plan cannot be bought at the moment. You have not been charged.",
        },
      });
      expect((await counter.atProvider(ada)).paid).toEqual([]);
      expect(await counter.pay(ada, MENTOR)).toMatchObject({ status: 200 });
      expect(await counter.reconcile()).toMatchObject({ wrong_prices: 1, failed: 0 });
      expect(log.mock.calls.flat().join("\n")).toMatch(/price_student_access costs 5000 gbp/);
    } finally {
      log.mockRestore();
      await counter.sql(`update public.plans set ${column} = $1 where id = 'student-access'`, [
        before?.[column],
      ]);
    }
    expect(await counter.reconcile()).toMatchObject({ wrong_prices: 0 });
  });

  it("because it was archived or is not there is not sold", async () => {
    const ada = await counter.payer();
    await counter.sql("select private.set_plan_price('student-access', 'price_absent')");
    try {
      expect(await counter.pay(ada, "price_absent")).toMatchObject({
        status: 503,
        body: { code: "price_mismatch" },
      });
    } finally {
      await counter.sql("select private.set_plan_price('student-access', $1)", [STUDENT]);
      await counter.sql("delete from private.plan_prices where price_id = 'price_absent'");
    }
  });
});
