import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
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
  await signInWithSecondFactor(admin.client, admin.email);
  await billing.sql("select private.make_admin($1)", [admin.id]);
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.endMemberships();
});

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

/** Makes the provider fail calls, before or after it has done what was asked. */
async function breakProvider(fault: {
  path?: string;
  when: "before" | "after";
  times: number;
}): Promise<void> {
  await billing.control("/faults", { ...fault, action: "error", shouldRetry: false });
}

/** The amounts the provider has refunded to a member, one for each refund. */
async function refundsAtProvider(ada: Payer): Promise<number[]> {
  const customer = await billing.customerId(ada);
  const charges = await billing.stripe.charges.list({ customer, limit: 100 });
  const amounts: number[] = [];
  for (const { id: charge } of charges.data) {
    const refunds = await billing.stripe.refunds.list({ charge, limit: 100 });
    amounts.push(...refunds.data.map(({ amount }) => amount));
  }
  return amounts;
}

/** Lets the time go by that a call in progress keeps others away from a refund. */
async function passLease(): Promise<void> {
  await billing.sql(
    "update private.refund_requests set last_tried_at = last_tried_at - interval '3 minutes'",
  );
}

const done = { left: 0, renews: false };

it("a granted claim refunds what every invoice took, stops the renewal, and the member stays", async () => {
  const { ada, claim } = await waitingClaim();
  expect(await settle(claim)).toMatchObject({ status: 409, body: { code: "FF680" } });
  await grant(claim);
  expect(await settle(claim)).toEqual({ status: 200, body: { refunded: 3, ...done } });
  await billing.deliverWebhooks();
  const invoices = await invoicesOf(ada);
  expect(invoices.map((invoice) => invoice["amount_refunded_pence"])).toEqual(
    invoices.map((invoice) => invoice["amount_paid_pence"]),
  );
  expect(invoices).toHaveLength(3);
  expect(await billing.isMember(ada)).toBe(true);
  // Nothing is left, and nothing is refunded twice.
  expect(await settle(claim)).toEqual({ status: 200, body: { refunded: 0, ...done } });
  await billing.advanceClock({ days: 32 });
  expect(await invoicesOf(ada)).toHaveLength(3);
  expect(await billing.isMember(ada)).toBe(true);
  expect(
    await billing.sql(
      `select action, actor from private.audit_log where subject = $1
       and action in ('account.renewal_stopped', 'payment.refund_started') order by id`,
      [ada.id],
    ),
  ).toEqual(
    ["account.renewal_stopped", ...Array<string>(3).fill("payment.refund_started")].map(
      (action) => ({ action, actor: admin.id }),
    ),
  );
});

it("what the provider does not answer is left, and refunded once by the next call", async () => {
  const { ada, claim } = await waitingClaim();
  await grant(claim);
  await breakProvider({ path: "/v1/refunds", when: "after", times: 3 });
  expect(await settle(claim)).toMatchObject({ status: 200 });
  await billing.clearFailures();
  expect((await settle(claim)).body).toMatchObject(done);
  await billing.deliverWebhooks();
  const refunded = (await invoicesOf(ada)).map((invoice) => invoice["amount_refunded_pence"]);
  expect(refunded).toEqual([5000, 5000, 5000]);
  expect(await refundsAtProvider(ada)).toEqual([5000, 5000, 5000]);
});

it("the scheduled run settles a granted claim that nobody settled, and no other", async () => {
  const [{ ada, claim }, { ada: ben }] = [await waitingClaim(), await waitingClaim()];
  await grant(claim);
  // The provider's clock is everyone's.
  const payments = (await invoicesOf(ada)).map(() => 5000);
  // The provider is out of order: nothing is stopped or refunded, and nothing is lost.
  await breakProvider({ when: "before", times: 1000 });
  expect((await settle(claim)).body).toEqual({
    refunded: 0,
    left: payments.length,
    renews: true,
  });
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 0 });
  expect(await billing.isMember(ada)).toBe(true);
  await billing.clearFailures();
  expect(await refundsAtProvider(ada)).toEqual([]);
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 1 });
  expect(await refundsAtProvider(ada)).toEqual(payments);
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 0 });
  await billing.advanceClock({ days: 32 });
  expect(await invoicesOf(ada)).toHaveLength(payments.length);
  expect(await billing.isMember(ada)).toBe(true);
  expect(await refundsAtProvider(ada)).toEqual(payments);
  // A claim that waits costs nothing yet.
  expect(await refundsAtProvider(ben)).toEqual([]);
  expect(await billing.status(ben)).toBe("active");
});

it("a server that stopped in the middle of a refund leaves it for the scheduled run", async () => {
  const { ada, claim } = await waitingClaim();
  await grant(claim);
  const [payment] = await billing.sql<{ id: string }>(
    `select b.charge_id as id from private.billing_charges b join public.stripe_customers c using (customer_id)
     where c.user_id = $1 limit 1`,
    [ada.id],
  );
  await billing.sql("select private.billing_begin_claim_refund($1, $2, null)", [
    claim,
    payment?.id,
  ]);
  // For two minutes it counts as being asked for.
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 0 });
  expect(await refundsAtProvider(ada)).toHaveLength(2);
  await passLease();
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 1 });
  expect(await refundsAtProvider(ada)).toEqual([5000, 5000, 5000]);
});

it("calls at the same time refund each payment once", async () => {
  const { ada, claim } = await waitingClaim();
  await grant(claim);
  const answers = await Promise.all([settle(claim), settle(claim), billing.reconcile()]);
  expect(answers.slice(0, 2).map((answer) => answer["status"])).toEqual([200, 200]);
  await billing.deliverWebhooks();
  expect(await refundsAtProvider(ada)).toEqual([5000, 5000, 5000]);
  expect((await settle(claim)).body).toEqual({ refunded: 0, ...done });
  expect(
    await billing.sql("select state, count(*)::integer from private.refund_requests q group by 1"),
  ).toEqual([{ state: "made", count: expect.any(Number) as number }]);
});

it("what the member buys after it was settled is not refunded", async () => {
  const { ada, claim } = await waitingClaim();
  await grant(claim);
  await settle(claim);
  await billing.advanceClock({ days: 40 });
  await billing.pay(ada, studentPlan);
  await billing.deliverWebhooks();
  expect(await billing.reconcile()).toMatchObject({ settled_claims: 0 });
  expect((await settle(claim)).body).toEqual({ refunded: 0, ...done });
  expect(await refundsAtProvider(ada)).toHaveLength(3);
  expect(await billing.status(ada)).toBe("active");
});

it("a renewal that is unpaid when the claim is granted is not taken later", async () => {
  const { ada, claim } = await waitingClaim();
  const customer = await billing.customerId(ada);
  const subscription = String((await billing.subscription(ada))?.["subscription_id"]);
  const pay = async (card: string) => {
    const { id } = await billing.stripe.paymentMethods.attach(card, { customer });
    await billing.stripe.subscriptions.update(subscription, { default_payment_method: id });
    await billing.deliverWebhooks();
  };
  await pay("pm_card_chargeCustomerFail");
  await billing.advanceClock({ days: 32 });
  expect(await billing.status(ada)).toBe("past_due");
  await grant(claim);
  expect((await settle(claim)).body).toEqual({ refunded: 3, ...done });
  const open = await billing.stripe.invoices.list({ customer, status: "open" });
  expect(open.data).toEqual([]);
  // The provider would try the card again for two weeks.
  await billing.advanceClock({ days: 15 });
  const { data } = await billing.stripe.charges.list({ customer, limit: 100 });
  expect(data.filter((charge) => charge.paid && !charge.refunded)).toEqual([]);
});
