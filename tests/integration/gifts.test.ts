import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests break the provider.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => await billing.clearFailures());

const order = (differs: Record<string, unknown> = {}) => ({
  request_id: randomUUID(),
  plan_id: "student-access",
  months: 3,
  amount_pence: 15_000,
  payment_method_id: "pm_card_visa",
  ...differs,
});
const buy = async (who: Payer, body = order()) =>
  await billing.call(who.client, "stripe-buy-gift", body);

interface Gifts {
  offers: Record<string, unknown>[];
  gifts: { code: string | null; state: string; redeemed_at: string | null; name: string }[];
}
async function giftsOf({ client }: Payer): Promise<Gifts> {
  const { data, error } = await client.rpc("my_gifts");
  if (error) throw new Error(error.message);
  return data as Gifts;
}
async function redeem({ client }: Payer, code: unknown): Promise<Record<string, unknown>> {
  const { data, error } = await client.rpc("redeem_gift", { code });
  if (error) return { code: error.code };
  return data as Record<string, unknown>;
}
async function boughtCode(giver: Payer, body = order()): Promise<string> {
  expect((await buy(giver, body)).status).toBe(200);
  await billing.deliverWebhooks();
  return String((await giftsOf(giver)).gifts[0]?.code);
}
async function chargeOf(giver: Payer): Promise<string> {
  const customer = await billing.customerId(giver);
  return String((await billing.stripe.charges.list({ customer })).data[0]?.id);
}
const charged = async (giver: Payer): Promise<number[]> => {
  const customer = await billing.customerId(giver);
  const { data } = await billing.stripe.charges.list({ customer });
  return data.filter(({ paid }) => paid).map(({ amount }) => amount);
};

describe("a gift", () => {
  it("is bought for as many times the monthly price, and opens the plan to who redeems it", async () => {
    const [giver, ben] = [await billing.payer(), await billing.payer()];
    const { offers } = await giftsOf(giver);
    expect(offers).toContainEqual({
      plan_id: "mentor-access",
      plan_name: "Mentor Access",
      months: 12,
      amount_pence: 120_000,
    });
    const code = await boughtCode(giver, order({ plan_id: "mentor-access", amount_pence: 30_000 }));
    expect(code).toMatch(/^([A-HJ-NP-Z2-9]{5}-){3}[A-HJ-NP-Z2-9]{5}$/);
    expect(await charged(giver)).toEqual([30_000]);
    // The buyer has a code and no membership.
    expect(await billing.isMember(giver)).toBe(false);
    const mail = await billing.sql<{ data: Record<string, unknown> }>(
      "select data from private.email_outbox where user_id = $1 and template = 'gift_receipt'",
      [giver.id],
    );
    expect(mail).toMatchObject([{ data: { code, plan: "Gift: Mentor Access, 3 months" } }]);
    const written = code.toLowerCase().replaceAll("-", " ");
    const answer = await redeem(ben, ` ${written} `);
    expect(answer).toMatchObject({ state: "redeemed", plan: "Mentor Access" });
    const days = (Date.parse(String(answer["ends_at"])) - Date.now()) / 86_400_000;
    expect(days).toBeGreaterThan(88);
    expect(days).toBeLessThan(93);
    expect(await billing.isMember(ben)).toBe(true);
    expect(await billing.role(ben)).toBe("mentor");
    // Who used it is not for the buyer to know.
    const mine = await giftsOf(giver);
    expect(mine.gifts).toMatchObject([{ state: "used", code: null }]);
    expect(JSON.stringify(mine)).not.toContain(ben.id);
    expect((await giftsOf(ben)).gifts).toEqual([]);
  });

  it("is redeemed once, by however many at once", async () => {
    const giver = await billing.payer();
    const code = await boughtCode(giver);
    const friends = await Promise.all([1, 2, 3, 4].map(async () => await billing.payer()));
    const answers = await Promise.all(friends.map(async (each) => await redeem(each, code)));
    const states = answers.map(({ state }) => state);
    expect(states.filter((state) => state === "redeemed")).toHaveLength(1);
    expect(states.filter((state) => state === "used")).toHaveLength(3);
    const live = await Promise.all(friends.map(async (each) => await billing.isMember(each)));
    expect(live.filter(Boolean)).toHaveLength(1);
  });

  it("is paid for once by two clicks, and twice by two gifts", async () => {
    const giver = await billing.payer();
    const one = order();
    const answers = await Promise.all([buy(giver, one), buy(giver, one)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await charged(giver)).toEqual([15_000]);
    expect((await buy(giver, one)).body).toMatchObject({ success: true });
    expect(await charged(giver)).toEqual([15_000]);
    await buy(giver);
    await billing.deliverWebhooks();
    expect(await charged(giver)).toEqual([15_000, 15_000]);
    const { gifts } = await giftsOf(giver);
    expect(new Set(gifts.map(({ code }) => code)).size).toBe(2);
  });

  it.each([
    [{ amount_pence: 14_999 }, 409, "price_changed"],
    [{ months: 2, amount_pence: 10_000 }, 404, "gift_not_on_sale"],
    [{ plan_id: "gold", amount_pence: 15_000 }, 404, "gift_not_on_sale"],
    [{ months: 0 }, 400, "invalid_request"],
    [{ request_id: "1" }, 400, "invalid_request"],
    [{ payment_method_id: "pm_card_visa_chargeDeclined" }, 402, "payment_declined"],
  ])("with %o charges nothing", async (differs, status, code) => {
    const giver = await billing.payer();
    expect(await buy(giver, order(differs))).toMatchObject({ status, body: { code } });
    expect((await giftsOf(giver)).gifts).toEqual([]);
    if (status === 402) expect(await charged(giver)).toEqual([]);
  });

  it("waits for the bank where it asks, and gives its code after that", async () => {
    const giver = await billing.payer();
    const answer = await buy(giver, order({ payment_method_id: "pm_card_authenticationRequired" }));
    expect(answer.body).toMatchObject({ requires_action: true });
    expect((await giftsOf(giver)).gifts).toMatchObject([{ state: "waiting", code: null }]);
    await billing.challenge(answer.body["client_secret"], "complete");
    await billing.deliverWebhooks();
    expect((await giftsOf(giver)).gifts).toMatchObject([{ state: "unused" }]);
  });

  it.each(["canceled", "past_due", "paused"])(
    "is not used up beside a membership, and is redeemed once that has ended (%s)",
    async (status) => {
      const code = await boughtCode(await billing.payer());
      const { ada, subscription } = await billing.member(studentPlan);
      expect(await redeem(ada, code)).toEqual({ state: "member" });
      if (status === "canceled") {
        await billing.stripe.subscriptions.cancel(subscription);
        await billing.deliverWebhooks();
        expect(await redeem(ada, code)).toMatchObject({ state: "redeemed" });
        return;
      }
      await billing.sql(
        "update public.stripe_subscriptions set status = $2 where subscription_id = $1",
        [subscription, status],
      );
      expect(await redeem(ada, code)).toEqual({ state: "member" });
    },
  );

  it("that was redeemed keeps who has it from paying twice, and a second one from being lost", async () => {
    const giver = await billing.payer();
    const [first, second] = [await boughtCode(giver), await boughtCode(giver)];
    const ben = await billing.payer();
    await redeem(ben, first);
    expect(await redeem(ben, second)).toEqual({ state: "member" });
    expect((await giftsOf(giver)).gifts.map(({ state }) => state).sort()).toEqual([
      "unused",
      "used",
    ]);
  });
});

describe("codes", () => {
  it("cannot be guessed: ten tries an hour, wrong ones included", async () => {
    const code = await boughtCode(await billing.payer());
    const mallory = await billing.payer();
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await redeem(mallory, `AAAAA-BBBBB-CCCCC-DDDD${tries % 8}`)).toEqual({
        state: "unknown",
      });
    }
    expect(await redeem(mallory, code)).toEqual({ code: "FF300" });
    expect(await billing.isMember(mallory)).toBe(false);
  });

  it.each(["", " ", null, "'; drop table", "x".repeat(5000), "%", "_____-_____-_____-_____"])(
    "%j is none",
    async (code) => {
      expect(await redeem(await billing.payer(), code)).toEqual({ state: "unknown" });
    },
  );

  it("of an attempt that was not paid is none", async () => {
    const giver = await billing.payer();
    await buy(giver, order({ payment_method_id: "pm_card_visa_chargeDeclined" }));
    const [row] = await billing.sql<{ code: string }>(
      "select code from private.gift_memberships where buyer_id = $1",
      [giver.id],
    );
    expect(await redeem(await billing.payer(), row?.code)).toEqual({ state: "unknown" });
  });
});

describe("a gift whose payment comes back", () => {
  it("is worth nothing before it is used", async () => {
    const [giver, ben] = [await billing.payer(), await billing.payer()];
    const code = await boughtCode(giver);
    await billing.stripe.refunds.create({ charge: await chargeOf(giver) });
    await billing.deliverWebhooks();
    expect((await giftsOf(giver)).gifts).toMatchObject([{ state: "closed", code: null }]);
    expect(await redeem(ben, code)).toEqual({ state: "closed" });
    expect(await billing.isMember(ben)).toBe(false);
  });

  it("ends the membership that it gave; a part of it does not", async () => {
    const [giver, ben] = [await billing.payer(), await billing.payer()];
    await redeem(
      ben,
      await boughtCode(giver, order({ plan_id: "mentor-access", amount_pence: 30_000 })),
    );
    const charge = await chargeOf(giver);
    await billing.stripe.refunds.create({ charge, amount: 1000 });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ben)).toBe(true);
    await billing.stripe.refunds.create({ charge });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ben)).toBe(false);
    expect(await billing.role(ben)).toBe("student");
  });

  it("rests while the bank decides, and goes on when it decides for us", async () => {
    const [giver, ben] = [await billing.payer(), await billing.payer()];
    await redeem(ben, await boughtCode(giver));
    const { id: dispute } = await billing.control("/disputes", { charge: await chargeOf(giver) });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ben)).toBe(false);
    await billing.control("/disputes/close", { dispute, outcome: "won" });
    await billing.deliverWebhooks();
    expect(await billing.isMember(ben)).toBe(true);
  });
});

it("no gift is paid for after its buyer's account is deleted", async () => {
  const giver = await billing.payer();
  const card = { payment_method_id: "pm_card_authenticationRequired" };
  const { body } = await buy(giver, order(card));
  const customer = await billing.customerId(giver);
  const gone = await billing.call(giver.client, "delete-my-account", { password: testPassword });
  expect(gone.status).toBe(200);
  const { data } = await billing.stripe.paymentIntents.list({ customer });
  expect(data.map(({ status }) => status)).toEqual(["canceled"]);
  expect(body["requires_action"]).toBe(true);
});

it("a gift stays good when its buyer deletes the account", async () => {
  const [giver, ben] = [await billing.payer(), await billing.payer()];
  const code = await boughtCode(giver);
  await billing.sql("delete from auth.users where id = $1", [giver.id]);
  expect(await redeem(ben, code)).toMatchObject({ state: "redeemed" });
  expect(await billing.isMember(ben)).toBe(true);
});

it("a mentor's plan can be given by a member of the other one", async () => {
  const { ada } = await billing.member(mentorPlan);
  const code = await boughtCode(ada);
  expect(await redeem(await billing.payer(), code)).toMatchObject({ state: "redeemed" });
  expect(await billing.isMember(ada)).toBe(true);
});
