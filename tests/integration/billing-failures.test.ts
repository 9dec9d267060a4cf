import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import handlePurchase from "../../supabase/functions/stripe-create-subscription-direct/handler.ts";
import {
  mentorPlan,
  studentPlan,
  type FunctionResult,
  type Payer,
  type BillingFixture,
} from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { testPassword } from "../support/clients.ts";
import { freePort } from "../support/spawn-product.ts";

// A product of its own, so that injected failures do not reach other tests.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => await billing.clearFailures());

const paid: FunctionResult = { status: 200, body: { success: true, requires_action: false } };
const unsure = {
  status: 502,
  body: { success: false, requires_action: false, code: "provider_unavailable" },
};
const steps = [
  ["making the customer", "/v1/customers"],
  ["naming the customer", "/v1/customers/*"],
  ["preparing the subscription", "/v1/subscriptions"],
  ["paying", "/v1/payment_intents/*/confirm"],
  ["reading the result", "/v1/subscriptions/*"],
] as const;

/** Longer than any test. Clearing the failures releases a delayed call. */
const delayMs = 600_000;
const pollOptions = { timeout: 60_000, interval: 20 };
/** More attempts than the library makes. */
const everyAttempt = 10;

async function injectFailure(path: string, how: Record<string, unknown>): Promise<void> {
  const method = path === "/v1/subscriptions/*" ? "GET" : "POST";
  await billing.control("/faults", { method, path, ...how });
}

async function expectOneMembership(payer: Payer, { customers = 1 } = {}): Promise<void> {
  await billing.deliverWebhooks();
  const held = await billing.atProvider(payer);
  expect(held).toMatchObject({ customers, unfinished: [], paid: [5000] });
  expect(held.live).toHaveLength(1);
  expect(await billing.subscription(payer)).toMatchObject({
    status: "active",
    subscription_id: held.live[0],
  });
}

describe("an answer that is lost once", () => {
  it.each(steps)("after %s is repeated, and the member notices nothing", async (_, path) => {
    const ada = await billing.payer();
    await injectFailure(path, { when: "after", action: "drop" });
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await expectOneMembership(ada);
  });

  it("because of an error of the provider is repeated", async () => {
    const ada = await billing.payer();
    await injectFailure("/v1/subscriptions", { when: "before", action: "error", status: 503 });
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await expectOneMembership(ada);
  });
});

it.each(steps)(
  "an error of the provider's own after %s, which it repeats for a day, is no dead end",
  async (_, path) => {
    const ada = await billing.payer();
    await injectFailure(path, { when: "after", action: "error", status: 500 });
    await billing.pay(ada, studentPlan);
    expect(await billing.pay(ada, studentPlan)).toSatisfy(
      ({ status, body }: Awaited<ReturnType<typeof billing.pay>>) =>
        status === 200 || body["code"] === "already_subscribed",
    );
    // A customer whose id was never told is left at the provider, with nothing in it.
    await expectOneMembership(ada, { customers: path === "/v1/customers" ? 2 : 1 });
  },
);

describe("a provider that stays silent", () => {
  const isPaying = (path: string) => path.endsWith("/confirm");

  it.each(steps)("after %s ends in a clean failure; the next PAY pays once", async (_, path) => {
    const ada = await billing.payer();
    await injectFailure(path, { when: "after", action: "drop", times: everyAttempt });
    const answer = await billing.pay(ada, studentPlan);
    // A payment whose response was lost is found by reading the subscription.
    expect(answer).toMatchObject(isPaying(path) ? paid : unsure);
    expect(JSON.stringify(answer.body)).not.toMatch(/stripe|127\.0\.0\.1|fetch/i);
    await billing.clearFailures();
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await expectOneMembership(ada);
  });

  it.each(steps)("before %s likewise", async (_, path) => {
    const ada = await billing.payer();
    await injectFailure(path, { when: "before", action: "drop", times: everyAttempt });
    const answer = await billing.pay(ada, studentPlan);
    expect(answer).toMatchObject(unsure);
    // The payment may go on after the last try, so nothing says that it failed.
    if (isPaying(path)) expect(answer.body["error"]).toMatch(/^This is still being confirmed/);
    expect((await billing.status(ada)) === "active").toBe(false);
    await billing.clearFailures();
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await expectOneMembership(ada);
  });

  it("while the payment went through does not sell the other plan too", async () => {
    const ada = await billing.payer();
    await injectFailure("/v1/subscriptions/*", {
      when: "after",
      action: "drop",
      times: everyAttempt,
    });
    expect(await billing.pay(ada, studentPlan)).toMatchObject(unsure);
    await billing.clearFailures();
    expect(await billing.pay(ada, mentorPlan)).toMatchObject({
      status: 409,
      body: { code: "already_subscribed" },
    });
    await expectOneMembership(ada);
  });
});

describe("a function that dies", () => {
  async function begin(ada: Payer): Promise<string> {
    const [row] = await billing.sql<{ id: string }>(
      "select private.billing_begin_purchase($1, $2, null) ->> 'attempt_id' as id",
      [ada.id, studentPlan],
    );
    return row?.id ?? "";
  }

  /** The provider's part of a purchase, as far as the function came. */
  async function prepare(ada: Payer, attempt: string): Promise<{ id: string; payment: string }> {
    await billing.call(ada.client, "create-stripe-customer");
    const subscription = await billing.stripe.subscriptions.create({
      customer: await billing.customerId(ada),
      items: [{ price: studentPlan }],
      payment_behavior: "default_incomplete",
      payment_settings: { save_default_payment_method: "on_subscription" },
      metadata: { user_id: ada.id, attempt_id: attempt },
      expand: ["latest_invoice.payments"],
    });
    const invoice = subscription.latest_invoice;
    if (invoice === null || typeof invoice === "string") throw new Error("not expanded");
    const payment = invoice.payments?.data[0]?.payment.payment_intent;
    if (typeof payment !== "string") throw new Error("no payment was prepared");
    return { id: subscription.id, payment };
  }

  async function record(attempt: string, subscription: string): Promise<void> {
    const sql = "select private.billing_record_subscription($1, $2)";
    await billing.sql(sql, [attempt, subscription]);
  }

  const letLeaseRunOut = async (attempt: string) =>
    await billing.sql(
      "update private.billing_attempts set lease_until = now() - interval '1 second' where id = $1",
      [attempt],
    );

  it("between provider and database leaves nothing that could be paid", async () => {
    const ada = await billing.payer();
    const attempt = await begin(ada);
    await prepare(ada, attempt);
    await letLeaseRunOut(attempt);
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await expectOneMembership(ada);
  });

  it("after the payment, before its response, has charged once", async () => {
    const ada = await billing.payer();
    await billing.control("/webhooks/pause", {});
    const attempt = await begin(ada);
    const { id, payment } = await prepare(ada, attempt);
    await record(attempt, id);
    await billing.stripe.paymentIntents.confirm(payment, { payment_method: "pm_card_visa" });
    await letLeaseRunOut(attempt);
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await billing.control("/webhooks/resume", {});
    await expectOneMembership(ada);
  });

  it("is waited for, until its lease has run out", async () => {
    const ada = await billing.payer();
    const attempt = await begin(ada);
    const waiting = billing.pay(ada, studentPlan);
    await billing.sql(
      "update private.billing_attempts set lease_until = now() + interval '1 second' where id = $1",
      [attempt],
    );
    expect(await waiting).toEqual(paid);
    await expectOneMembership(ada);
  });

  it("and comes back to life is too late to pay", async () => {
    const ada = await billing.payer();
    const attempt = await begin(ada);
    const { payment } = await prepare(ada, attempt);
    await letLeaseRunOut(attempt);
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    const late = billing.stripe.paymentIntents.confirm(payment, { payment_method: "pm_card_visa" });
    await expect(late).rejects.toThrow("canceled");
    await expectOneMembership(ada);
  });

  it("without another attempt is cleaned up by the reconciliation", async () => {
    const ada = await billing.payer();
    const attempt = await begin(ada);
    await prepare(ada, attempt);
    await letLeaseRunOut(attempt);
    expect(await billing.reconcile({})).toMatchObject({ given_up: 1, failed: 0 });
    expect(await billing.atProvider(ada)).toMatchObject({ live: [], unfinished: [], paid: [] });
    const states = await billing.sql("select state from private.billing_attempts where id = $1", [
      attempt,
    ]);
    expect(states).toEqual([{ state: "failed" }]);
  });
});

describe("an attempt that is overtaken", () => {
  const readingsOf = async (ada: Payer) =>
    await billing.sql(
      `select r.ticket from private.billing_readings r join private.billing_attempts a on a.subscription_id = r.object_id
       where a.user_id = $1`,
      [ada.id],
    );

  it("while the provider is slow pays nothing when it continues", async () => {
    const ada = await billing.payer();
    await injectFailure("/v1/subscriptions", { when: "after", action: "delay", delayMs });
    const slow = billing.pay(ada, mentorPlan);
    await vi.waitFor(
      async () => expect((await billing.atProvider(ada)).unfinished).toHaveLength(1),
      pollOptions,
    );
    await billing.sql(
      "update private.billing_attempts set lease_until = now() - interval '1 second' where user_id = $1",
      [ada.id],
    );
    // The slow attempt has created a subscription that is not in the database yet.
    expect(await billing.pay(ada, studentPlan)).toEqual(paid);
    await billing.clearFailures();
    expect(await slow).toMatchObject({ status: 409, body: { code: "payment_in_progress" } });
    await expectOneMembership(ada);
  });

  it("by the bank's confirmation counts, and is not given up", async () => {
    const ada = await billing.payer();
    const answer = await billing.pay(ada, studentPlan, "pm_card_authenticationRequired");
    await injectFailure("/v1/invoices/*/void", { when: "before", action: "delay", delayMs });
    await billing.deliverWebhooks();
    const before = await readingsOf(ada);
    const again = billing.pay(ada, studentPlan);
    // The second PAY has seen that the first one is unpaid, and is about to end it.
    await vi.waitFor(async () => expect(await readingsOf(ada)).not.toEqual(before), pollOptions);
    await billing.challenge(answer.body["client_secret"], "complete");
    await billing.clearFailures();
    expect(await again).toEqual(paid);
    await expectOneMembership(ada);
  });
});

describe("a database that is away", () => {
  it("fails cleanly before any money moves", async () => {
    const ada = await billing.payer();
    const { data } = await ada.client.auth.getSession();
    const request = new Request("http://localhost/stripe-create-subscription-direct", {
      method: "POST",
      headers: { authorization: `Bearer ${data.session?.access_token}` },
      body: JSON.stringify({
        price_id: studentPlan,
        payment_method_id: "pm_card_visa",
        terms_version: 1,
      }),
    });
    const env = {
      SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
      SUPABASE_SERVICE_ROLE_KEY: billing.host.serviceRoleKey,
      STRIPE_SECRET_KEY: billing.sandbox.secretKey,
      STRIPE_API_BASE: billing.sandbox.apiBase,
    };
    const answer = await handlePurchase(request, { env });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({
      success: false,
      requires_action: false,
      error: "We could not check who you are. Please try again.",
      code: "auth_unavailable",
    });
    expect(await billing.atProvider(ada)).toMatchObject({ customers: 0, paid: [] });
  });
});

describe("deleting an account while the provider does not respond", () => {
  it("deletes nothing, and works when it is repeated", async () => {
    const ada = await billing.payer();
    await billing.pay(ada, studentPlan);
    const remove = async () =>
      await billing.call(ada.client, "delete-my-account", { password: testPassword });
    const path = "/v1/subscriptions/*";
    const silence = { when: "before", action: "drop", times: everyAttempt };
    await billing.control("/faults", { method: "DELETE", path, ...silence });
    expect(await remove()).toMatchObject({
      status: 502,
      body: { code: "provider_unavailable", error: "Your account could not be deleted." },
    });
    await billing.clearFailures();
    expect(await billing.status(ada)).toBe("active");
    expect((await remove()).status).toBe(200);
    expect((await billing.atProvider(ada)).live).toEqual([]);
  });
});
