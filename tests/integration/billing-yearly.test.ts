import { randomUUID } from "node:crypto";
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
import { planPriceRequest } from "../support/plan-price-request.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because the provider's clock moves for all customers and prices change.
let billing: BillingFixture;
let stop: () => Promise<void>;
let admin: Payer;
/** The yearly prices: £500 and £1,000. */
let studentYear: string;
let mentorYear: string;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  studentYear = await sell({});
  mentorYear = await sell({ plan_id: "mentor-access", amount_pence: 100_000 });
});
afterAll(async () => await stop());
afterEach(async () => await billing.endMemberships());

const addPrice = async (body: Record<string, unknown>): Promise<FunctionResult> =>
  await billing.call(admin.client, "admin-plan-prices", body);

async function sell(differs: Record<string, unknown>): Promise<string> {
  const answer = await addPrice(planPriceRequest(differs));
  expect(answer).toMatchObject({ status: 200 });
  return String(answer.body["price_id"]);
}

const quote = async (ada: Payer, price: string): Promise<FunctionResult> =>
  await billing.call(ada.client, "stripe-preview-plan-change", { price_id: price });

const change = async (ada: Payer, preview: FunctionResult): Promise<FunctionResult> =>
  await billing.call(ada.client, "stripe-change-plan", { quote_id: preview.body["quote_id"] });

/** Delivers what is due, and gives the member's invoices, oldest first. */
async function invoices(ada: Payer): Promise<Record<string, unknown>[]> {
  await billing.deliverWebhooks();
  return await invoicesOf(ada);
}

const days = (subscription: Record<string, unknown> | null) =>
  Math.round(
    (Number(subscription?.["current_period_end"]) -
      Number(subscription?.["current_period_start"])) /
      86_400,
  );

describe("a membership paid yearly", () => {
  it("is bought for the year, and renewed after it for the same", async () => {
    const ada = await billing.memberWith(studentYear);
    expect(days(await billing.subscription(ada))).toBeGreaterThanOrEqual(365);
    await billing.advanceClock({ months: 11 });
    expect(await invoices(ada)).toHaveLength(1);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect(await invoices(ada)).toMatchObject([
      { amount_paid_pence: 50_000, reason: "subscription_create" },
      { amount_paid_pence: 50_000, reason: "subscription_cycle" },
    ]);
    expect(await billing.isMember(ada)).toBe(true);
  });

  it("begins at once for who paid monthly, for exactly the amount that was shown", async () => {
    const ada = await billing.memberWith(studentPlan);
    await billing.advanceClock({ days: 10 });
    const preview = await quote(ada, studentYear);
    expect(preview.body).toMatchObject({ kind: "upgrade", next_amount: 50_000 });
    const due = Number(preview.body["due_now"]);
    // A year less two thirds of a month.
    expect(due).toBeGreaterThan(46_000);
    expect(due).toBeLessThan(47_000);
    await billing.advanceClock({ hours: 1 });
    expect((await change(ada, preview)).body).toMatchObject({ result: "changed" });
    const [, second, ...others] = await invoices(ada);
    expect(others).toEqual([]);
    expect(second).toMatchObject({ status: "paid", amount_paid_pence: due });
    const after = await billing.subscription(ada);
    expect(after).toMatchObject({ price_id: studentYear, status: "active" });
    expect(days(after)).toBeGreaterThanOrEqual(365);
    await billing.advanceClock({ months: 12, hours: 2 });
    expect(await invoices(ada)).toMatchObject([{}, {}, { amount_paid_pence: 50_000 }]);
  });

  it("waits for the bank where it asks, and changes nothing when the card is refused", async () => {
    const ada = await billing.memberWith(studentPlan, "pm_card_visa");
    const { stripe } = billing;
    const customer = await billing.customerId(ada);
    const before = await billing.subscription(ada);
    const useCard = async (card: string) => {
      const method = await stripe.paymentMethods.attach(card, { customer });
      const id = String(before?.["subscription_id"]);
      await stripe.subscriptions.update(id, { default_payment_method: method.id });
    };
    await useCard("pm_card_chargeCustomerFail");
    expect(await change(ada, await quote(ada, studentYear))).toMatchObject({
      status: 402,
      body: { code: "payment_declined" },
    });
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: studentPlan,
      current_period_end: before?.["current_period_end"],
      pending_price_id: null,
    });
    await useCard("pm_card_authenticationRequired");
    const asked = await change(ada, await quote(ada, studentYear));
    expect(asked.body).toMatchObject({ requires_action: true });
    expect(await billing.subscription(ada)).toMatchObject({
      price_id: studentPlan,
      pending_price_id: studentYear,
    });
    await billing.challenge(asked.body["client_secret"], "complete");
    await billing.deliverWebhooks();
    const after = await billing.subscription(ada);
    expect(after).toMatchObject({ price_id: studentYear, pending_price_id: null });
    expect(days(after)).toBeGreaterThanOrEqual(365);
  });

  it.each([
    ["to months of the same plan", () => studentYear, () => studentPlan, 5000],
    ["to months of the dearer plan", () => studentYear, () => mentorPlan, 10_000],
    ["to years of the cheaper plan", () => mentorYear, () => studentYear, 50_000],
    [
      "from months of the dearer plan to years of the cheaper",
      () => mentorPlan,
      () => studentYear,
      50_000,
    ],
  ])(
    "changes when its time is over %s, for the amount that was shown",
    async (_, from, to, amount) => {
      const ada = await billing.memberWith(from());
      await billing.advanceClock({ days: 3 });
      const before = await billing.subscription(ada);
      const preview = await quote(ada, to());
      expect(preview.body).toMatchObject({
        kind: "downgrade",
        due_now: 0,
        next_amount: amount,
        next_at: before?.["current_period_end"],
      });
      expect((await change(ada, preview)).body).toMatchObject({ result: "planned" });
      expect(await billing.subscription(ada)).toMatchObject({
        price_id: from(),
        pending_price_id: to(),
        pending_from: before?.["current_period_end"],
      });
      expect(await invoices(ada)).toHaveLength(1);
      await billing.advanceClock({ months: from() === mentorPlan ? 1 : 12, hours: 2 });
      expect(await invoices(ada)).toMatchObject([{}, { amount_paid_pence: amount }]);
      expect(await billing.subscription(ada)).toMatchObject({
        price_id: to(),
        pending_price_id: null,
      });
      // And once more, at the rhythm it has now.
      await billing.advanceClock({ months: to() === studentYear ? 12 : 1, hours: 2 });
      expect((await invoices(ada)).at(2)).toMatchObject({ amount_paid_pence: amount });
    },
  );

  it("changes to a dearer plan at once within its year, prorated by the day", async () => {
    const ada = await billing.memberWith(studentYear);
    await billing.advanceClock({ days: 73 });
    const before = await billing.subscription(ada);
    const preview = await quote(ada, mentorYear);
    expect(preview.body).toMatchObject({ kind: "upgrade", next_amount: 100_000 });
    expect(Math.abs(Number(preview.body["due_now"]) - 40_000)).toBeLessThan(150);
    expect((await change(ada, preview)).body).toMatchObject({ result: "changed" });
    expect((await invoices(ada)).at(-1)).toMatchObject({
      amount_paid_pence: preview.body["due_now"],
    });
    expect(await billing.role(ada)).toBe("mentor");
    expect(await billing.subscription(ada)).toMatchObject({
      current_period_end: before?.["current_period_end"],
    });
  });

  it("says the amount without a discount that is over by then", async () => {
    const ada = await billing.memberWith(studentPlan);
    const coupon = await billing.stripe.coupons.create({
      percent_off: 50,
      duration: "repeating",
      duration_in_months: 6,
    });
    const { subscription_id: id } = (await billing.subscription(ada)) ?? {};
    await billing.stripe.subscriptions.update(String(id), { discounts: [{ coupon: coupon.id }] });
    const preview = await quote(ada, studentYear);
    expect(preview.body).toMatchObject({ kind: "upgrade", next_amount: 50_000 });
    expect((await change(ada, preview)).body).toMatchObject({ result: "changed" });
    // Both may be of the same second.
    expect((await invoices(ada)).map((each) => each["amount_paid_pence"])).toContain(
      preview.body["due_now"],
    );
    const back = await quote(ada, studentPlan);
    expect(back.body).toMatchObject({ kind: "downgrade", next_amount: 5000 });
    await change(ada, back);
    await billing.advanceClock({ months: 12, hours: 2 });
    expect((await invoices(ada)).at(-1)).toMatchObject({ amount_paid_pence: 5000 });
  });
});

describe("withdrawing within 14 days", () => {
  it.each([
    ["in the second of joining", 0],
    ["an hour after it", 3600],
  ])(
    "gives back what is left of a year begun %s, also of the month that went into it",
    async (_when, gapS) => {
      await billing.sql(
        "insert into public.billing_rules (withdrawal_refund) values ('proportion') on conflict (id) do update set withdrawal_refund = excluded.withdrawal_refund",
      );
      const ada = await billing.memberWith(studentPlan);
      await change(ada, await quote(ada, studentYear));
      await billing.deliverWebhooks();
      const right = async () =>
        Number((await ada.client.rpc("my_withdrawal_right")).data?.[0]?.["amount_pence"]);
      // The days are counted by the database, which has no clock of its own to move.
      const age = async (days: number) =>
        await billing.sql(
          `update private.billing_charges c set period_start = c.period_start - $2::integer * 86400, period_end = c.period_end - $2::integer * 86400
         from public.stripe_customers k where k.customer_id = c.customer_id and k.user_id = $1`,
          [ada.id, days],
        );
      const offset = (
        await billing.sql<{ days: number }>(
          `select floor((max(c.period_start) - extract(epoch from now())) / 86400)::integer as days
       from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id where k.user_id = $1`,
          [ada.id],
        )
      )[0]?.days;
      await age(Number(offset) + 1);
      await billing.sql(
        `with own as (
         select c.charge_id, c.period_end, max(c.period_start) over () as began, max(c.period_end) over () as ends
         from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id where k.user_id = $1
       )
       update private.billing_charges c set period_start = own.began - $2::integer
       from own where own.charge_id = c.charge_id and own.period_end < own.ends`,
        [ada.id, gapS],
      );
      const first = await right();
      expect(first).toBe(50_000);
      await age(10);
      const length = days(await billing.subscription(ada));
      expect(
        Math.abs((await right()) - (50_000 - Math.round((50_000 * 10) / length))),
      ).toBeLessThanOrEqual(2);
    },
  );
});

describe("a new price", () => {
  it("is made once, however often it is asked for", async () => {
    const body = planPriceRequest({
      plan_id: "mentor-access",
      interval: "month",
      amount_pence: 12_000,
    });
    const answers = await Promise.all([addPrice(body), addPrice(body)]);
    const again = await addPrice(body);
    const ids = new Set([...answers, again].map(({ body: made }) => made["price_id"]));
    expect(ids.size).toBe(1);
    const [price] = ids;
    expect(await billing.stripe.prices.retrieve(String(price))).toMatchObject({
      unit_amount: 12_000,
      currency: "gbp",
      recurring: { interval: "month" },
      tax_behavior: "inclusive",
    });
    expect(await addPrice(planPriceRequest({ ...body, request_id: randomUUID() }))).toMatchObject({
      status: 409,
      body: { code: "same_price" },
    });
    const log =
      "select count(*)::int as n from private.audit_log where action = 'plan_price.created' and detail -> 'after' ->> 'price_id' = $1";
    expect(await billing.sql(log, [price])).toEqual([{ n: 1 }]);
    await sell({ plan_id: "mentor-access", interval: "month", amount_pence: 10_000 });
  });

  it("is what the next member pays, and who has the one before keeps it with role and renewals", async () => {
    const ada = await billing.memberWith(studentPlan);
    const dearer = await sell({ interval: "month", amount_pence: 6000 });
    const refused = await billing.pay(await billing.payer(), studentPlan);
    const message = expect.stringContaining("The price has changed") as string;
    expect(refused).toMatchObject({ status: 409, body: { code: "price_changed", error: message } });
    const bob = await billing.memberWith(dearer);
    // Every start names the environment's price again.
    await billing.sql("select private.set_plan_price('student-access', $1)", [studentPlan]);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect(await invoices(ada)).toMatchObject([{}, { amount_paid_pence: 5000 }]);
    expect(await invoices(bob)).toMatchObject([{}, { amount_paid_pence: 6000 }]);
    expect(await billing.isMember(ada)).toBe(true);
    await billing.reconcile();
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
    });
    const own = await ada.client.rpc("my_plan_price");
    expect(own.data).toMatchObject([{ price_id: studentPlan, amount_pence: 5000 }]);
  });

  it("that went off sale without another one is told apart from a new price", async () => {
    const price = await sell({ plan_id: "mentor-access", interval: "year", amount_pence: 90_000 });
    await billing.sql(
      "update public.plans set yearly_price_id = null, yearly_amount_pence = null where id = 'mentor-access'",
    );
    const error = expect.stringContaining("This plan is no longer on sale") as string;
    expect(await billing.pay(await billing.payer(), price)).toMatchObject({
      status: 409,
      body: { code: "price_changed", error },
    });
  });

  it.each([
    ["of no plan", { plan_id: "gold" }, 400, "invalid_plan"],
    ["of nothing", { amount_pence: 0 }, 400, "invalid_request"],
    ["of half a penny", { amount_pence: 100.5 }, 400, "invalid_request"],
    ["by the week", { interval: "week" }, 400, "invalid_request"],
    ["without a reason", { reason: " " }, 400, "invalid_request"],
  ])("%s is refused", async (_, differs, status, code) => {
    expect(await addPrice(planPriceRequest(differs))).toMatchObject({ status, body: { code } });
  });
});
