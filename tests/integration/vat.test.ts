import { afterAll, beforeAll, expect, it } from "vitest";
import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests change a setting and move the clock.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  await billing.sql(
    "update public.business_details set legal_name = 'Fourfold Ltd', address = '1 Road', vat_number = 'GB1'",
  );
});
afterAll(async () => await stop());

async function setVat(mode: string, rate = 2000): Promise<void> {
  const insert = "insert into public.vat_settings (mode, rate_basis_points) values ($1, $2)";
  await billing.sql(insert, [mode, rate]);
}

/** The provider tells the second of a payment: what is set in the same one counts for it. */
async function untilNextSecond(): Promise<void> {
  const second = () => Math.floor(Date.now() / 1000);
  await expect.poll(second).toBeGreaterThan(second());
}

type Document = Record<string, unknown>;

/** The member's VAT documents as their own client reads them, oldest first. */
async function documentsOf({ client }: Payer): Promise<Document[]> {
  const { data, error } = await client.rpc("my_vat_documents");
  if (error) throw new Error(error.message);
  return (data as Document[]).toReversed();
}

const subscriptionOf = async (member: Payer) => {
  const row = await billing.subscription(member);
  return await billing.stripe.subscriptions.retrieve(String(row?.["subscription_id"]), {
    expand: ["latest_invoice"],
  });
};

it("is nothing at the provider, and no document, while it is off", async () => {
  const { ada } = await billing.member(studentPlan);
  expect((await subscriptionOf(ada)).default_tax_rates).toEqual([]);
  expect(await documentsOf(ada)).toEqual([]);
});

it("with a fixed rate is part of the same price, in our invoice as in the provider's, and credited with refunds", async () => {
  await setVat("fixed");
  const [{ ada }, { ada: eve }] = [
    await billing.member(studentPlan),
    await billing.member(mentorPlan),
  ];
  const { data: rates } = await billing.stripe.taxRates.list();
  expect(rates).toMatchObject([{ percentage: 20, inclusive: true, country: "GB" }]);
  const held = await subscriptionOf(ada);
  expect(held.default_tax_rates).toMatchObject([{ id: rates[0]?.id }]);
  expect(held.latest_invoice).toMatchObject({
    amount_paid: 5000,
    total_excluding_tax: 4167,
    total_taxes: [{ amount: 833 }],
  });
  const [bill] = await documentsOf(ada);
  expect(bill).toMatchObject({
    kind: "invoice",
    description: "Student Access",
    gross_pence: 5000,
    net_pence: 4167,
    vat_pence: 833,
    rate_basis_points: 2000,
    invoice_id: (held.latest_invoice as { id: string }).id,
  });
  expect(await documentsOf(eve)).toMatchObject([{ gross_pence: 10_000, vat_pence: 1667 }]);
  await billing.stripe.refunds.create({ charge: String(bill?.["payment_id"]), amount: 1000 });
  await billing.deliverWebhooks();
  await billing.deliverWebhooks();
  expect(await documentsOf(ada)).toMatchObject([
    { kind: "invoice" },
    { kind: "credit_note", corrects: bill?.["number"], gross_pence: 1000, vat_pence: 167 },
  ]);
});

it("that is switched on later taxes members' next invoices, also over a planned change of plan", async () => {
  await setVat("none");
  const { ada } = await billing.member(mentorPlan);
  const { ada: eve } = await billing.member(studentPlan);
  await untilNextSecond();
  await setVat("fixed");
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect((await subscriptionOf(ada)).default_tax_rates).toHaveLength(1);
  const quoted = await billing.call(ada.client, "stripe-preview-plan-change", {
    price_id: studentPlan,
  });
  const change = { quote_id: quoted.body["quote_id"] };
  expect((await billing.call(ada.client, "stripe-change-plan", change)).status).toBe(200);
  await billing.deliverWebhooks();
  await billing.advanceClock({ months: 1, hours: 2 });
  await billing.deliverWebhooks();
  for (const member of [ada, eve]) {
    expect((await subscriptionOf(member)).latest_invoice).toMatchObject({
      total: 5000,
      total_taxes: [{ amount: 833 }],
    });
    expect(await documentsOf(member)).toMatchObject([{ gross_pence: 5000, vat_pence: 833 }]);
  }
  // And switched off, it is on none any more.
  await setVat("none");
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect((await subscriptionOf(eve)).default_tax_rates).toEqual([]);
});

it("by Stripe Tax asks for the place, and has the rate of the country", async () => {
  await setVat("stripe_tax");
  const ada = await billing.payer();
  const pay = async (address?: { country: string; postal_code: string }) =>
    await billing.call(ada.client, "stripe-create-subscription-direct", {
      price_id: studentPlan,
      payment_method_id: "pm_card_visa",
      terms_version: 1,
      ...(address && { address }),
    });
  expect(await pay()).toMatchObject({ status: 400, body: { code: "address_missing" } });
  expect(await pay({ country: "ireland", postal_code: "1" })).toMatchObject({ status: 400 });
  expect(await documentsOf(ada)).toEqual([]);
  expect(await pay({ country: "IE", postal_code: "D02" })).toMatchObject({ status: 200 });
  await billing.deliverWebhooks();
  expect(await documentsOf(ada)).toMatchObject([
    { gross_pence: 5000, net_pence: 4065, vat_pence: 935, rate_basis_points: 2300 },
  ]);
  expect((await subscriptionOf(ada)).automatic_tax.enabled).toBe(true);
  await setVat("none");
});
