import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  invoicesOf,
  mentorPlan,
  studentPlan,
  type BillingFixture,
  type FunctionResult,
  type Payer,
} from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because the provider's clock moves for all customers and never back.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => await billing.endMemberships());

const advanceClock = async (step: Record<string, number>) => await billing.advanceClock(step);

const memberWith = async (price: string, card?: string) => await billing.memberWith(price, card);

const call = async (ada: Payer, name: string, body: Record<string, unknown> = {}) =>
  await billing.call(ada.client, name, body);

async function quote(ada: Payer, price: string): Promise<FunctionResult> {
  return await call(ada, "stripe-preview-plan-change", { price_id: price });
}

async function change(ada: Payer, preview: FunctionResult): Promise<FunctionResult> {
  return await call(ada, "stripe-change-plan", { quote_id: preview.body["quote_id"] });
}

const pendingChange = async (ada: Payer) =>
  (await billing.subscription(ada))?.["pending_change_id"];

async function undo(ada: Payer, changeId: unknown): Promise<FunctionResult> {
  return await call(ada, "stripe-cancel-plan-change", { change_id: changeId });
}

function sumOf(lines: unknown, amount: string): number {
  return (lines as Record<string, number>[]).reduce((sum, line) => sum + (line[amount] ?? 0), 0);
}

/** Gives the member's subscription a coupon, as staff do. */
async function grantCoupon(ada: Payer, percent: number): Promise<void> {
  const coupon = await billing.stripe.coupons.create({
    percent_off: percent,
    duration: "repeating",
    duration_in_months: 6,
  });
  const { subscription_id: id } = (await billing.subscription(ada)) ?? {};
  await billing.stripe.subscriptions.update(String(id), { discounts: [{ coupon: coupon.id }] });
}

describe("a change of plan", () => {
  it("up is made at once, for exactly the amount that was shown, once", async () => {
    const ada = await memberWith(studentPlan);
    await advanceClock({ days: 10 });
    const preview = await quote(ada, mentorPlan);
    expect(preview).toMatchObject({
      status: 200,
      body: { kind: "upgrade", currency: "gbp", next_amount: 10_000 },
    });
    // The member reads for an hour of the provider's clock; the amount stays as it was shown.
    await advanceClock({ hours: 1 });
    const answers = await Promise.all([change(ada, preview), change(ada, preview)]);
    const changed = { success: true, requires_action: false, result: "changed" };
    expect(answers.map(({ body }) => body)).toEqual([changed, changed]);
    await billing.deliverWebhooks();
    expect(await billing.role(ada)).toBe("mentor");
    const [first, second, ...others] = await invoicesOf(ada);
    expect(others).toEqual([]);
    expect(first).toMatchObject({ amount_paid_pence: 5000, reason: "subscription_create" });
    expect(second).toMatchObject({
      status: "paid",
      reason: "subscription_update",
      amount_paid_pence: preview.body["due_now"],
    });
    expect(Number(preview.body["due_now"])).toBeGreaterThan(3000);
    expect(Number(preview.body["due_now"])).toBeLessThan(3500);
    await advanceClock({ days: 25 });
    expect((await invoicesOf(ada)).at(-1)).toMatchObject({ amount_paid_pence: 10_000 });
  });

  it("up waits for the bank, can be undone until then, and is made when it agrees", async () => {
    const ada = await memberWith(studentPlan, "pm_card_authenticationRequired");
    const asked = await change(ada, await quote(ada, mentorPlan));
    expect(asked).toMatchObject({ status: 200, body: { success: false, requires_action: true } });
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
      pending_price_id: mentorPlan,
      pending_from: null,
    });
    expect(asked.body["change_id"]).toBe(await pendingChange(ada));
    expect(await undo(ada, asked.body["change_id"])).toMatchObject({ status: 200 });
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: studentPlan,
      pending_price_id: null,
    });
    const again = await change(ada, await quote(ada, mentorPlan));
    await billing.challenge(again.body["client_secret"], "complete");
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: mentorPlan,
      pending_price_id: null,
    });
    expect(await billing.role(ada)).toBe("mentor");
    expect((await invoicesOf(ada)).map((invoice) => String(invoice["status"])).toSorted()).toEqual([
      "paid",
      "paid",
      "void",
    ]);
  });

  it("up with a card that is declined changes and owes nothing", async () => {
    const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
    expect(await change(ada, await quote(ada, mentorPlan))).toMatchObject({
      status: 402,
      body: { success: false, code: "payment_declined", error: "Your card was declined." },
    });
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
      pending_price_id: null,
    });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });

  it("down happens when the period ends, and the role with it", async () => {
    const ada = await memberWith(mentorPlan);
    const preview = await quote(ada, studentPlan);
    const end = (await billing.subscription(ada))?.["current_period_end"];
    expect(preview.body).toMatchObject({
      kind: "downgrade",
      due_now: 0,
      next_amount: 5000,
      next_at: end,
    });
    for (const answer of await Promise.all([change(ada, preview), change(ada, preview)])) {
      expect(answer).toMatchObject({ status: 200, body: { success: true, result: "planned" } });
    }
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: mentorPlan,
      pending_price_id: studentPlan,
      pending_from: end,
    });
    expect(await billing.role(ada)).toBe("mentor");
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
      pending_price_id: null,
    });
    expect(await billing.role(ada)).toBe("student");
    expect((await billing.atProvider(ada)).paid.toSorted((a, b) => a - b)).toEqual([5000, 10_000]);
    // And up again, although the schedule of the change is still there.
    expect(await change(ada, await quote(ada, mentorPlan))).toMatchObject({ status: 200 });
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("up costs what was shown or nothing: a price that differs by then is asked about again", async () => {
    const ada = await memberWith(studentPlan);
    const preview = await quote(ada, mentorPlan);
    await grantCoupon(ada, 50);
    const answers = await Promise.all([change(ada, preview), change(ada, preview)]);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 409, body: { code: "quote_expired" } });
    }
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: studentPlan,
      pending_price_id: null,
    });
    const again = await quote(ada, mentorPlan);
    expect(again.body).toMatchObject({ next_amount: 5000 });
    expect(sumOf(again.body["lines"], "amount")).toBe(again.body["due_now"]);
    expect(again.body["due_now"]).not.toBe(preview.body["due_now"]);
    expect(await change(ada, again)).toMatchObject({ status: 200, body: { result: "changed" } });
    // Both may have been issued in the same second, in either order; the provider tells of the second one.
    await expect.poll(async () => (await invoicesOf(ada)).length).toBe(2);
    const paid = (await invoicesOf(ada)).map((invoice) => invoice["amount_paid_pence"]);
    expect(new Set(paid)).toEqual(new Set([5000, again.body["due_now"]]));
  });

  it("down keeps a coupon, in the preview and in each renewal", async () => {
    const ada = await memberWith(mentorPlan);
    await grantCoupon(ada, 20);
    const preview = await quote(ada, studentPlan);
    expect(preview.body).toMatchObject({ kind: "downgrade", next_amount: 4000 });
    expect(await change(ada, preview)).toMatchObject({ status: 200 });
    // Month by month: into the new phase, and out of the schedule. Months of the calendar would lose the days that a short
    // one has not, and with them a renewal.
    for (let month = 0; month < 3; month += 1) await advanceClock({ days: 32 });
    const invoices = await invoicesOf(ada);
    const paid = invoices.map((invoice) => invoice["amount_paid_pence"]);
    expect(paid).toEqual([10_000, 4000, 4000, 4000]);
    expect(invoices.at(-1)?.["lines"]).toMatchObject([
      { amount_pence: 5000 },
      { description: "Discount", amount_pence: -1000 },
    ]);
  });

  it("is undone by its own name only, so that an older page undoes no newer change", async () => {
    const ada = await memberWith(mentorPlan);
    const planned = async () => {
      await change(ada, await quote(ada, studentPlan));
      return await pendingChange(ada);
    };
    const first = await planned();
    expect(await undo(ada, first)).toMatchObject({ status: 200 });
    const second = await planned();
    const refused = { status: 409, body: { code: "change_not_planned" } };
    expect(await undo(ada, first)).toMatchObject(refused);
    expect(await call(ada, "stripe-cancel-plan-change")).toMatchObject({ status: 400 });
    expect(await pendingChange(ada)).toBe(second);
    expect(await undo(ada, second)).toMatchObject({ status: 200 });
    expect(await undo(ada, second)).toMatchObject(refused);
    expect(await billing.subscription(ada)).toMatchObject({ pending_price_id: null });
  });

  it("down can be undone, and gives way to the end of the membership", async () => {
    const ada = await memberWith(mentorPlan);
    await change(ada, await quote(ada, studentPlan));
    expect(await quote(ada, studentPlan)).toMatchObject({
      status: 409,
      body: { code: "change_pending" },
    });
    expect(await undo(ada, await pendingChange(ada))).toMatchObject({ status: 200 });
    expect(await billing.subscription(ada)).toMatchObject({ pending_price_id: null });
    await change(ada, await quote(ada, studentPlan));
    const { subscription_id: id } = (await billing.subscription(ada)) ?? {};
    expect(await call(ada, "stripe-cancel-subscription", { subscription_id: id })).toMatchObject({
      status: 200,
      body: { plan_change_dropped: true },
    });
    expect(await billing.subscription(ada)).toMatchObject({
      cancel_at_period_end: true,
      pending_price_id: null,
    });
    expect(await quote(ada, studentPlan)).toMatchObject({
      status: 409,
      body: { code: "subscription_ending" },
    });
  });

  it("is refused with a quote of another member, one that is old, and for what is not on sale", async () => {
    const [ada, mallory] = [await memberWith(studentPlan), await memberWith(studentPlan)];
    const theirs = await quote(ada, mentorPlan);
    expect(await change(mallory, theirs)).toMatchObject({
      status: 404,
      body: { code: "quote_not_found" },
    });
    await billing.sql(
      "update private.plan_change_quotes set created_at = created_at - interval '16 minutes' where user_id = $1",
      [ada.id],
    );
    expect(await change(ada, theirs)).toMatchObject({
      status: 409,
      body: { code: "quote_expired" },
    });
    expect(await quote(ada, studentPlan)).toMatchObject({
      status: 409,
      body: { code: "same_plan" },
    });
    expect(await quote(ada, "price_none")).toMatchObject({
      status: 400,
      body: { code: "invalid_price" },
    });
    for (const payer of [ada, mallory]) expect(await billing.role(payer)).toBe("student");
    expect(await quote(await billing.payer(), mentorPlan)).toMatchObject({
      status: 404,
      body: { code: "subscription_not_found" },
    });
  });
});

describe("invoices", () => {
  it("are kept with their card and refunds, whatever order the events come in, or none", async () => {
    const ada = await billing.payer();
    await billing.control("/webhooks/pause", {});
    await billing.pay(ada, mentorPlan);
    const customer = await billing.customerId(ada);
    const [charge] = (await billing.stripe.charges.list({ customer })).data;
    await billing.stripe.refunds.create({ charge: charge?.id ?? "", amount: 2500 });
    await billing.control("/webhooks/reorder", { order: "reverse" });
    await billing.control("/webhooks/resume", {});
    await billing.deliverWebhooks();
    const kept = {
      status: "paid",
      currency: "gbp",
      total_pence: 10_000,
      amount_paid_pence: 10_000,
      amount_refunded_pence: 2500,
      card_brand: "visa",
      card_last4: "4242",
    };
    const invoices = await invoicesOf(ada);
    expect(invoices).toMatchObject([kept]);
    expect(invoices[0]?.["lines"]).toMatchObject([{ amount_pence: 10_000 }]);
    await billing.sql("delete from public.invoices where customer_id = $1", [customer]);
    await billing.reconcile();
    expect(await invoicesOf(ada)).toMatchObject([kept]);
  });

  it("of others are neither listed nor found", async () => {
    const [ada, mallory] = [await memberWith(studentPlan), await memberWith(studentPlan)];
    const [theirs] = await invoicesOf(ada);
    const own = await invoicesOf(mallory);
    expect(own).toHaveLength(1);
    const { data } = await mallory.client
      .from("invoices")
      .select("*")
      .eq("invoice_id", String(theirs?.["invoice_id"]));
    expect(data).toEqual([]);
  });
});
