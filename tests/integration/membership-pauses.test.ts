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
import { endPauseOf, pauseFor, pauseOfferOf } from "../support/pauses.ts";
import { planPriceRequest } from "../support/plan-price-request.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because the provider's clock moves for all customers.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.endMemberships();
});

const pause = async (ada: Payer, months: unknown) => await pauseFor(billing, ada, months);
const resume = async ({ client }: Payer): Promise<FunctionResult> =>
  await billing.call(client, "stripe-resume-membership");
const toPeriodEnd = async () => await billing.advanceClock({ months: 1, hours: 2 });
const paidBy = async (ada: Payer): Promise<(readonly [unknown, unknown])[]> =>
  (await invoicesOf(ada)).map(({ status, amount_paid_pence: paid }) => [status, paid] as const);
const mailsTo = async ({ id }: Payer): Promise<string[]> =>
  (
    await billing.sql<{ template: string }>(
      "select template from private.email_outbox where user_id = $1 order by id",
      [id],
    )
  ).map(({ template }) => template);

describe("a pause", () => {
  it("begins when what is paid for is over, charges nothing, and goes on by itself at the old price", async () => {
    const { ada } = await billing.member(mentorPlan);
    expect(await pause(ada, 1)).toEqual({ status: 200, body: { paused: true } });
    // What is paid for stays open.
    expect(await billing.isMember(ada)).toBe(true);
    expect(await pauseOfferOf(ada)).toMatchObject({
      refusal: "paused",
      pause: { has_begun: false },
    });
    await toPeriodEnd();
    expect(await billing.subscription(ada)).toMatchObject({ status: "paused", hold: "paused" });
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
    expect(await mailsTo(ada)).toContain("pause_begun");
    expect(await mailsTo(ada)).not.toContain("membership_ended");
    // Not before its time.
    await billing.reconcile();
    expect(await billing.isMember(ada)).toBe(false);
    await endPauseOf(billing, ada);
    await billing.reconcile();
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
    expect(await paidBy(ada)).toEqual([
      ["paid", 10_000],
      ["void", 0],
      ["paid", 10_000],
    ]);
    await billing.reconcile();
    await toPeriodEnd();
    expect(await paidBy(ada)).toHaveLength(4);
    const log = `select action, actor from private.audit_log where subject = $1 and action like 'membership.pause%' order by id`;
    expect(await billing.sql(log, [ada.id])).toEqual([
      { action: "membership.pause_planned", actor: ada.id },
      { action: "membership.pause_ended", actor: null },
    ]);
  });

  it("is called off before it begins, without a charge and without counting", async () => {
    const { ada } = await billing.member(studentPlan);
    await pause(ada, 3);
    expect(await resume(ada)).toEqual({ status: 200, body: { resumed: true } });
    expect(await pauseOfferOf(ada)).toMatchObject({
      refusal: null,
      choices: [{ months: 1 }, { months: 2 }, { months: 3 }],
      pause: null,
    });
    await toPeriodEnd();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await paidBy(ada)).toEqual([
      ["paid", 5000],
      ["paid", 5000],
    ]);
  });

  it("ends early at the member's word: a whole period from then on, charged once by two clicks at once", async () => {
    const { ada } = await billing.member(studentPlan);
    await pause(ada, 3);
    await toPeriodEnd();
    await billing.advanceClock({ days: 9 });
    // All have read it as paused before the first one changes it.
    await billing.control("/faults", {
      when: "before",
      action: "delay",
      delayMs: 800,
      method: "POST",
      path: `/v1/subscriptions/${String((await billing.subscription(ada))?.["subscription_id"])}`,
      times: 3,
    });
    const answers = await Promise.all([resume(ada), resume(ada), resume(ada)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await paidBy(ada)).toEqual([
      ["paid", 5000],
      ["void", 0],
      ["paid", 5000],
    ]);
    expect(await resume(ada)).toMatchObject({ status: 200 });
    expect(await paidBy(ada)).toHaveLength(3);
  });

  it("of a year waits for the end of the year, and the next whole year begins when it ends", async () => {
    const admin = await billing.payer();
    await signInWithSecondFactor(admin.client, admin.email);
    await billing.sql("select private.make_admin($1)", [admin.id]);
    const sold = await billing.call(admin.client, "admin-plan-prices", planPriceRequest({}));
    const ada = await billing.memberWith(String(sold.body["price_id"]));
    await billing.advanceClock({ months: 11 });
    await pause(ada, 2);
    expect(await billing.isMember(ada)).toBe(true);
    await toPeriodEnd();
    expect(await billing.isMember(ada)).toBe(false);
    await billing.advanceClock({ months: 2 });
    await endPauseOf(billing, ada);
    await billing.reconcile();
    await billing.deliverWebhooks();
    const after = await billing.subscription(ada);
    const days =
      (Number(after?.["current_period_end"]) - Number(after?.["current_period_start"])) / 86_400;
    expect(Math.round(days)).toBeGreaterThanOrEqual(365);
    expect(await paidBy(ada)).toEqual([
      ["paid", 50_000],
      ["void", 0],
      ["paid", 50_000],
    ]);
  });

  it("keeps the months of a code that are left", async () => {
    const { ada, subscription } = await billing.member(studentPlan);
    const { id: coupon } = await billing.stripe.coupons.create({
      percent_off: 50,
      duration: "repeating",
      duration_in_months: 3,
      name: "Half",
    });
    await billing.stripe.subscriptions.update(subscription, { discounts: [{ coupon }] });
    // At half price for the renewals of months 2 and 3; it would be over before a pause of three months is.
    await toPeriodEnd();
    await pause(ada, 3);
    await toPeriodEnd();
    await billing.advanceClock({ months: 2, days: 20 });
    await resume(ada);
    await toPeriodEnd();
    await toPeriodEnd();
    const paid = (await paidBy(ada)).filter(([status]) => status === "paid").map(([, sum]) => sum);
    expect(paid).toEqual([5000, 2500, 2500, 5000, 5000]);
  });
});

describe("while it is paused", () => {
  const paused = async (card?: string): Promise<{ ada: Payer; subscription: string }> => {
    const ada = await billing.memberWith(studentPlan, card);
    await pause(ada, 1);
    await toPeriodEnd();
    expect(await billing.isMember(ada)).toBe(false);
    return { ada, subscription: String((await billing.subscription(ada))?.["subscription_id"]) };
  };

  it("cancelling ends the membership at once, and the pause with it", async () => {
    const { ada, subscription } = await paused();
    const body = { subscription_id: subscription };
    expect((await billing.call(ada.client, "stripe-cancel-subscription", body)).status).toBe(200);
    await billing.deliverWebhooks();
    expect((await billing.atProvider(ada)).live).toEqual([]);
    await endPauseOf(billing, ada);
    await billing.reconcile();
    expect(await billing.isMember(ada)).toBe(false);
    expect((await billing.pay(ada, studentPlan)).status).toBe(200);
    expect(await billing.isMember(ada)).toBe(true);
  });

  it("no second membership is bought, and no plan changed", async () => {
    const { ada } = await paused();
    expect(await billing.pay(ada, studentPlan)).toMatchObject({
      status: 409,
      body: { code: "membership_paused" },
    });
    const change = { price_id: mentorPlan };
    expect(await billing.call(ada.client, "stripe-preview-plan-change", change)).toMatchObject({
      status: 409,
      body: { code: "membership_paused" },
    });
  });

  it("a card that is refused at the end is told and listed, and another one pays", async () => {
    const { ada } = await paused("pm_card_chargeCustomerFail");
    await endPauseOf(billing, ada);
    await billing.reconcile();
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({ status: "past_due", hold: null });
    expect(await mailsTo(ada)).toContain("payment_failed");
    const owed = "select amount_pence from private.failed_payments where user_id = $1";
    expect(await billing.sql(owed, [ada.id])).toEqual([{ amount_pence: "5000" }]);
    expect(await resume(ada)).toMatchObject({ status: 200 });
    expect(await billing.isMember(ada)).toBe(false);
  });

  it("a failure of the provider itself is tried again, and charged once", async () => {
    const { ada } = await paused();
    await billing.control("/faults", {
      when: "after",
      action: "error",
      status: 500,
      method: "POST",
      path: "/v1/subscriptions/*",
      times: 3,
    });
    await resume(ada);
    await billing.clearFailures();
    await resume(ada);
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect((await paidBy(ada)).filter(([status]) => status === "paid")).toHaveLength(2);
  });
});

describe("a pause made at the card provider", () => {
  it("takes access when what is paid for is over, and gives it back when collection goes on", async () => {
    const { ada, subscription } = await billing.member(studentPlan);
    await billing.stripe.subscriptions.update(subscription, {
      pause_collection: { behavior: "mark_uncollectible" },
    });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await pauseOfferOf(ada)).toMatchObject({ pause: { ends_at: null, has_begun: false } });
    await toPeriodEnd();
    expect(await billing.isMember(ada)).toBe(false);
    await billing.stripe.subscriptions.update(subscription, { pause_collection: "" });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await pauseOfferOf(ada)).toMatchObject({ pause: null });
  });

  it("is found by the reconciliation when its webhooks are lost", async () => {
    const { ada, subscription } = await billing.member(studentPlan);
    await billing.control("/webhooks/pause", {});
    await billing.stripe.subscriptions.update(subscription, {
      pause_collection: { behavior: "void" },
    });
    await billing.call(billing.client(billing.host.serviceRoleKey), "billing-reconcile", {
      everybody: true,
      batch: 1000,
    });
    expect(await pauseOfferOf(ada)).toMatchObject({ refusal: "paused" });
    await billing.control("/webhooks/resume", {});
    await billing.deliverWebhooks();
  });
});
