import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { studentPlan, type BillingFixture, type Payer } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because the provider's clock moves for all customers and never back.
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
  await billing.control("/webhooks/resume", {});
});

type FailedPayment = Record<string, unknown> & { invoice_id: string };

async function owedBy({ id }: Payer): Promise<FailedPayment | undefined> {
  const { data, error } = await admin.client.rpc("admin_failed_payments");
  if (error) throw new Error(error.message);
  return (data as FailedPayment[]).find(({ user_id: user }) => user === id);
}

/** A member whose renewal was declined. */
async function lateMember(): Promise<{ ada: Payer; owed: FailedPayment }> {
  const ada = await billing.memberWith(studentPlan, "pm_card_chargeCustomerFail");
  await billing.advanceClock({ months: 1, hours: 2 });
  const owed = await owedBy(ada);
  if (owed === undefined) throw new Error("nothing is owed");
  return { ada, owed };
}

const retry = async ({ invoice_id }: FailedPayment, id = randomUUID()) =>
  await billing.call(admin.client, "admin-retry-payment", { request_id: id, invoice_id });

async function payWith(ada: Payer, card: string): Promise<void> {
  const customer = await billing.customerId(ada);
  const method = await billing.stripe.paymentMethods.attach(card, { customer });
  const id = String((await billing.subscription(ada))?.["subscription_id"]);
  await billing.stripe.subscriptions.update(id, { default_payment_method: method.id });
}

const actsOn = async ({ id }: Payer) =>
  await billing.sql(
    "select action, detail - 'amount_pence' - 'currency' as detail from private.audit_log where subject = $1 and actor = $2 order by id",
    [id, admin.id],
  );

describe("a renewal that was declined", () => {
  it("is listed with the provider's tries and the bank's reason", async () => {
    const { ada, owed } = await lateMember();
    const invoice = await billing.stripe.invoices.retrieve(owed.invoice_id);
    expect(owed).toMatchObject({
      amount_pence: 5000,
      attempts: 1,
      failure_code: "generic_decline",
      membership: "past_due",
      email: ada.email,
    });
    expect(Date.parse(String(owed["next_attempt_at"]))).toBe(
      (invoice.next_payment_attempt ?? 0) * 1000,
    );
    // What a webhook missed, the reconciliation finds, with the reason.
    await billing.sql("delete from public.invoices where invoice_id = $1", [owed.invoice_id]);
    await billing.reconcile();
    expect(await owedBy(ada)).toMatchObject({ attempts: 1, failure_code: "generic_decline" });
  });

  it("is declined again with its code, on record, and the schedule stays", async () => {
    const { ada, owed } = await lateMember();
    for (const _ of [1, 2]) {
      expect(await retry(owed)).toMatchObject({
        status: 402,
        body: { code: "payment_declined", reason: "generic_decline" },
      });
    }
    const { attempts, next_attempt_at } = owed;
    expect(await owedBy(ada)).toMatchObject({ attempts, next_attempt_at });
    const { invoice_id: invoice } = owed;
    const asked = { action: "payment.retried", detail: { invoice } };
    const declined = {
      action: "payment.retry_declined",
      detail: { invoice, reason: "generic_decline" },
    };
    expect(await actsOn(ada)).toEqual([asked, declined, asked, declined]);
  });

  it("is paid once, however often and by whomever it is tried, and the membership is back", async () => {
    const { ada, owed } = await lateMember();
    await payWith(ada, "pm_card_visa");
    const id = randomUUID();
    const answers = await Promise.all([retry(owed, id), retry(owed, id), retry(owed)]);
    // A call that came after the payment was read is answered that nothing is owed.
    for (const { status, body } of answers) {
      if (status === 200) expect(body).toEqual({ paid: true });
      else expect([status, body["code"]]).toEqual([409, "FF277"]);
    }
    expect(answers.map(({ status }) => status)).toContain(200);
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
    // Without waiting for the webhook.
    expect(await owedBy(ada)).toBeUndefined();
    expect(await billing.isMember(ada)).toBe(true);
    await billing.deliverWebhooks();
    expect(await retry(owed)).toMatchObject({ status: 409, body: { code: "FF277" } });
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
  });

  it("is not said to be unpaid when the answer is lost, and is paid once when it is repeated", async () => {
    const { ada, owed } = await lateMember();
    await payWith(ada, "pm_card_visa");
    await billing.deliverWebhooks();
    // Else the webhook tells at once.
    await billing.control("/webhooks/pause", {});
    await billing.control("/faults", {
      path: `/v1/invoices/${owed.invoice_id}/pay`,
      when: "after",
      action: "error",
      shouldRetry: false,
      times: 9,
    });
    expect(await retry(owed)).toMatchObject({ status: 502 });
    await billing.clearFailures();
    expect(await retry(owed)).toEqual({ status: 200, body: { paid: true } });
    expect((await billing.atProvider(ada)).paid).toEqual([5000, 5000]);
  });

  it("that waits for the bank's question is a refusal, because its member is away", async () => {
    const { ada, owed } = await lateMember();
    await payWith(ada, "pm_card_authenticationRequired");
    const answer = await retry(owed);
    expect(answer).toMatchObject({ status: 402, body: { reason: "authentication_required" } });
    expect((await billing.atProvider(ada)).paid).toEqual([5000]);
  });
});
