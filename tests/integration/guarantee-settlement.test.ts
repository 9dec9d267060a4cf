import { afterAll, beforeAll, expect, it } from "vitest";
import { invoicesOf, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because these tests move the clock and break the provider.
let billing: BillingFixture;
let stop: () => Promise<void>;
let admin: Payer;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  admin = await billing.payer();
  await billing.sql("select private.make_admin($1)", [admin.id]);
  await signInWithSecondFactor(admin.client, admin.email);
});
afterAll(async () => await stop());

/** A claim that waits, of a member with three payments. */
async function waitingClaim(): Promise<{ ada: Payer; claim: string }> {
  const ada = await billing.memberWith(studentPlan);
  for (let month = 0; month < 2; month += 1) await billing.advanceClock({ days: 32 });
  const [row] = await billing.sql(
    `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state)
     values ($1, 150000, 'Payslip', '[]', 'filed') returning id`,
    [ada.id],
  );
  return { ada, claim: String(row?.["id"]) };
}

async function grant(claim: string): Promise<void> {
  const { error } = await admin.client.rpc("decide_guarantee_claim", {
    claim_id: claim,
    is_granted: true,
    reason: "Payslip seen",
  });
  expect(error).toBeNull();
  // The decision is made by the database's clock, which the provider's has left behind.
  await billing.sql(
    `update private.guarantee_claims set decided_at = (select max(happened_at) from private.payment_records)
     where id = $1`,
    [claim],
  );
}

const settle = async (claim: string) =>
  await billing.call(admin.client, "admin-settle-guarantee", { claim_id: claim });

it("a granted claim refunds what every invoice took, stops the renewal, and the member stays", async () => {
  const { ada, claim } = await waitingClaim();
  expect(await settle(claim)).toMatchObject({ status: 409, body: { code: "FF680" } });
  await grant(claim);
  expect(await settle(claim)).toEqual({ status: 200, body: { refunded: 3, left: 0 } });
  await billing.deliverWebhooks();
  const invoices = await invoicesOf(ada);
  expect(invoices.map((invoice) => invoice["amount_refunded_pence"])).toEqual(
    invoices.map((invoice) => invoice["amount_paid_pence"]),
  );
  expect(invoices).toHaveLength(3);
  expect(await billing.isMember(ada)).toBe(true);
  // Nothing is left, and nothing is refunded twice.
  expect(await settle(claim)).toEqual({ status: 200, body: { refunded: 0, left: 0 } });
  await billing.advanceClock({ days: 32 });
  expect(await invoicesOf(ada)).toHaveLength(3);
  expect(await billing.isMember(ada)).toBe(true);
});

it("what the provider does not answer is left, and refunded once by the next call", async () => {
  const { ada, claim } = await waitingClaim();
  await grant(claim);
  await billing.control("/faults", {
    path: "/v1/refunds",
    when: "after",
    action: "error",
    status: 500,
    times: 3,
  });
  const first = await settle(claim);
  expect(first).toMatchObject({ status: 200 });
  await billing.clearFailures();
  expect((await settle(claim)).body).toMatchObject({ left: 0 });
  await billing.deliverWebhooks();
  const refunded = (await invoicesOf(ada)).map((invoice) => invoice["amount_refunded_pence"]);
  expect(refunded).toEqual([5000, 5000, 5000]);
});
