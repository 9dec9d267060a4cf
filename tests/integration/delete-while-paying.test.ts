import pg from "pg";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { testPassword } from "../support/clients.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests pause webhooks and slow the provider down.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
});

const remove = async ({ client }: Payer) =>
  await billing.call(client, "delete-my-account", { password: testPassword });

/** Payments that the provider took from a customer, in pence. */
async function takenFrom(customer: string): Promise<number[]> {
  const { data } = await billing.stripe.charges.list({ customer, limit: 100 });
  return data.filter((charge) => charge.paid).map(({ amount }) => amount);
}

it("a plan that is being paid while the account is deleted takes nothing", async () => {
  const ada = await billing.payer();
  await billing.control("/webhooks/pause", {});
  const slow = { path: "/v1/payment_intents/*/confirm", when: "before", action: "delay" };
  await billing.control("/faults", { ...slow, delayMs: 3000, times: 1 });
  const paying = billing.pay(ada, studentPlan);
  const recorded =
    "select from private.billing_attempts where user_id = $1 and subscription_id is not null";
  await vi.waitFor(async () => expect(await billing.sql(recorded, [ada.id])).toHaveLength(1), 5000);
  const customer = await billing.customerId(ada);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect((await paying).body).toMatchObject({ success: false });
  expect(await billing.sql("select from auth.users where id = $1", [ada.id])).toEqual([]);
  expect(await takenFrom(customer)).toEqual([]);
  const { data } = await billing.stripe.subscriptions.list({ customer, status: "all" });
  expect(data.map(({ status }) => status)).not.toContain("active");
});

it("a payment whose event comes after the deletion is in the books", async () => {
  const ada = await billing.payer();
  await billing.control("/webhooks/pause", {});
  await billing.pay(ada, studentPlan);
  const customer = await billing.customerId(ada);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  await billing.control("/webhooks/resume", {});
  const deliveries = await billing.deliverWebhooks();
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set([200]));
  const records =
    "select kind, amount::integer from private.payment_records where customer_id = $1";
  expect(await billing.sql(records, [customer])).toEqual([{ kind: "payment", amount: 5000 }]);
});

/** Backends that wait for a lock another transaction holds. */
const blocked =
  "select pid from pg_stat_activity where cardinality(pg_blocking_pids(pid)) > 0 and datname = current_database()";

it("an account that is deleted while its subscription is being written waits, and both succeed", async () => {
  const { ada, subscription } = await billing.member(studentPlan);
  const owner = new pg.Client({ connectionString: billing.host.databaseUrl });
  await owner.connect();
  try {
    await owner.query("begin");
    const held = "select from stripe_subscriptions where subscription_id = $1 for update";
    await owner.query(held, [subscription]);
    // The event is written halfway, with its customer locked, when the deletion begins.
    await billing.stripe.subscriptions.cancel(subscription);
    await vi.waitFor(async () => expect(await billing.sql(blocked)).toHaveLength(1), 5000);
    const deleting = billing.sql("delete from auth.users where id = $1", [ada.id]);
    await vi.waitFor(async () => expect((await owner.query(blocked)).rowCount).toBe(2), 5000);
    await owner.query("commit");
    await deleting;
  } finally {
    await owner.end();
  }
  const deliveries = await billing.deliverWebhooks();
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await billing.sql("select from auth.users where id = $1", [ada.id])).toEqual([]);
});

/** What the provider has given back to a customer, in pence. */
async function refundedTo(customer: string): Promise<number> {
  const { data } = await billing.stripe.charges.list({ customer, limit: 100 });
  return data.reduce((sum, { amount_refunded: refunded }) => sum + refunded, 0);
}

const breakRefunds = async (status = 500) => {
  const refusal = { path: "/v1/refunds", when: "before", action: "error", shouldRetry: false };
  await billing.control("/faults", { ...refusal, status, method: "POST", times: 20 });
};

/** Lets minutes go by for the refunds that were asked for. */
const passMinutes = async (minutes: number) =>
  await billing.sql(
    `update private.refund_requests set last_tried_at = last_tried_at - interval '${minutes} minutes'`,
  );

it("an account that withdrew goes once its refund is made", async () => {
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  await breakRefunds();
  expect(await billing.call(ada.client, "stripe-withdraw", {})).toMatchObject({ status: 502 });
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: "refund_owed" } });
  expect(await billing.sql("select from auth.users where id = $1", [ada.id])).toHaveLength(1);
  await billing.clearFailures();
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect(await refundedTo(customer)).toBe(5000);
});

it("an account whose refund the provider refuses, or never got, stays until it is made", async () => {
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  await breakRefunds(400);
  const owed = { status: 409, body: { code: "refund_owed" } };
  expect(await billing.call(ada.client, "stripe-withdraw", {})).toMatchObject({ status: 502 });
  for (const minutes of [0, 3, 3]) {
    await passMinutes(minutes);
    expect(await remove(ada)).toMatchObject(owed);
  }
  await billing.clearFailures();
  await breakRefunds();
  await passMinutes(3);
  expect(await remove(ada)).toMatchObject(owed);
  await passMinutes(11);
  await billing.reconcile();
  expect(await remove(ada)).toMatchObject(owed);
  await billing.clearFailures();
  await passMinutes(3);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect(await refundedTo(customer)).toBe(5000);
});

/** A granted claim under the guarantee, decided in the time to come, so that it covers what is paid until then. */
const grantClaim = async ({ id }: Payer, decidedIn: string) =>
  await billing.sql(
    `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state, reason, decided_at)
     values ($1, 150000, 'Payslip', '[]', 'granted', 'Payslip seen', now() + $2::interval)`,
    [id, decidedIn],
  );

it("an account whose claim under the guarantee was granted goes once its payments are refunded", async () => {
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  await grantClaim(ada, "1 minute");
  await breakRefunds();
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: "refund_owed" } });
  await billing.clearFailures();
  await passMinutes(180);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect(await refundedTo(customer)).toBe(5000);
});

it("a refund of a granted claim that waits names no time to try again", async () => {
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  await grantClaim(ada, "1 minute");
  await breakRefunds(400);
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: "refund_owed" } });
  await billing.clearFailures();
  await passMinutes(3);
  const error = expect.stringMatching(
    /^We owe you a refund.+ We're still trying: .+ once you have/,
  );
  expect(await remove(ada)).toMatchObject({ status: 409, body: { code: "refund_owed", error } });
  await passMinutes(13);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect(await refundedTo(customer)).toBe(5000);
});

it("a renewal that is read only while the account is deleted is refunded with its granted claim", async () => {
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  await grantClaim(ada, "40 days");
  await billing.control("/webhooks/pause", {});
  await billing.control("/clock", { months: 1, hours: 2 });
  expect(await takenFrom(customer)).toEqual([5000, 5000]);
  expect(await remove(ada)).toMatchObject({ status: 200 });
  expect(await refundedTo(customer)).toBe(10_000);
});

it("a claim that waits for a decision does not keep an account", async () => {
  const { ada } = await billing.member(studentPlan);
  await billing.sql(
    `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state)
     values ($1, 150000, 'Payslip', '[]', 'filed')`,
    [ada.id],
  );
  expect(await remove(ada)).toMatchObject({ status: 200 });
});
