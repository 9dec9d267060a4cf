import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());

async function makeCode(code: string, percent = 20, isForNewMembers = true): Promise<void> {
  const { id } = await billing.stripe.coupons.create({ percent_off: percent, duration: "once" });
  await billing.stripe.promotionCodes.create({
    promotion: { type: "coupon", coupon: id },
    code,
    restrictions: { first_time_transaction: isForNewMembers },
  });
}

async function preview({ client }: Payer, code: string) {
  return await billing.call(client, "stripe-preview-code", { code, price_id: studentPlan });
}

async function join({ client }: Payer, code: string, card = "pm_card_visa") {
  const body = { price_id: studentPlan, payment_method_id: card, code, terms_version: 1 };
  return await billing.call(client, "stripe-create-subscription-direct", body);
}

describe("a code for new members only", () => {
  it("is refused to a member who has paid before, when it is tried and when it is used", async () => {
    await makeCode("WELCOME");
    await makeCode("RETURN", 20, false);
    const [ada, bob] = [await billing.payer(), await billing.payer()];
    expect(await preview(ada, "WELCOME")).toMatchObject({ body: { due_now: 4000 } });
    expect(await join(ada, "WELCOME")).toMatchObject({ body: { success: true } });
    const [subscription = ""] = (await billing.atProvider(ada)).live;
    await billing.stripe.subscriptions.cancel(subscription);
    await billing.deliverWebhooks();
    for (const answer of [await preview(ada, "WELCOME"), await join(ada, "WELCOME")]) {
      expect(answer).toMatchObject({ status: 409, body: { code: "code_new_members_only" } });
    }
    expect(await join(ada, "RETURN")).toMatchObject({ body: { success: true } });
    expect(await join(bob, "WELCOME")).toMatchObject({ body: { success: true } });
  });

  it("is refused after any payment and any paid invoice, as the provider does", async () => {
    await makeCode("FRESH");
    await makeCode("NOTHING", 100, false);
    const [buyer, guest] = [await billing.payer(), await billing.payer()];
    const made = await billing.call(buyer.client, "create-stripe-customer", {});
    const customer = String(made.body["customer_id"]);
    const method = await billing.stripe.paymentMethods.attach("pm_card_visa", { customer });
    await billing.stripe.paymentIntents.create({
      customer,
      amount: 4000,
      currency: "gbp",
      payment_method: method.id,
      confirm: true,
      allowed_payment_method_types: ["card"],
    });
    await join(guest, "NOTHING");
    const [free = ""] = (await billing.atProvider(guest)).live;
    await billing.stripe.subscriptions.cancel(free);
    await billing.deliverWebhooks();
    for (const member of [buyer, guest]) {
      for (const answer of [await preview(member, "FRESH"), await join(member, "FRESH")]) {
        expect(answer).toMatchObject({ status: 409, body: { code: "code_new_members_only" } });
      }
      expect((await billing.atProvider(member)).live).toEqual([]);
    }
  });

  it("is good for who was declined before", async () => {
    await makeCode("DECLINED");
    const ada = await billing.payer();
    expect(await join(ada, "DECLINED", "pm_card_chargeDeclined")).toMatchObject({ status: 402 });
    expect(await preview(ada, "DECLINED")).toMatchObject({ body: { due_now: 4000 } });
    expect(await join(ada, "DECLINED")).toMatchObject({ body: { success: true } });
  });
});
