import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { invoicesOf, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests move the clock. At the provider a renewal's invoice is a draft for an hour.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  await billing.control("/renewals", { stayDrafts: true });
});
afterAll(async () => await stop());
afterEach(async () => await billing.endMemberships());

const chargesOf = async (member: Payer) => {
  const customer = await billing.customerId(member);
  return (await billing.stripe.charges.list({ customer })).data;
};
const endOf = async (member: Payer) =>
  Number((await billing.subscription(member))?.["current_period_end"]);

/** A member whose period has just been renewed, with the invoice still a draft. */
async function inDraftHour(): Promise<{ ada: Payer; subscription: string; before: number }> {
  const { ada, subscription } = await billing.member(studentPlan);
  const before = await endOf(ada);
  const { now } = await billing.control("/clock");
  await billing.advanceClock({ seconds: before - Number(now) + 300 });
  return { ada, subscription, before };
}

it("a renewed membership is open at once, is listed when it is charged, and links to the provider's papers", async () => {
  const { ada, before } = await inDraftHour();
  expect(await billing.isMember(ada)).toBe(true);
  expect(await endOf(ada)).toBeGreaterThan(before);
  expect(await chargesOf(ada)).toHaveLength(1);
  expect(await invoicesOf(ada)).toHaveLength(1);
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect(await invoicesOf(ada), "also when everything is read again").toHaveLength(1);
  await billing.advanceClock({ hours: 1 });
  expect(await chargesOf(ada)).toHaveLength(2);
  const invoices = await invoicesOf(ada);
  expect(invoices).toMatchObject([
    { status: "paid", amount_paid_pence: 5000 },
    { status: "paid", amount_paid_pence: 5000 },
  ]);
  for (const invoice of invoices) {
    for (const paper of ["receipt_url", "hosted_url"]) {
      const answer = await fetch(String(invoice[paper]));
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("50")]);
    }
    const pdf = await fetch(String(invoice["pdf_url"]));
    expect([pdf.headers.get("content-type"), (await pdf.text()).slice(0, 5)]).toEqual([
      "application/pdf",
      "%PDF-",
    ]);
  }
});

it("cancelled in that hour it ends with the period that has begun, which is still charged, once", async () => {
  const { ada, subscription } = await inDraftHour();
  const end = await endOf(ada);
  const cancelled = await billing.call(ada.client, "stripe-cancel-subscription", {
    subscription_id: subscription,
  });
  expect(cancelled.status).toBe(200);
  await billing.advanceClock({ hours: 1 });
  expect(await chargesOf(ada)).toHaveLength(2);
  expect(await billing.subscription(ada)).toMatchObject({
    status: "active",
    cancel_at_period_end: true,
    current_period_end: end,
  });
  await billing.advanceClock({ months: 1, hours: 2 });
  expect(await chargesOf(ada)).toHaveLength(2);
  expect(await billing.isMember(ada)).toBe(false);
});

it("a card saved in that hour pays", async () => {
  const { ada } = await inDraftHour();
  const setup = await billing.call(ada.client, "stripe-create-setup-intent");
  const id = String(setup.body["client_secret"]).split("_secret_")[0] ?? "";
  await billing.stripe.setupIntents.confirm(id, { payment_method: "pm_card_mastercard" });
  const saved = await billing.call(ada.client, "stripe-update-card", { setup_intent_id: id });
  expect(saved.status).toBe(200);
  await billing.advanceClock({ hours: 1 });
  const [latest] = await chargesOf(ada);
  expect(latest?.payment_method_details?.card?.brand).toBe("mastercard");
  expect(await chargesOf(ada)).toHaveLength(2);
});

it("a membership that is withdrawn from in that hour is not charged for the period that has begun", async () => {
  const { ada } = await inDraftHour();
  // As if it had been bought within the last fourteen days.
  expect((await billing.call(ada.client, "stripe-withdraw")).status).toBe(200);
  await billing.advanceClock({ hours: 2 });
  const charges = await chargesOf(ada);
  expect(charges.map(({ amount, amount_refunded: back }) => [amount, back])).toEqual([
    [5000, 5000],
  ]);
  expect(await billing.isMember(ada)).toBe(false);
});
