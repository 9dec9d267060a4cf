import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type Stripe from "stripe";
import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { isLong } from "../support/long-form.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";
import { timeLimitMs } from "../support/time-limits.ts";

// A product of its own, because webhooks are paused, the clock moves and a table is made to refuse rows.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());

const call = async (ada: Payer, name: string, body: Record<string, unknown> = {}) =>
  await billing.call(ada.client, name, body);

const subscriptionId = async (ada: Payer) =>
  String((await billing.subscription(ada))?.["subscription_id"]);

const done = "Subscription will be canceled at the end of your current billing period";

/** A mentor who switches to the student plan when the period ends. */
async function mentorWhoSwitchesDown(): Promise<Payer> {
  const ada = await billing.memberWith(mentorPlan);
  const { body } = await call(ada, "stripe-preview-plan-change", { price_id: studentPlan });
  await call(ada, "stripe-change-plan", { quote_id: body["quote_id"] });
  await billing.deliverWebhooks();
  expect(await billing.subscription(ada)).toMatchObject({ pending_price_id: studentPlan });
  return ada;
}

describe("a cancellation while a change of plan is planned", () => {
  // Without webhooks only the function itself can bring the tables up to date.
  it.each([
    [
      "before",
      {
        status: 502,
        body: {
          code: "provider_unavailable",
          error: "Failed to cancel subscription. Your planned change of plan was undone.",
        },
      },
      false,
    ],
    ["after", { status: 200, body: { message: done, plan_change_dropped: true } }, true],
  ])(
    "that fails %s it is made leaves the truth in the tables and says it",
    async (when, answer, ends) => {
      const ada = await mentorWhoSwitchesDown();
      const id = await subscriptionId(ada);
      await billing.control("/webhooks/pause", {});
      const path = `/v1/subscriptions/${id}`;
      const fault = { method: "POST", path, when, action: "error", shouldRetry: false, times: 9 };
      await billing.control("/faults", fault);
      expect(await call(ada, "stripe-cancel-subscription", { subscription_id: id })).toEqual(
        answer,
      );
      await billing.clearFailures();
      const held = await billing.stripe.subscriptions.retrieve(id);
      expect(held).toMatchObject({ schedule: null, cancel_at_period_end: ends });
      expect(await billing.subscription(ada)).toMatchObject({
        pending_price_id: null,
        pending_change_id: null,
        cancel_at_period_end: ends,
      });
      await billing.control("/webhooks/resume", {});
    },
  );
});

describe("a cancellation after a planned change of plan", () => {
  it.each([true, false])(
    "ends the membership when the provider shows the end of a phase as an end (%s)",
    async (setCancelAt) => {
      await billing.control("/schedules", { setCancelAt });
      const ada = await mentorWhoSwitchesDown();
      const id = await subscriptionId(ada);
      expect(await billing.subscription(ada)).toMatchObject({ cancel_at_period_end: false });
      expect(await call(ada, "stripe-cancel-subscription", { subscription_id: id })).toEqual({
        status: 200,
        body: { message: done, plan_change_dropped: true },
      });
      await billing.deliverWebhooks();
      expect(await billing.subscription(ada)).toMatchObject({
        cancel_at_period_end: true,
        pending_price_id: null,
      });
      await billing.advanceClock({ days: 32 });
      expect(await billing.isMember(ada)).toBe(false);
      expect((await billing.atProvider(ada)).paid).toEqual([10_000]);
      await billing.control("/schedules", { setCancelAt: false });
    },
  );
});

it(
  "a cancellation beside a change of plan leaves one state, whichever is first",
  { timeout: timeLimitMs(isLong ? 900 : 60) },
  async () => {
    for (let race = 0; race < (isLong ? 200 : 8); race += 1) {
      const ada = await billing.memberWith(mentorPlan);
      const id = await subscriptionId(ada);
      const { body } = await call(ada, "stripe-preview-plan-change", { price_id: studentPlan });
      const quote = { quote_id: body["quote_id"] };
      const [changed, cancelled] = await Promise.all([
        call(ada, "stripe-change-plan", quote),
        call(ada, "stripe-cancel-subscription", { subscription_id: id }),
      ]);
      expect([200, 409]).toContain(changed.status);
      expect(cancelled.status).toBe(200);
      await billing.deliverWebhooks();
      const held = await billing.stripe.subscriptions.retrieve(id);
      expect(held).toMatchObject({ schedule: null, cancel_at_period_end: true });
      expect(await billing.subscription(ada)).toMatchObject({
        cancel_at_period_end: true,
        pending_price_id: null,
      });
    }
  },
);

// A cancellation releases the schedule first and ends the subscription with a second call; between the two lies this.
it.each([
  ["has been made", "/v1/subscription_schedules", 1],
  ["has its phases", "/v1/subscription_schedules/*", 2],
])("a schedule released when it %s is a change that was undone", async (_moment, path, phases) => {
  const ada = await billing.memberWith(mentorPlan);
  const id = await subscriptionId(ada);
  const { body } = await call(ada, "stripe-preview-plan-change", { price_id: studentPlan });
  const fault = { method: "POST", path, when: "after", action: "delay", delayMs: 600_000 };
  await billing.control("/faults", fault);
  const changed = call(ada, "stripe-change-plan", { quote_id: body["quote_id"] });
  const schedules = billing.stripe.subscriptionSchedules;
  let schedule = "";
  await vi.waitFor(async () => {
    const held = await billing.stripe.subscriptions.retrieve(id);
    schedule = typeof held.schedule === "string" ? held.schedule : "";
    expect((await schedules.retrieve(schedule)).phases).toHaveLength(phases);
  }, timeLimitMs(30));
  await schedules.release(schedule);
  await billing.clearFailures();
  expect(await changed).toMatchObject({ status: 409, body: { code: "quote_expired" } });
  expect(await billing.subscription(ada)).toMatchObject({
    cancel_at_period_end: false,
    pending_price_id: null,
  });
});

describe("the reason of a cancellation", () => {
  it("is optional, kept, and given to the provider", async () => {
    const ada = await billing.memberWith(studentPlan);
    const { subscription_id: id } = (await billing.subscription(ada)) ?? {};
    const cancel = async (more: object) =>
      await call(ada, "stripe-cancel-subscription", { subscription_id: id, ...more });
    expect(await cancel({ reason: "boredom" })).toMatchObject({ status: 400 });
    expect(await cancel({ comment: "x".repeat(501) })).toMatchObject({ status: 400 });
    const why = { reason: "too_expensive", comment: "  Saving for a house. " };
    for (let time = 0; time < 2; time += 1)
      expect(await cancel(why)).toMatchObject({ status: 200 });
    const held: Stripe.Subscription = await billing.stripe.subscriptions.retrieve(String(id));
    expect(held.cancellation_details).toMatchObject({
      feedback: "too_expensive",
      comment: "Saving for a house.",
    });
    const rows = await billing.sql(
      "select reason, comment from private.cancellation_reasons where user_id = $1",
      [ada.id],
    );
    expect(rows).toEqual([{ reason: "too_expensive", comment: "Saving for a house." }]);
  });

  it("that cannot be kept does not make a cancellation look refused", async () => {
    const ada = await billing.memberWith(studentPlan);
    const subscription_id = await subscriptionId(ada);
    const table = "alter table private.cancellation_reasons";
    await billing.sql(`${table} add constraint full_disk check (false) not valid`);
    const answer = await call(ada, "stripe-cancel-subscription", {
      subscription_id,
      reason: "unused",
    });
    await billing.sql(`${table} drop constraint full_disk`);
    expect(answer).toEqual({ status: 200, body: { message: done } });
    expect(await billing.subscription(ada)).toMatchObject({ cancel_at_period_end: true });
  });
});

async function verifiedAdmin(): Promise<Payer> {
  const admin = await billing.payer();
  await enrollSecondFactor(admin.client);
  await billing.sql("select private.make_admin($1)", [admin.id]);
  return admin;
}

describe("the renewal of a suspended member", () => {
  it("is stopped by an administrator, who says why, and the last period is the last payment", async () => {
    const [admin, ada] = [await verifiedAdmin(), await billing.memberWith(studentPlan)];
    const suspend = { member: ada.id, reason: "Spam" };
    expect((await admin.client.rpc("suspend_member", suspend)).error).toBeNull();
    const stopIt = { member_id: ada.id, reason: "Suspended until it is lifted" };
    const answer = await billing.call(admin.client, "admin-stop-renewal", stopIt);
    expect(answer).toEqual({ status: 200, body: { changed: true } });
    expect(await billing.call(admin.client, "admin-stop-renewal", stopIt)).toEqual({
      status: 200,
      body: { changed: false },
    });
    const [entry] = await billing.sql(
      "select actor, detail from private.audit_log where action = $1 and subject = $2",
      ["account.renewal_stopped", ada.id],
    );
    expect(entry).toMatchObject({
      actor: admin.id,
      detail: {
        reason: "Suspended until it is lifted",
        before: { renews: true },
        after: { renews: false },
      },
    });
    // The member's own session is over, so it cannot cancel or go on.
    const own = await billing.call(ada.client, "stripe-uncancel-subscription", {
      subscription_id: "sub_any",
    });
    expect(own.status).toBe(401);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [5000], live: [] });
    expect(await billing.call(admin.client, "admin-stop-renewal", stopIt)).toMatchObject({
      status: 409,
      body: { code: "FF520" },
    });
    for (const [body, status] of [
      [{ member_id: randomUUID(), reason: "Spam" }, 404],
      [{ member_id: ada.id, reason: " " }, 400],
      [{ member_id: "nobody", reason: "Spam" }, 400],
      [{ member_id: admin.id, reason: "Spam" }, 409],
    ] as const) {
      expect((await billing.call(admin.client, "admin-stop-renewal", body)).status).toBe(status);
    }
  });
});

describe("a complimentary membership", () => {
  it("gives a member access without a payment until the reconciliation ends it", async () => {
    const [admin, ada] = [await verifiedAdmin(), await billing.payer()];
    const { error } = await admin.client.rpc("admin_grant_complimentary", {
      member_email: ada.email.toUpperCase(),
      plan: "mentor-access",
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
      reason: "Guest speaker",
    });
    expect(error).toBeNull();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
    await billing.sql(
      "update public.complimentary_memberships set ends_at = now() where user_id = $1",
      [ada.id],
    );
    await billing.reconcile();
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
  });
});
