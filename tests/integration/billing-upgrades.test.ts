import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { mentorPlan, studentPlan, type Payer, type BillingFixture } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because prices change and the reconciliation reads all members.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());

async function student(): Promise<{ ada: Payer; subscription: string; item: string }> {
  const { ada, subscription } = await billing.member(studentPlan);
  const held = await billing.stripe.subscriptions.retrieve(subscription);
  return { ada, subscription, item: held.items.data[0]?.id ?? "" };
}

/** Sells a subscription as staff do in the provider's dashboard. @returns its id. */
async function sellInDashboard(ada: Payer, price: string): Promise<string> {
  const customer = await billing.customerId(ada);
  const method = await billing.stripe.paymentMethods.attach("pm_card_visa", { customer });
  const sold = await billing.stripe.subscriptions.create({
    customer,
    items: [{ price }],
    default_payment_method: method.id,
  });
  await billing.deliverWebhooks();
  return sold.id;
}

const flags = async ({ id }: Payer) =>
  await billing.sql("select reason from private.account_flags where user_id = $1", [id]);

describe("an upgrade sold at the provider", () => {
  it("as another price of the same item gives the role, and nothing is refunded", async () => {
    const { ada, subscription, item } = await student();
    await billing.stripe.subscriptions.update(subscription, {
      items: [{ id: item, price: mentorPlan }],
      proration_behavior: "always_invoice",
    });
    await billing.deliverWebhooks();
    await billing.reconcile();
    expect(await billing.role(ada)).toBe("mentor");
    expect(await billing.atProvider(ada)).toMatchObject({ live: [subscription] });
    expect((await billing.atProvider(ada)).paid.length).toBe(2);
  });

  it("as a second price of the same subscription gives the role, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    await billing.stripe.subscriptionItems.create({ subscription, price: mentorPlan });
    await billing.deliverWebhooks();
    await billing.reconcile();
    expect(await billing.role(ada)).toBe("mentor");
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: mentorPlan,
    });
    expect(await billing.atProvider(ada)).toMatchObject({ live: [subscription], paid: [5000] });
  });

  it("as a second subscription counts; the lesser one ends with credit, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    const sold = await sellInDashboard(ada, mentorPlan);
    expect(await billing.role(ada)).toBe("mentor");
    expect(await billing.subscription(ada)).toMatchObject({ subscription_id: sold });
    expect(await billing.reconcile()).toMatchObject({ replaced: 1, duplicates: 0, failed: 0 });
    await billing.deliverWebhooks();
    const held = await billing.atProvider(ada);
    expect(held.live).toEqual([sold]);
    expect(held.paid.toSorted((a, b) => a - b)).toEqual([5000, 10_000]);
    const customer = await billing.stripe.customers.retrieve(await billing.customerId(ada));
    expect(customer).toMatchObject({ balance: -5000 });
    expect(await billing.role(ada)).toBe("mentor");
    const audit = await billing.sql(
      "select action, detail ->> 'subscription_id' as ended from private.audit_log where subject = $1",
      [ada.id],
    );
    expect(audit).toEqual([{ action: "billing.replaced_ended", ended: subscription }]);
    expect(await billing.reconcile()).toMatchObject({ replaced: 0 });
  });

  it("that is disputed ends no lesser plan until the dispute is won", async () => {
    const { ada, subscription } = await student();
    const sold = await sellInDashboard(ada, mentorPlan);
    const customer = await billing.customerId(ada);
    const { data: charges } = await billing.stripe.charges.list({ customer });
    const charge = charges.find(({ amount }) => amount === 10_000)?.id;
    const dispute = await billing.control("/disputes", { charge, isInquiry: false });
    await billing.deliverWebhooks();
    expect(await billing.reconcile()).toMatchObject({ replaced: 0, duplicates: 0, failed: 0 });
    expect(await billing.subscription(ada)).toMatchObject({
      subscription_id: subscription,
      status: "active",
      hold: null,
    });
    expect((await billing.atProvider(ada)).live.toSorted()).toEqual(
      [subscription, sold].toSorted(),
    );
    await billing.control("/disputes/close", { dispute: dispute["id"], outcome: "won" });
    await billing.deliverWebhooks();
    expect(await billing.reconcile()).toMatchObject({ replaced: 1, failed: 0 });
    expect((await billing.atProvider(ada)).live).toEqual([sold]);
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("of the same plan is flagged once for staff, and nothing is refunded", async () => {
    const { ada, subscription } = await student();
    const sold = await sellInDashboard(ada, studentPlan);
    expect(await billing.reconcile()).toMatchObject({ flagged: 1, duplicates: 0, replaced: 0 });
    expect(await billing.reconcile()).toMatchObject({ flagged: 0, duplicates: 0, replaced: 0 });
    expect(await flags(ada)).toEqual([{ reason: "several_subscriptions" }]);
    const held = await billing.atProvider(ada);
    expect(held.live.toSorted()).toEqual([subscription, sold].toSorted());
    expect(held.paid).toEqual([5000, 5000]);
  });

  it("of something that is no membership makes no member and ends none", async () => {
    const product = await billing.stripe.products.create({ name: "A talk" });
    const price = await billing.stripe.prices.create({
      product: product.id,
      unit_amount: 100,
      currency: "gbp",
      recurring: { interval: "month" },
    });
    const { ada } = await student();
    const talk = await sellInDashboard(ada, price.id);
    expect(await billing.reconcile()).toMatchObject({ duplicates: 0, replaced: 0, flagged: 0 });
    expect((await billing.atProvider(ada)).live).toContain(talk);
    const [before] = (await billing.atProvider(ada)).live.filter((id) => id !== talk);
    expect(await billing.subscription(ada)).toMatchObject({ subscription_id: before });
    await billing.stripe.subscriptions.cancel(before ?? "");
    await billing.deliverWebhooks();
    const member = "select private.has_live_membership($1) as live";
    expect(await billing.sql(member, [ada.id])).toEqual([{ live: false }]);
  });
});

describe("a price that differs from the catalogue", () => {
  it.each([
    ["amount_pence", "1"],
    ["currency", "'EUR'"],
  ])("in its %s is not sold, and the round says so", async (column, value) => {
    const [before] = await billing.sql<Record<string, unknown>>(
      "select * from public.plans where id = 'student-access'",
    );
    await billing.sql(`update public.plans set ${column} = ${value} where id = 'student-access'`);
    const log = vi.spyOn(console, "error").mockReturnValue();
    try {
      const ada = await billing.payer();
      expect(await billing.pay(ada, studentPlan)).toMatchObject({
        status: 503,
        body: {
          code: "price_mismatch",
          error: "This plan cannot be bought at the moment. You have not been charged.",
        },
      });
      expect((await billing.atProvider(ada)).paid).toEqual([]);
      expect(await billing.pay(ada, mentorPlan)).toMatchObject({ status: 200 });
      expect(await billing.reconcile()).toMatchObject({ wrong_prices: 1, failed: 0 });
      expect(log.mock.calls.flat().join("\n")).toMatch(/price_student_access costs 5000 gbp/);
    } finally {
      log.mockRestore();
      await billing.sql(`update public.plans set ${column} = $1 where id = 'student-access'`, [
        before?.[column],
      ]);
    }
    expect(await billing.reconcile()).toMatchObject({ wrong_prices: 0 });
  });

  it("because it was archived or is not there is not sold", async () => {
    const ada = await billing.payer();
    await billing.sql("select private.set_plan_price('student-access', 'price_absent')");
    try {
      expect(await billing.pay(ada, "price_absent")).toMatchObject({
        status: 503,
        body: { code: "price_mismatch" },
      });
      // A paywall that was open has the price before.
      expect(await billing.pay(ada, studentPlan)).toMatchObject({
        status: 409,
        body: { code: "price_changed" },
      });
    } finally {
      await billing.sql("select private.set_plan_price('student-access', $1)", [studentPlan]);
      await billing.sql("delete from private.plan_prices where price_id = 'price_absent'");
    }
  });
});
