import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  invoicesOf,
  mentorPlan,
  studentPlan,
  type BillingFixture,
  type Payer,
} from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";

// A product of its own, because these tests move the clock.
let billing: BillingFixture;
let stop: () => Promise<void>;
let admin: Payer;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  admin = await billing.payer();
  await enrollSecondFactor(admin.client);
  await billing.sql("select private.make_admin($1)", [admin.id]);
});
afterAll(async () => await stop());
afterEach(async () => await billing.endMemberships());

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  return await billing.sql(
    "select actor, subject, detail from private.audit_log where action = $1 order by id",
    [action],
  );
}

function coupon(code: string, differs: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    action: "create",
    request_id: randomUUID(),
    code,
    percent_off: 20,
    amount_off_pence: null,
    duration: "once",
    months: null,
    expires_at: null,
    max_redemptions: null,
    plan_id: null,
    reason: "Spring campaign",
    ...differs,
  };
}

async function createCoupon(code: string, differs: Record<string, unknown> = {}) {
  const answer = await billing.call(admin.client, "admin-coupons", coupon(code, differs));
  expect(answer).toMatchObject({ status: 200, body: { coupon: { code, is_active: true } } });
  return answer.body["coupon"] as { id: string };
}

async function preview({ client }: Payer, code: string, price = studentPlan) {
  return await billing.call(client, "stripe-preview-code", { code, price_id: price });
}

async function join({ client }: Payer, code: string, card = "pm_card_visa", price = studentPlan) {
  const body = { price_id: price, payment_method_id: card, code, terms_version: 1 };
  return await billing.call(client, "stripe-create-subscription-direct", body);
}

describe("a coupon", () => {
  it("is previewed, charged as previewed, and ends when it says", async () => {
    const made = await createCoupon("SPRING");
    const ada = await billing.payer();
    expect(await preview(ada, "spring")).toEqual({
      status: 200,
      body: {
        code: "SPRING",
        trial_days: null,
        currency: "gbp",
        due_now: 4000,
        while_it_lasts: 4000,
        months: 1,
        afterwards: 5000,
      },
    });
    expect(await join(ada, "SPRING")).toMatchObject({ status: 200, body: { success: true } });
    await billing.deliverWebhooks();
    const [invoice] = await invoicesOf(ada);
    expect(invoice).toMatchObject({ total_pence: 4000, amount_paid_pence: 4000 });
    // The lines of the receipt add up to what was paid.
    const lines = invoice?.["lines"] as { amount_pence: number }[];
    expect(lines.map((line) => line.amount_pence)).toEqual([5000, -1000]);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 4000]);
    const list = await billing.call(admin.client, "admin-coupons", { action: "list" });
    expect(list.body["coupons"]).toContainEqual(
      expect.objectContaining({ id: made.id, redemptions: 1, percent_off: 20 }),
    );
    expect(await auditOf("coupon.created")).toContainEqual(
      expect.objectContaining({
        actor: admin.id,
        detail: expect.objectContaining({ before: null, reason: "Spring campaign" }),
      }),
    );
  });

  it.each([
    ["made", "before", "coupon.create"],
    ["made", "after", "coupon.create"],
    ["turned off", "before", "coupon.deactivate"],
  ] as const)(
    "that is %s while the provider fails %s it stands in the audit log, started and failed",
    async (act, when, action) => {
      const code = `FAILS-${randomUUID().slice(0, 8).toUpperCase()}`;
      const kept = act === "turned off" ? await createCoupon(code) : null;
      const path = kept === null ? "/v1/coupons" : `/v1/promotion_codes/${kept.id}`;
      const fault = { method: "POST", path, when, action: "error", shouldRetry: false, times: 9 };
      await billing.control("/faults", fault);
      const request =
        kept === null
          ? coupon(code)
          : { action: "deactivate", promotion_code_id: kept.id, reason: "The campaign is over" };
      const answer = await billing.call(admin.client, "admin-coupons", request);
      await billing.clearFailures();
      expect(answer.status).toBeGreaterThanOrEqual(500);
      const entry = (detail: unknown) => expect.objectContaining({ actor: admin.id, detail });
      expect(await auditOf(`${action}_started`)).toContainEqual(
        entry(expect.objectContaining({ after: expect.objectContaining({ code }) })),
      );
      expect(await auditOf(`${action}_failed`)).toContainEqual(
        entry(expect.objectContaining({ code, error: expect.any(String) })),
      );
    },
  );

  it("of everything asks for no money now, keeps the card, and charges it later", async () => {
    await createCoupon("FREEMONTH", { percent_off: 100 });
    const ada = await billing.payer();
    expect(await preview(ada, "FREEMONTH")).toMatchObject({ body: { due_now: 0 } });
    // A card that cannot be saved gives nothing.
    expect(await join(ada, "FREEMONTH", "pm_card_chargeDeclined")).toMatchObject({
      status: 402,
      body: { code: "payment_declined" },
    });
    expect(await billing.isMember(ada)).toBe(false);
    expect(await join(ada, "FREEMONTH")).toMatchObject({ status: 200, body: { success: true } });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect((await billing.atProvider(ada)).paid).toEqual([]);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
    expect(await billing.isMember(ada)).toBe(true);
  });

  it("is refused when it is wrong, off, used up or for the other plan, and nothing is charged", async () => {
    const off = await createCoupon("OFF");
    const turnOff = {
      action: "deactivate",
      promotion_code_id: off.id,
      reason: "The campaign is over",
    };
    expect(await billing.call(admin.client, "admin-coupons", turnOff)).toMatchObject({
      status: 200,
    });
    expect(await auditOf("coupon.deactivated")).toMatchObject([
      { actor: admin.id, detail: { before: { is_active: true }, after: { is_active: false } } },
    ]);
    await createCoupon("ONCE-ONLY", { max_redemptions: 1 });
    await join(await billing.payer(), "ONCE-ONLY");
    await createCoupon("MENTORS", { plan_id: "mentor-access" });
    const ada = await billing.payer();
    for (const [code, status, problem] of [
      ["NONSENSE", 404, "code_not_found"],
      ["OFF", 409, "code_expired"],
      ["ONCE-ONLY", 409, "code_used_up"],
      ["MENTORS", 409, "code_wrong_plan"],
    ] as const) {
      expect(await preview(ada, code), code).toMatchObject({ status, body: { code: problem } });
      expect(await join(ada, code), code).toMatchObject({ status, body: { code: problem } });
    }
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [], live: [] });
    expect(await preview(ada, "MENTORS", mentorPlan)).toMatchObject({ body: { due_now: 8000 } });
  });

  it("that the provider refuses with the purchase is said to be so, and the member joins without it", async () => {
    const { id } = await billing.stripe.coupons.create({ percent_off: 50, max_redemptions: 1 });
    await billing.stripe.promotionCodes.create({
      promotion: { type: "coupon", coupon: id },
      code: "LAST-ONE",
    });
    expect(await join(await billing.payer(), "LAST-ONE")).toMatchObject({ status: 200 });
    const ada = await billing.payer();
    expect(await join(ada, "LAST-ONE")).toMatchObject({
      status: 409,
      body: { code: "code_not_usable" },
    });
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [], live: [] });
    const body = { price_id: studentPlan, payment_method_id: "pm_card_visa", terms_version: 1 };
    expect(await billing.call(ada.client, "stripe-create-subscription-direct", body)).toMatchObject(
      { status: 200 },
    );
  });

  it("is made once by a repeated request, never twice under one code, and only with sense", async () => {
    const request = coupon("TWICE");
    const [first, second] = [
      await billing.call(admin.client, "admin-coupons", request),
      await billing.call(admin.client, "admin-coupons", request),
    ];
    expect(second.body["coupon"]).toEqual(first.body["coupon"]);
    expect(await billing.call(admin.client, "admin-coupons", coupon("twice"))).toMatchObject({
      status: 409,
      body: { code: "code_taken" },
    });
    for (const differs of [
      { amount_off_pence: 5 },
      { percent_off: null },
      { percent_off: 101 },
      { duration: "repeating" },
      { months: 2 },
      { expires_at: 1 },
      { expires_at: 9e15 },
      { reason: " " },
      { code: "A B" },
    ]) {
      const answer = await billing.call(admin.client, "admin-coupons", coupon("NO-SENSE", differs));
      expect(answer.status, JSON.stringify(differs)).toBe(400);
    }
    expect((await billing.stripe.promotionCodes.list({ code: "NO-SENSE" })).data).toEqual([]);
  });
});

describe("a trial code", () => {
  const askForTrial = async (
    code: string,
    most: number | null = null,
    expiresAt: number | null = null,
  ) =>
    await billing.call(admin.client, "admin-coupons", {
      action: "create_trial",
      code,
      days: 14,
      plan_id: null,
      expires_at: expiresAt,
      max_redemptions: most,
      reason: "Workshop",
    });
  const makeTrial = async (code: string, most: number | null = null) =>
    expect(await askForTrial(code, most)).toEqual({ status: 200, body: { code } });

  it("does not end in a year that nobody lives to see", async () => {
    expect((await askForTrial("FAR-OFF", null, 9e12)).status).toBe(400);
  });

  it("and an active coupon never have one name, in any case, whichever is first", async () => {
    const { id } = await billing.stripe.coupons.create({ percent_off: 50 });
    const made = await billing.stripe.promotionCodes.create({
      promotion: { type: "coupon", coupon: id },
      code: "Both-Ways",
    });
    const taken = { status: 409, body: { code: "code_taken" } };
    for (const name of ["BOTH-WAYS", "both-ways"]) {
      expect(await askForTrial(name)).toMatchObject(taken);
    }
    const codes = async () => (await admin.client.rpc("admin_trial_codes")).data as unknown;
    expect(await codes()).not.toContainEqual(expect.objectContaining({ code: "BOTH-WAYS" }));
    await billing.stripe.promotionCodes.update(made.id, { active: false });
    expect((await askForTrial("both-ways")).body).toEqual({ code: "BOTH-WAYS" });
    expect(await askForTrial("Both-ways")).toMatchObject({ status: 409, body: { code: "FF261" } });
    const other = await billing.call(admin.client, "admin-coupons", coupon("both-Ways"));
    expect(other).toMatchObject(taken);
    const { error } = await admin.client.rpc("billing_create_trial_code", {
      admin: admin.id,
      code: "TWICE",
      days: 14,
      plan: null,
      expires_at: null,
      max_redemptions: null,
      reason: "Past the check",
    });
    expect(error?.code).toBe("42501");
  });

  it("gives free days with a saved card, which is charged when they are over", async () => {
    await makeTrial("WORKSHOP");
    const ada = await billing.payer();
    expect(await preview(ada, "workshop")).toMatchObject({
      body: { code: "WORKSHOP", trial_days: 14, due_now: 0, afterwards: 5000 },
    });
    expect(await join(ada, "workshop")).toMatchObject({ status: 200, body: { success: true } });
    // The answer may have been lost, so the same call again is the same trial.
    expect(await join(ada, "workshop")).toMatchObject({ status: 200, body: { success: true } });
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("trialing");
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [] });
    await billing.advanceClock({ days: 14, hours: 2 });
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [5000] });
  });

  it("is for new members, once an account, and no more often than it may be used", async () => {
    await makeTrial("LIMITED", 1);
    await makeTrial("SECOND");
    const old = await billing.memberWith(studentPlan);
    expect(await preview(old, "LIMITED")).toMatchObject({
      status: 409,
      body: { code: "code_new_members_only" },
    });
    const both = await Promise.all([
      join(await billing.payer(), "LIMITED", "pm_card_mastercard"),
      join(await billing.payer(), "LIMITED", "pm_card_amex"),
    ]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const ada = await billing.payer();
    await join(ada, "SECOND", "pm_card_chargeDeclined");
    await makeTrial("THIRD");
    expect(await preview(ada, "THIRD")).toMatchObject({ body: { code: "code_new_members_only" } });
    await admin.client.rpc("admin_deactivate_trial_code", { code: "SECOND", reason: "Over" });
    expect(await preview(ada, "SECOND")).toMatchObject({ body: { code: "code_expired" } });
  });

  it("is given once a card, also when the account that had it is deleted", async () => {
    await makeTrial("CARD-ONCE");
    const ada = await billing.payer();
    const ben = await billing.payer();
    expect(await join(ada, "CARD-ONCE", "pm_card_discover")).toMatchObject({ status: 200 });
    await billing.deliverWebhooks();
    const refused = { status: 409, body: { code: "code_card_used" } };
    expect(await join(ben, "CARD-ONCE", "pm_card_discover")).toMatchObject(refused);
    const gone = await billing.call(ada.client, "delete-my-account", { password: testPassword });
    expect(gone.status).toBe(200);
    expect(await join(ben, "CARD-ONCE", "pm_card_discover")).toMatchObject(refused);
    expect(await billing.atProvider(ben)).toMatchObject({ paid: [], live: [] });
    // The card that was refused holds no place of the code, and another card has its trial.
    expect(await join(ben, "CARD-ONCE", "pm_card_jcb")).toMatchObject({ status: 200 });
  });

  it("is not given to a wallet, whose number is not the card's own", async () => {
    await makeTrial("NO-WALLET");
    const ada = await billing.payer();
    for (const token of ["tok_apple_pay", "tok_google_pay", "tok_link"]) {
      const card = { token };
      const { id } = await billing.stripe.paymentMethods.create({ type: "card", card });
      expect(await join(ada, "NO-WALLET", id)).toMatchObject({
        status: 400,
        body: { code: "invalid_payment_method" },
      });
    }
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [], live: [] });
    // Refused wallets take nothing: the card itself still has its trial.
    expect(await join(ada, "NO-WALLET", "pm_card_diners")).toMatchObject({ status: 200 });
  });
});
