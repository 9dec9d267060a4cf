import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  invoicesOf,
  mentorPlan,
  studentPlan,
  type BillingFixture,
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

/** Sets a card up as the browser does. @returns the id of the setup. */
async function setUp(ada: Payer, card: string): Promise<string> {
  const { status, body } = await call(ada, "stripe-create-setup-intent");
  expect(status).toBe(200);
  const id = String(body["client_secret"]).split("_secret_")[0] ?? "";
  const setup = await billing.stripe.setupIntents.confirm(id, {
    payment_method: card,
    use_stripe_sdk: true,
  });
  if (setup.status === "requires_action") {
    await billing.control("/challenges", { paymentIntent: id, outcome: "complete" });
  }
  return id;
}

const saved = { status: 200, body: { success: true, requires_action: false, paid: false } };
const paid = { status: 200, body: { success: true, requires_action: false, paid: true } };

/** The card that pays where neither subscription nor schedule names one. */
async function customerCard(ada: Payer): Promise<string | undefined> {
  const customer = await billing.stripe.customers.retrieve(await billing.customerId(ada), {
    expand: ["invoice_settings.default_payment_method"],
  });
  if (customer.deleted === true) return undefined;
  const { default_payment_method: method } = customer.invoice_settings;
  return typeof method === "object" ? method?.card?.last4 : undefined;
}

/** Replaces the card of the subscription, as the provider's own pages do. */
async function replaceAtProvider(ada: Payer, card: string): Promise<void> {
  const customer = await billing.customerId(ada);
  const method = await billing.stripe.paymentMethods.attach(card, { customer });
  const id = String((await billing.subscription(ada))?.["subscription_id"]);
  await billing.stripe.subscriptions.update(id, { default_payment_method: method.id });
  await billing.deliverWebhooks();
}

describe("the card of a purchase", () => {
  it("becomes the customer's own, also after the bank was asked", async () => {
    const [ada, grace] = [await billing.payer(), await billing.payer()];
    await billing.pay(ada, studentPlan, "pm_card_mastercard");
    expect(await customerCard(ada)).toBe("4444");
    const asked = await billing.pay(grace, studentPlan, "pm_card_authenticationRequired");
    expect(await customerCard(grace)).toBeUndefined();
    await billing.challenge(asked.body["client_secret"], "complete");
    await billing.deliverWebhooks();
    expect(await customerCard(grace)).toBe("3184");
  });
});

describe("another card", () => {
  it("pays the renewal of a planned switch, and so does the old one without it", async () => {
    const [ada, grace] = [await memberWith(mentorPlan), await memberWith(mentorPlan)];
    const edith = await memberWith(mentorPlan);
    for (const payer of [ada, grace, edith]) {
      const quote = await call(payer, "stripe-preview-plan-change", { price_id: studentPlan });
      await call(payer, "stripe-change-plan", { quote_id: quote.body["quote_id"] });
    }
    const setup = await setUp(ada, "pm_card_mastercard");
    expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toEqual(saved);
    expect(await customerCard(ada)).toBe("4444");
    await replaceAtProvider(edith, "pm_card_amex");
    await advanceClock({ months: 1, hours: 2 });
    for (const [payer, card] of [
      [ada, "4444"],
      [grace, "4242"],
      [edith, "0005"],
    ] as const) {
      expect(await billing.subscription(payer)).toMatchObject({
        status: "active",
        price_id: studentPlan,
        payment_method_last4: card,
      });
      expect((await invoicesOf(payer)).at(-1)).toMatchObject({
        status: "paid",
        amount_paid_pence: 5000,
        card_last4: card,
      });
      // On the subscription itself, not only as the customer's last resort.
      const customer = await billing.customerId(payer);
      const { data } = await billing.stripe.subscriptions.list({
        customer,
        expand: ["data.default_payment_method"],
      });
      expect(data).toMatchObject([{ default_payment_method: { card: { last4: card } } }]);
    }
  });

  it("pays from the next invoice on, after the bank was asked once", async () => {
    const ada = await memberWith(studentPlan);
    const setup = await setUp(ada, "pm_card_authenticationRequiredOnSetup");
    expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toEqual(saved);
    expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toEqual(saved);
    expect(await billing.subscription(ada)).toMatchObject({
      payment_method_brand: "visa",
      payment_method_last4: "3155",
      payment_method_expires: expect.stringMatching(/^\d{4}-12$/) as string,
    });
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.status(ada)).toBe("active");
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
  });

  it("pays what is overdue at once, and once, also when it is asked twice together", async () => {
    const ada = await memberWith(mentorPlan, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    expect(await billing.status(ada)).toBe("past_due");
    const setup = await setUp(ada, "pm_card_visa");
    const answers = await Promise.all(
      [1, 2, 3].map(() => call(ada, "stripe-update-card", { setup_intent_id: setup })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers).toContainEqual(paid);
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.role(ada)).toBe("mentor");
    await advanceClock({ days: 10 });
    expect((await billing.atProvider(ada)).paid).toEqual([10_000, 10_000]);
  });

  it("shows what was overdue as paid with the answer, before a webhook says so", async () => {
    const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    expect((await invoicesOf(ada)).map(({ status }) => status)).toEqual(["paid", "open"]);
    const setup = await setUp(ada, "pm_card_visa");
    await billing.control("/webhooks/pause", {});
    try {
      expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toEqual(paid);
      expect((await invoicesOf(ada)).map(({ status }) => status)).toEqual(["paid", "paid"]);
    } finally {
      await billing.control("/webhooks/resume", {});
    }
  });

  it("asks the bank about what is overdue when the card needs it each time", async () => {
    const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    const setup = await setUp(ada, "pm_card_authenticationRequired");
    const asked = await call(ada, "stripe-update-card", { setup_intent_id: setup });
    expect(asked).toMatchObject({ status: 200, body: { success: false, requires_action: true } });
    await billing.challenge(asked.body["client_secret"], "complete");
    expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(await billing.status(ada)).toBe("active");
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
  });

  it("asks the bank about each of several overdue invoices, until none is left", async () => {
    const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    const held = await billing.subscription(ada);
    const id = String(held?.["subscription_id"]);
    // Staff sell an upgrade in the provider's dashboard, which cannot be collected either.
    const { items } = await billing.stripe.subscriptions.retrieve(id);
    await billing.stripe.subscriptions.update(id, {
      items: [{ id: items.data[0]?.id ?? "", price: mentorPlan }],
      proration_behavior: "always_invoice",
    });
    await billing.deliverWebhooks();
    const setup = { setup_intent_id: await setUp(ada, "pm_card_authenticationRequired") };
    const secrets = new Set<unknown>();
    for (const left of [2, 1]) {
      const asked = await call(ada, "stripe-update-card", setup);
      expect(asked).toMatchObject({
        status: 200,
        body: { success: false, requires_action: true, invoices_left: left },
      });
      secrets.add(asked.body["client_secret"]);
      await billing.challenge(asked.body["client_secret"], "complete");
    }
    expect(secrets.size).toBe(2);
    expect(await call(ada, "stripe-update-card", setup)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    const { data: open } = await billing.stripe.invoices.list({ subscription: id, status: "open" });
    expect(open).toEqual([]);
    expect(await billing.status(ada)).toBe("active");
  });

  it("that is declined leaves it overdue and says so", async () => {
    const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
    await advanceClock({ months: 1, hours: 2 });
    const setup = await setUp(ada, "pm_card_chargeCustomerFail");
    expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toEqual({
      status: 402,
      body: {
        success: false,
        requires_action: false,
        code: "payment_declined",
        error: "Your card was declined.",
      },
    });
    expect(await billing.status(ada)).toBe("past_due");
  });

  it("is not taken from another member, nor before the bank has confirmed it", async () => {
    const [ada, mallory] = [await memberWith(studentPlan), await memberWith(studentPlan)];
    const theirs = await setUp(ada, "pm_card_mastercard");
    const missing = await call(mallory, "stripe-update-card", { setup_intent_id: "seti_none" });
    expect(missing).toMatchObject({ status: 404, body: { code: "setup_not_found" } });
    expect(await call(mallory, "stripe-update-card", { setup_intent_id: theirs })).toEqual(missing);
    expect(await billing.subscription(mallory)).toMatchObject({ payment_method_last4: "4242" });
    const { body } = await call(ada, "stripe-create-setup-intent");
    const open = String(body["client_secret"]).split("_secret_")[0];
    expect(await call(ada, "stripe-update-card", { setup_intent_id: open })).toMatchObject({
      status: 409,
      body: { code: "setup_not_complete" },
    });
  });

  it.each(["before", "after"])(
    "is saved and paid although the provider's answer failed %s it was paid",
    async (when) => {
      const ada = await memberWith(studentPlan, "pm_card_chargeCustomerFail");
      await advanceClock({ months: 1, hours: 2 });
      const setup = await setUp(ada, "pm_card_visa");
      const held = await billing.subscription(ada);
      const { data } = await billing.stripe.invoices.list({
        subscription: String(held?.["subscription_id"]),
        status: "open",
      });
      const path = `/v1/invoices/${data[0]?.id}/pay`;
      await billing.control("/faults", {
        path,
        when,
        action: "error",
        shouldRetry: false,
        times: 9,
      });
      expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toMatchObject({
        status: 502,
        body: { success: false, code: "provider_unavailable" },
      });
      await billing.clearFailures();
      expect(await call(ada, "stripe-update-card", { setup_intent_id: setup })).toMatchObject({
        status: 200,
        body: { success: true },
      });
      expect(await billing.status(ada)).toBe("active");
      expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
    },
  );
});
