import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { mentorPlan, studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests move the clock and break the provider.
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

const withdraw = async (member: Payer) => await billing.call(member.client, "stripe-withdraw", {});

async function rightOf({ client }: Payer): Promise<Record<string, unknown> | null> {
  const { data, error } = await client.rpc("my_withdrawal_right");
  if (error) throw new Error(error.message);
  return (data as Record<string, unknown>[])[0] ?? null;
}

async function refundsOf(member: Payer): Promise<number[]> {
  const customer = await billing.customerId(member);
  const { data } = await billing.stripe.charges.list({ customer });
  return data.map(({ amount_refunded: refunded }) => refunded);
}

/** Puts the first payment back by that long, as if it had been made then. */
const paidBefore = async ({ id }: Payer, interval: string) =>
  await billing.sql(
    `alter table private.payment_records disable trigger payment_records__append_only;
     update private.payment_records r set happened_at = now() - interval '${interval}'
     from public.stripe_customers c where c.customer_id = r.customer_id and c.user_id = '${id}';
     alter table private.payment_records enable trigger payment_records__append_only`,
    [],
  );

it("gives everything back, ends the membership at once, and is confirmed by e-mail", async () => {
  const { ada } = await billing.member(studentPlan);
  const before = await rightOf(ada);
  expect(before).toMatchObject({ amount_pence: 5000, currency: "gbp" });
  const days = (Date.parse(String(before?.["ends_at"])) - Date.now()) / 86_400_000;
  // Fourteen whole days after today; the last one counts to its end.
  expect(days).toBeGreaterThan(14);
  expect(days).toBeLessThanOrEqual(15.1);
  expect(await withdraw(ada)).toEqual({ status: 200, body: { refunded_pence: 5000 } });
  expect(await refundsOf(ada)).toEqual([5000]);
  expect((await billing.atProvider(ada)).live).toEqual([]);
  expect(await billing.isMember(ada)).toBe(false);
  expect(await rightOf(ada)).toBeNull();
  const mails = await billing.sql<{ template: string }>(
    "select template from private.email_outbox where user_id = $1",
    [ada.id],
  );
  expect(mails.map(({ template }) => template)).toContain("membership_withdrawn");
  const log =
    "select actor from private.audit_log where action = 'billing.withdrawn' and subject = $1";
  expect(await billing.sql(log, [ada.id])).toEqual([{ actor: ada.id }]);
  // Joining and withdrawing in turn would be a membership for nothing.
  expect((await billing.pay(ada, studentPlan)).status).toBe(200);
  await billing.deliverWebhooks();
  expect(await rightOf(ada)).toBeNull();
  expect(await withdraw(ada)).toMatchObject({ status: 409 });
  expect(await billing.isMember(ada)).toBe(true);
});

it("of an upgraded membership gives both payments back, less what was refunded before", async () => {
  const { ada } = await billing.member(studentPlan);
  const quoted = await billing.call(ada.client, "stripe-preview-plan-change", {
    price_id: mentorPlan,
  });
  const change = { quote_id: quoted.body["quote_id"] };
  expect((await billing.call(ada.client, "stripe-change-plan", change)).status).toBe(200);
  await billing.deliverWebhooks();
  const customer = await billing.customerId(ada);
  const { data: paid } = await billing.stripe.charges.list({ customer });
  await billing.stripe.refunds.create({ charge: paid.at(-1)?.id ?? "", amount: 1000 });
  await billing.deliverWebhooks();
  const whole = paid.reduce((sum, { amount }) => sum + amount, 0);
  expect(await rightOf(ada)).toMatchObject({ amount_pence: whole - 1000 });
  expect((await withdraw(ada)).body).toEqual({ refunded_pence: whole - 1000 });
  expect((await refundsOf(ada)).reduce((sum, refunded) => sum + refunded, 0)).toBe(whole);
  expect(await billing.role(ada)).toBe("student");
});

it("counts what a switch of plan has just cost, before the provider's event", async () => {
  const { ada } = await billing.member(studentPlan);
  await billing.control("/webhooks/pause", {});
  const quoted = await billing.call(ada.client, "stripe-preview-plan-change", {
    price_id: mentorPlan,
  });
  const change = { quote_id: quoted.body["quote_id"] };
  expect((await billing.call(ada.client, "stripe-change-plan", change)).status).toBe(200);
  const paid = 5000 + Number(quoted.body["due_now"]);
  expect(await rightOf(ada)).toMatchObject({ amount_pence: paid });
});

it("pressed twice at once refunds once", async () => {
  const { ada } = await billing.member(studentPlan);
  const answers = await Promise.all([withdraw(ada), withdraw(ada)]);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(await refundsOf(ada)).toEqual([5000]);
});

it("whose refund has no answer is gone on with by the scheduled run, once", async () => {
  const { ada } = await billing.member(studentPlan);
  await billing.control("/faults", {
    method: "POST",
    path: "/v1/refunds",
    when: "after",
    action: "error",
    shouldRetry: false,
    times: 9,
  });
  expect(await withdraw(ada)).toMatchObject({
    status: 502,
    body: {
      code: "provider_unavailable",
      error: expect.stringContaining("Your membership has ended"),
    },
  });
  // The membership has ended all the same.
  expect((await billing.atProvider(ada)).live).toEqual([]);
  await billing.clearFailures();
  await billing.sql("update private.withdrawals set requested_at = now() - interval '6 minutes'");
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect(await refundsOf(ada)).toEqual([5000]);
  expect(await isSettled(ada)).toBe(true);
});

const failRefunds = async (when: "after" | "before", status = 500) => {
  const failing = { path: "/v1/refunds", method: "POST", action: "error", shouldRetry: false };
  await billing.control("/faults", { ...failing, when, status, times: 50 });
};

/** Lets minutes go by for what was withdrawn and for the refunds that were asked for. */
const passMinutes = async (minutes: number) => {
  const column = (table: string, name: string) =>
    `update private.${table} set ${name} = ${name} - interval '${minutes} minutes'`;
  await billing.sql(column("refund_requests", "last_tried_at"));
  await billing.sql(column("withdrawals", "requested_at"));
};

const isSettled = async ({ id }: Payer) => {
  const open = "select from private.withdrawals where user_id = $1 and settled_at is null";
  return (await billing.sql(open, [id])).length === 0;
};

it("whose refund never reached the provider is refunded once by the scheduled run, and is settled only then", async () => {
  const { ada } = await billing.member(studentPlan);
  await failRefunds("before");
  expect((await withdraw(ada)).status).toBe(502);
  await passMinutes(11);
  // The provider has no such refund, and the next one waits.
  await billing.reconcile();
  expect(await refundsOf(ada)).toEqual([0]);
  expect(await isSettled(ada)).toBe(false);
  await billing.clearFailures();
  await passMinutes(5);
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect(await refundsOf(ada)).toEqual([5000]);
  expect(await isSettled(ada)).toBe(true);
  await passMinutes(300);
  await billing.reconcile();
  expect(await refundsOf(ada)).toEqual([5000]);
});

it("that the provider refuses is not settled, and is asked for again after a longer wait each time", async () => {
  const { ada } = await billing.member(studentPlan);
  await failRefunds("before", 400);
  expect((await withdraw(ada)).status).toBe(502);
  const requests = async () => {
    const charge = `select c.charge_id from private.billing_charges c
      join public.stripe_customers k on k.customer_id = c.customer_id where k.user_id = $1`;
    const all = `select state from private.refund_requests where charge_id in (${charge})`;
    return (await billing.sql<{ state: string }>(all, [ada.id])).map(({ state }) => state);
  };
  // Another call may still be at it.
  expect((await withdraw(ada)).status).toBe(502);
  expect(await requests()).toEqual(["refused"]);
  await passMinutes(16);
  expect(await billing.reconcile()).toMatchObject({ failed: 1 });
  expect(await requests()).toEqual(["refused", "refused"]);
  await passMinutes(16);
  expect(await billing.reconcile()).toMatchObject({ failed: 0 });
  expect(await requests()).toEqual(["refused", "refused"]);
  expect(await isSettled(ada)).toBe(false);
  await billing.clearFailures();
  // The member need not wait that long.
  expect(await withdraw(ada)).toEqual({ status: 200, body: { refunded_pence: 5000 } });
  expect(await refundsOf(ada)).toEqual([5000]);
  expect(await isSettled(ada)).toBe(true);
});

it("is over after the fourteenth day, and refused", async () => {
  const { ada } = await billing.member(studentPlan);
  await paidBefore(ada, "13 days 12 hours");
  expect(await rightOf(ada)).not.toBeNull();
  await paidBefore(ada, "15 days 1 hour");
  expect(await rightOf(ada)).toBeNull();
  expect(await withdraw(ada)).toMatchObject({
    status: 409,
    body: { code: "withdrawal_not_possible" },
  });
  expect(await refundsOf(ada)).toEqual([0]);
  expect(await billing.isMember(ada)).toBe(true);
});

it("is not offered without a payment, or while the bank disputes it", async () => {
  expect(await rightOf(await billing.payer())).toBeNull();
  const { ada } = await billing.member(studentPlan);
  const customer = await billing.customerId(ada);
  const [charge] = (await billing.stripe.charges.list({ customer })).data;
  await billing.control("/disputes", { charge: charge?.id });
  await billing.deliverWebhooks();
  expect(await rightOf(ada)).toBeNull();
  expect((await withdraw(ada)).status).toBe(409);
});

it("counts from the first payment: a renewal is no new contract", async () => {
  const { ada } = await billing.member(studentPlan);
  await billing.control("/clock", { months: 1, hours: 2 });
  await billing.deliverWebhooks();
  // A renewal is no new contract.
  await paidBefore(ada, "20 days");
  expect(await rightOf(ada)).toBeNull();
});

/** What a withdrawal gives back, as the owner chose. */
const setRefund = async (refund: "full" | "proportion") =>
  await billing.sql(
    `insert into public.billing_rules (withdrawal_refund) values ($1)
     on conflict (id) do update set withdrawal_refund = excluded.withdrawal_refund`,
    [refund],
  );

/** Puts the paid period so that this many of its thirty days are over. */
const useDays = async ({ id }: Payer, days: number) =>
  await billing.sql(
    `update private.billing_charges c set period_start = extract(epoch from now() - interval '${days} days 5 hours'),
       period_end = extract(epoch from now() + interval '${29 - days} days 19 hours')
     from public.stripe_customers k where k.customer_id = c.customer_id and k.user_id = $1`,
    [id],
  );

it("whose refund was made without an answer is refunded once, also where less than half comes back", async () => {
  const { ada } = await billing.member(studentPlan);
  const state = async (state: string) =>
    await billing.sql(
      `update private.refund_requests q set state = $2, refund_id = null
       from private.billing_charges c join public.stripe_customers k on k.customer_id = c.customer_id
       where q.charge_id = c.charge_id and k.user_id = $1`,
      [ada.id, state],
    );
  try {
    await setRefund("proportion");
    await useDays(ada, 20);
    await failRefunds("after");
    expect((await withdraw(ada)).status).toBe(502);
    await billing.clearFailures();
    await passMinutes(20);
    await billing.reconcile();
    expect(await refundsOf(ada)).toEqual([1667]);
    expect(await isSettled(ada)).toBe(true);
    // Also where it was written down as refused: the payment says what was given back.
    await state("refused");
    await billing.sql("update private.withdrawals set settled_at = null where user_id = $1", [
      ada.id,
    ]);
    await passMinutes(20);
    await billing.reconcile();
    expect(await refundsOf(ada)).toEqual([1667]);
    expect(await isSettled(ada)).toBe(true);
  } finally {
    await setRefund("full");
  }
});

it("in proportion gives back the days that were not used, of the plan as of its upgrade", async () => {
  const { ada } = await billing.member(studentPlan);
  try {
    await setRefund("proportion");
    // Nothing is used before the first day is over.
    expect(await rightOf(ada)).toMatchObject({ amount_pence: 5000 });
    await useDays(ada, 7);
    // Seven of thirty days: £50 less £11.67.
    expect(await rightOf(ada)).toMatchObject({ amount_pence: 3833 });
    expect((await withdraw(ada)).body).toEqual({ refunded_pence: 3833 });
    expect(await refundsOf(ada)).toEqual([3833]);
    expect((await billing.atProvider(ada)).live).toEqual([]);
    expect(await billing.isMember(ada)).toBe(false);
  } finally {
    await setRefund("full");
  }
});
