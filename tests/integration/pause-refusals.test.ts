import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { endPauseOf, pauseFor, pauseOfferOf } from "../support/pauses.ts";

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
const toPeriodEnd = async () => await billing.advanceClock({ months: 1, hours: 2 });

describe("who may not pause", () => {
  it.each([
    ["a visitor's account", async () => await billing.payer(), 404, "subscription_not_found"],
    [
      "one that is ending",
      async () => {
        const { ada, subscription } = await billing.member(studentPlan);
        const body = { subscription_id: subscription };
        await billing.call(ada.client, "stripe-cancel-subscription", body);
        return ada;
      },
      409,
      "subscription_ending",
    ],
    [
      "one with a planned change",
      async () => {
        const { ada } = await billing.member(mentorPlan);
        const quote = await billing.call(ada.client, "stripe-preview-plan-change", {
          price_id: studentPlan,
        });
        const body = { quote_id: quote.body["quote_id"] };
        await billing.call(ada.client, "stripe-change-plan", body);
        return ada;
      },
      409,
      "plan_change_planned",
    ],
    [
      "one with a payment that failed",
      async () => {
        const ada = await billing.memberWith(studentPlan, "pm_card_chargeCustomerFail");
        await toPeriodEnd();
        return ada;
      },
      409,
      "pause_not_possible",
    ],
    [
      "one whose bank disputes a payment",
      async () => {
        const { ada } = await billing.member(studentPlan);
        const customer = await billing.customerId(ada);
        const { data } = await billing.stripe.charges.list({ customer });
        await billing.control("/disputes", { charge: data[0]?.id });
        await billing.deliverWebhooks();
        return ada;
      },
      409,
      "membership_on_hold",
    ],
    [
      "one that is paused",
      async () => {
        const { ada } = await billing.member(studentPlan);
        await pause(ada, 1);
        return ada;
      },
      409,
      "already_paused",
    ],
  ] as const)("%s", async (_, made, status, code) => {
    const ada = await made();
    expect(await pause(ada, 1)).toMatchObject({ status, body: { code } });
  });

  it.each([0, 4, 1.5, "1", null])("nobody for %s months", async (months) => {
    const { ada } = await billing.member(studentPlan);
    const answer = await billing.call(ada.client, "stripe-pause-membership", { months });
    expect(answer.status).toBe(400);
    expect(await pauseOfferOf(ada)).toMatchObject({ pause: null });
  });

  it("nobody for more than the rule's months in twelve", async () => {
    const { ada } = await billing.member(studentPlan);
    await pause(ada, 2);
    await toPeriodEnd();
    await billing.advanceClock({ months: 2 });
    await endPauseOf(billing, ada);
    await billing.sql(
      "update public.membership_pauses set begins_at = now() - interval '58 days' where months = 2 and ended_at is null",
      [],
    );
    await billing.reconcile();
    expect(await pauseOfferOf(ada)).toMatchObject({ choices: [{ months: 1 }] });
    expect(await pause(ada, 2)).toMatchObject({ status: 409, body: { code: "pause_used_up" } });
    expect((await pause(ada, 1)).status).toBe(200);
  });

  it("nobody in the hour in which a renewal is taken", async () => {
    const { ada } = await billing.member(studentPlan);
    await billing.control("/renewals", { stayDrafts: true });
    const end = Number((await billing.subscription(ada))?.["current_period_end"]);
    const { now } = await billing.control("/clock");
    await billing.advanceClock({ seconds: end - Number(now) + 300 });
    const answer = await pause(ada, 1);
    await billing.control("/renewals", { stayDrafts: false });
    expect(answer).toMatchObject({ status: 409, body: { code: "renewal_in_progress" } });
    expect(await pauseOfferOf(ada)).toMatchObject({ refusal: null, pause: null });
    await billing.advanceClock({ hours: 2 });
    expect(await billing.isMember(ada)).toBe(true);
  });
});
