import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { atOnce } from "../support/at-once.ts";
import {
  BillingFixture,
  mentorPlan,
  studentPlan,
  type FunctionResult,
} from "../support/billing.ts";

let billing: BillingFixture;
beforeAll(() => {
  billing = new BillingFixture(inject("host"), inject("sandbox"));
});
afterAll(async () => await billing.close());

const purchased: FunctionResult = { status: 200, body: { success: true, requires_action: false } };

function needsAction(answer: FunctionResult): unknown {
  expect(answer).toMatchObject({ status: 200, body: { success: false, requires_action: true } });
  expect(answer.body["client_secret"]).toMatch(/^pi_\w+_secret_\w+$/);
  return answer.body["client_secret"];
}

describe("a purchase", () => {
  it("of the student plan is in the member's row before PAY is answered", async () => {
    const ada = await billing.payer();
    expect(await billing.pay(ada, studentPlan)).toEqual(purchased);
    const row = await billing.subscription(ada);
    expect(row).toMatchObject({
      status: "active",
      price_id: studentPlan,
      cancel_at_period_end: false,
      payment_method_brand: "visa",
      payment_method_last4: "4242",
      deleted_at: null,
    });
    const [start, end] = [
      Number(row?.["current_period_start"]),
      Number(row?.["current_period_end"]),
    ];
    expect(Math.abs(start - Date.now() / 1000)).toBeLessThan(60);
    expect((end - start) / 86_400).toBeGreaterThanOrEqual(28);
    expect((end - start) / 86_400).toBeLessThanOrEqual(31);
    expect(await billing.role(ada)).toBe("student");
    expect(await billing.atProvider(ada)).toEqual({
      customers: 1,
      live: [row?.["subscription_id"]],
      unfinished: [],
      paid: [5000],
    });
    const customer = await billing.stripe.customers.retrieve(await billing.customerId(ada));
    expect(customer).toMatchObject({ email: ada.email });
  });

  it("of the mentor plan makes a mentor", async () => {
    const ada = await billing.payer();
    expect(await billing.pay(ada, mentorPlan)).toEqual(purchased);
    expect(await billing.role(ada)).toBe("mentor");
    expect((await billing.atProvider(ada)).paid).toEqual([10_000]);
  });

  it("before there is a profile gives the role to the profile", async () => {
    const ada = await billing.payer();
    await billing.sql("delete from public.profiles where id = $1", [ada.id]);
    expect(await billing.pay(ada, mentorPlan)).toEqual(purchased);
    const row = { id: ada.id, onboarding_complete: false, role: "student" };
    expect((await ada.client.from("profiles").insert(row)).error).toBeNull();
    expect(await billing.role(ada)).toBe("mentor");
  });
});

describe("a card that is refused", () => {
  it.each([
    ["pm_card_visa_chargeDeclined", "Your card was declined."],
    ["pm_card_visa_chargeDeclinedInsufficientFunds", "Your card has insufficient funds."],
    ["pm_card_visa_chargeDeclinedExpiredCard", "Your card has expired."],
    ["pm_card_visa_chargeDeclinedIncorrectCvc", "Your card's security code is incorrect."],
    ["pm_card_chargeCustomerFail", "Your card was declined."],
  ])("%s leaves nothing but the provider's message", async (card, message) => {
    const ada = await billing.payer();
    expect(await billing.pay(ada, studentPlan, card)).toEqual({
      status: 402,
      body: { success: false, requires_action: false, error: message, code: "payment_declined" },
    });
    expect(await billing.status(ada)).toBe("incomplete_expired");
    const { live, unfinished, paid } = await billing.atProvider(ada);
    expect([live, unfinished, paid]).toEqual([[], [], []]);
    expect(await billing.pay(ada, studentPlan)).toEqual(purchased);
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });

  it("does not exist at all", async () => {
    const ada = await billing.payer();
    expect(await billing.pay(ada, studentPlan, "pm_nobody")).toMatchObject({
      status: 400,
      body: { code: "invalid_payment_method" },
    });
    expect(await billing.atProvider(ada)).toMatchObject({ live: [], unfinished: [], paid: [] });
  });

  it("belongs to another account", async () => {
    const [ada, eve] = [await billing.payer(), await billing.payer()];
    await billing.pay(ada, studentPlan);
    const customer = await billing.customerId(ada);
    const { data } = await billing.stripe.customers.listPaymentMethods(customer);
    expect(await billing.pay(eve, studentPlan, data[0]?.id)).toMatchObject({
      status: 400,
      body: { code: "invalid_payment_method" },
    });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });
});

describe("3-D Secure", () => {
  const authenticationCard = "pm_card_authenticationRequired";

  it("accepted ends in a membership, by the webhook alone", async () => {
    const ada = await billing.payer();
    const secret = needsAction(await billing.pay(ada, mentorPlan, authenticationCard));
    expect(await billing.status(ada)).toBe("incomplete");
    expect((await billing.atProvider(ada)).paid).toEqual([]);
    await billing.challenge(secret, "complete");
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      payment_method_last4: "3184",
    });
    expect(await billing.role(ada)).toBe("mentor");
    expect((await billing.atProvider(ada)).paid).toEqual([10_000]);
    expect(await billing.pay(ada, mentorPlan)).toEqual(purchased);
    expect((await billing.atProvider(ada)).paid).toEqual([10_000]);
  });

  it("refused costs nothing, and the next PAY works", async () => {
    const ada = await billing.payer();
    await billing.challenge(
      needsAction(await billing.pay(ada, studentPlan, authenticationCard)),
      "fail",
    );
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("incomplete");
    expect(await billing.pay(ada, studentPlan)).toEqual(purchased);
    const held = await billing.atProvider(ada);
    expect(held).toMatchObject({ unfinished: [], paid: [5000] });
    expect(held.live).toHaveLength(1);
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("active");
  });

  it("a new attempt invalidates the earlier challenge", async () => {
    const ada = await billing.payer();
    const first = needsAction(await billing.pay(ada, studentPlan, authenticationCard));
    const second = needsAction(await billing.pay(ada, mentorPlan, authenticationCard));
    await expect(billing.challenge(first, "complete")).rejects.toThrow("400");
    await billing.challenge(second, "complete");
    await billing.deliverWebhooks();
    expect(await billing.role(ada)).toBe("mentor");
    const held = await billing.atProvider(ada);
    expect(held).toMatchObject({ unfinished: [], paid: [10_000] });
    expect(held.live).toHaveLength(1);
  });
});

describe("calls at once", () => {
  it.each([1, 2, 3])("two clicks on PAY are one payment, and both succeed (%i)", async () => {
    const ada = await billing.payer();
    const both = await Promise.all([billing.pay(ada, studentPlan), billing.pay(ada, studentPlan)]);
    expect(both).toEqual([purchased, purchased]);
    await billing.deliverWebhooks();
    const held = await billing.atProvider(ada);
    expect(held).toMatchObject({ customers: 1, unfinished: [], paid: [5000] });
    expect(held.live).toHaveLength(1);
    expect(await billing.status(ada)).toBe("active");
  });

  it("two clicks with a question from the bank lead to the same question", async () => {
    const ada = await billing.payer();
    const card = "pm_card_authenticationRequired";
    const click = async () => await billing.pay(ada, studentPlan, card);
    const secrets = (await atOnce(ada.id, [click, click])).map(needsAction);
    const [secret] = secrets;
    expect(secrets).toEqual([secret, secret]);
    await billing.challenge(secret, "complete");
    await billing.deliverWebhooks();
    expect(await billing.atProvider(ada)).toMatchObject({ unfinished: [], paid: [5000] });
  });

  it("for different plans buy one of them", async () => {
    const ada = await billing.payer();
    const both = await Promise.all([billing.pay(ada, studentPlan), billing.pay(ada, mentorPlan)]);
    const statuses = both.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 409]);
    const held = await billing.atProvider(ada);
    expect(held.live).toHaveLength(1);
    expect(held.paid).toHaveLength(1);
  });

  it("with a bad and a good card buy once", async () => {
    const ada = await billing.payer();
    const answers = await Promise.all([
      billing.pay(ada, studentPlan, "pm_card_visa_chargeDeclined"),
      billing.pay(ada, studentPlan),
    ]);
    expect(answers[1]).toEqual(purchased);
    expect(await billing.atProvider(ada)).toMatchObject({ unfinished: [], paid: [5000] });
  });

  it("for a customer make one", async () => {
    const ada = await billing.payer();
    const answers = await Promise.all(
      Array.from(
        { length: 6 },
        async () => await billing.call(ada.client, "create-stripe-customer"),
      ),
    );
    const customer = await billing.customerId(ada);
    expect(customer).toMatch(/^cus_/);
    for (const answer of answers) {
      expect(answer).toEqual({ status: 200, body: { customer_id: customer } });
    }
    expect((await billing.atProvider(ada)).customers).toBe(1);
  });
});

describe("a second purchase", () => {
  it("of a member who pays already is refused, and costs nothing", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    expect(await billing.pay(ada, mentorPlan)).toEqual({
      status: 409,
      body: {
        success: false,
        requires_action: false,
        error: "You already have an active membership.",
        code: "already_subscribed",
      },
    });
    await billing.sql(
      "update private.billing_attempts set created_at = now() - interval '16 minutes' where user_id = $1",
      [ada.id],
    );
    expect(await billing.pay(ada, studentPlan)).toMatchObject({
      status: 409,
      body: { code: "already_subscribed" },
    });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
    expect(await billing.role(ada)).toBe("student");
  });

  it("is refused also when the row has been lost", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    await billing.sql(
      "delete from public.stripe_subscriptions s using public.stripe_customers c where s.customer_id = c.customer_id and c.user_id = $1",
      [ada.id],
    );
    expect(await billing.pay(ada, mentorPlan)).toMatchObject({ status: 409 });
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [5000] });
  });

  it("is possible once the first one has ended", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, mentorPlan);
    const { live } = await billing.atProvider(ada);
    await billing.stripe.subscriptions.cancel(live[0] ?? "");
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("canceled");
    expect(await billing.role(ada)).toBe("student");
    expect(await billing.pay(ada, studentPlan)).toEqual(purchased);
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: studentPlan,
    });
  });

  it("is possible after the customer was deleted at the provider", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    const before = await billing.customerId(ada);
    await billing.stripe.customers.del(before);
    expect(await billing.pay(ada, mentorPlan)).toEqual(purchased);
    expect(await billing.customerId(ada)).not.toBe(before);
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({
      status: "active",
      price_id: mentorPlan,
    });
    expect(await billing.role(ada)).toBe("mentor");
  });
});

describe("renewal", () => {
  const change = async (name: string, payer: Parameters<BillingFixture["pay"]>[0]) =>
    await billing.call(payer.client, name, {
      subscription_id: (await billing.subscription(payer))?.["subscription_id"],
    });

  it("is switched off and on again, however often it is asked", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    for (let time = 0; time < 2; time += 1) {
      expect(await change("stripe-cancel-subscription", ada)).toEqual({
        status: 200,
        body: {
          message: "Subscription will be canceled at the end of your current billing period",
        },
      });
      expect(await billing.subscription(ada)).toMatchObject({
        status: "active",
        cancel_at_period_end: true,
      });
    }
    for (let time = 0; time < 2; time += 1) {
      expect(await change("stripe-uncancel-subscription", ada)).toEqual({
        status: 200,
        body: { message: "Subscription has been reactivated and will continue to renew" },
      });
      expect(await billing.subscription(ada)).toMatchObject({ cancel_at_period_end: false });
    }
  });

  it("is switched on again also when the end was set at the provider", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    const row = await billing.subscription(ada);
    await billing.stripe.subscriptions.update(String(row?.["subscription_id"]), {
      cancel_at: Number(row?.["current_period_end"]),
    });
    await billing.deliverWebhooks();
    expect(await billing.subscription(ada)).toMatchObject({ cancel_at_period_end: true });
    expect(await change("stripe-uncancel-subscription", ada)).toMatchObject({ status: 200 });
    expect(await billing.subscription(ada)).toMatchObject({ cancel_at_period_end: false });
    const held = await billing.stripe.subscriptions.retrieve(String(row?.["subscription_id"]));
    expect(held.cancel_at).toBeNull();
  });

  it.each(["stripe-cancel-subscription", "stripe-uncancel-subscription"])(
    "%s is refused for a subscription that is over",
    async (name) => {
      const ada = await billing.payer();
      await billing.pay(ada, studentPlan, "pm_card_visa_chargeDeclined");
      expect(await change(name, ada)).toEqual({
        status: 409,
        body: { error: "This subscription is not active.", code: "subscription_not_active" },
      });
    },
  );
});
