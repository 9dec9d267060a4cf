import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";

// A product of its own, because the provider's clock moves.
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

const codes = [
  ["free days", "TRIAL", { days: 14 }],
  ["a first month for nothing", "NOTHING", { percent: 100 }],
] as const;

async function makeCode(name: string, gives: { days?: number; percent?: number }): Promise<string> {
  const code = `${name}-${randomUUID().slice(0, 6).toUpperCase()}`;
  if (gives.percent !== undefined) {
    const coupon = await billing.stripe.coupons.create({
      percent_off: gives.percent,
      duration: "once",
    });
    const promotion = { type: "coupon" as const, coupon: coupon.id };
    await billing.stripe.promotionCodes.create({ promotion, code });
    return code;
  }
  const body = {
    action: "create_trial",
    code,
    days: gives.days,
    plan_id: null,
    expires_at: null,
    max_redemptions: null,
    reason: "Workshop",
  };
  expect(await billing.call(admin.client, "admin-coupons", body)).toMatchObject({ status: 200 });
  return code;
}

/** A card whose bank approves it once, for all later payments. */
async function cardToApprove(token = "tok_authenticationRequiredOnSetup"): Promise<string> {
  const card = { token };
  return (await billing.stripe.paymentMethods.create({ type: "card", card })).id;
}

const join = async ({ client }: Payer, code: string, card: string) =>
  await billing.call(client, "stripe-create-subscription-direct", {
    price_id: studentPlan,
    payment_method_id: card,
    terms_version: 1,
    code,
  });

describe.each(codes)("a membership that begins with %s", (_, name, gives) => {
  it("asks the bank first, and pays by itself when it is over", async () => {
    const [ada, card, code] = [
      await billing.payer(),
      await cardToApprove(),
      await makeCode(name, gives),
    ];
    const asked = await join(ada, code, card);
    expect(asked).toMatchObject({
      status: 200,
      body: { success: false, requires_action: true, action: "approve_card" },
    });
    expect(await billing.isMember(ada)).toBe(false);
    expect((await billing.atProvider(ada)).live).toEqual([]);
    // Pressed again before the bank has answered, the question is the same.
    expect(await join(ada, code, card)).toEqual(asked);
    await billing.challenge(asked.body["client_secret"], "complete");
    expect(await join(ada, code, card)).toMatchObject({ status: 200, body: { success: true } });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    await billing.advanceClock({ days: 33 });
    expect(await billing.status(ada)).toBe("active");
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });

  it("does not begin when the bank refuses the card, or its holder says no", async () => {
    const [ada, card, code] = [
      await billing.payer(),
      await cardToApprove("tok_threeDSecure2Required"),
      await makeCode(name, gives),
    ];
    const asked = await join(ada, code, card);
    await billing.challenge(asked.body["client_secret"], "fail");
    expect(await join(ada, code, card)).toMatchObject({ body: { action: "approve_card" } });
    const declined = await join(ada, code, "pm_card_chargeDeclined");
    expect(declined).toMatchObject({ status: 402, body: { code: "payment_declined" } });
    expect(await billing.isMember(ada)).toBe(false);
    expect((await billing.atProvider(ada)).live).toEqual([]);
  });
});
