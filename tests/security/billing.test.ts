import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { SignJWT } from "jose";
import { BillingFixture, mentorPlan, studentPlan, type Payer } from "../support/billing.ts";
import { serverBillingRpcs } from "./server-billing-rpcs.ts";

const pay = "stripe-create-subscription-direct";
const forMembers = [
  "create-stripe-customer",
  pay,
  "stripe-cancel-subscription",
  "stripe-uncancel-subscription",
  "stripe-create-setup-intent",
  "stripe-update-card",
  "stripe-preview-plan-change",
  "stripe-change-plan",
  "stripe-cancel-plan-change",
  "stripe-pause-membership",
  "stripe-resume-membership",
  "stripe-withdraw",
];
const nobody = "00000000-0000-4000-8000-000000000000";
const functionNames = [...forMembers, "billing-reconcile"];

let counter: BillingFixture;
let victim: Payer;
let mallory: Payer;
beforeAll(async () => {
  counter = new BillingFixture(inject("host"), inject("sandbox"));
  [victim, mallory] = [await counter.payer(), await counter.payer()];
  await counter.pay(victim, studentPlan);
});
afterAll(async () => await counter.close());

async function post(name: string, headers: Record<string, string>, body = "{}"): Promise<Response> {
  return await fetch(`${counter.host.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body,
  });
}

describe("without an account", () => {
  it.each(functionNames)("%s is refused", async (name) => {
    const { anonKey } = counter.host;
    const expired = await new SignJWT({ role: "authenticated", sub: victim.id })
      .setProtectedHeader({ alg: "HS256" })
      .setExpirationTime("-1 minute")
      .sign(new TextEncoder().encode(counter.host.jwtSecret));
    for (const headers of [
      {},
      { apikey: anonKey },
      { authorization: `Bearer ${anonKey}` },
      { authorization: `Bearer ${expired}` },
      { authorization: "Bearer" },
      { authorization: `Basic ${anonKey}` },
    ] as Record<string, string>[]) {
      const { status } = await post(name, headers);
      expect([401, 403], JSON.stringify(headers)).toContain(status);
    }
  });

  it("a deleted account counts as none, however new its token is", async () => {
    const gone = await counter.payer();
    await counter.sql("delete from auth.users where id = $1", [gone.id]);
    for (const name of forMembers) {
      const answer = await counter.call(gone.client, name, {
        price_id: studentPlan,
        payment_method_id: "pm_card_visa",
        subscription_id: "sub_1",
        setup_intent_id: "seti_1",
        quote_id: nobody,
      });
      expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
    }
  });
});

describe("with an account", () => {
  it("the reconciliation cannot be called", async () => {
    const answer = await counter.call(mallory.client, "billing-reconcile", { everybody: true });
    expect(answer).toEqual({
      status: 403,
      body: { error: "Only the scheduler may call this.", code: "forbidden" },
    });
  });

  it("the scheduler's request is validated", async () => {
    const scheduler = counter.client(counter.host.serviceRoleKey);
    for (const body of [{ everybody: "yes" }, { batch: 0 }, { batch: 1e9 }]) {
      expect(await counter.call(scheduler, "billing-reconcile", body)).toMatchObject({
        status: 400,
        body: { code: "invalid_request" },
      });
    }
    const headers = { authorization: `Bearer ${counter.host.serviceRoleKey}` };
    expect((await post("billing-reconcile", headers, "{")).status).toBe(400);
  });

  it.each(serverBillingRpcs)("%s is not to be called", async (name, args) => {
    for (const client of [mallory.client, counter.client(counter.host.anonKey)]) {
      expect((await client.rpc(name, args)).error).toMatchObject({ code: "42501" });
    }
  });

  it.each([
    ["made up", "price_forged"],
    ["of the provider, but not in the catalogue", ""],
    ["an injection", "price_student_access' or 'a'='a"],
  ])("a price that is %s is refused, and nothing is bought", async (_, forged) => {
    let price = forged;
    if (price === "") {
      const product = await counter.stripe.products.create({ name: "Nearly free" });
      const cheap = await counter.stripe.prices.create({
        product: product.id,
        unit_amount: 1,
        currency: "gbp",
        recurring: { interval: "month" },
      });
      price = cheap.id;
    }
    expect(await counter.pay(mallory, price)).toEqual({
      status: 400,
      body: {
        success: false,
        requires_action: false,
        error: "This plan is not on sale.",
        code: "invalid_price",
      },
    });
    expect(await counter.atProvider(mallory)).toMatchObject({ live: [], paid: [] });
  });

  it.each([
    ["nothing", ""],
    ["no JSON", "{"],
    ["no price", JSON.stringify({ payment_method_id: "pm_card_visa" })],
    ["no card", JSON.stringify({ price_id: studentPlan })],
    ["a number", JSON.stringify({ price_id: 1, payment_method_id: "pm_card_visa" })],
    [
      "a list",
      JSON.stringify({
        price_id: [studentPlan],
        payment_method_id: "pm_card_visa",
      }),
    ],
    [
      "another object as card",
      JSON.stringify({ price_id: studentPlan, payment_method_id: "cus_1" }),
    ],
    ["a path as card", JSON.stringify({ price_id: studentPlan, payment_method_id: "pm_x/../../" })],
  ])("%s is no order", async (_, body) => {
    const { data } = await mallory.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session?.access_token}` };
    const response = await post(pay, headers, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ success: false, code: "invalid_request" });
  });

  it("additional fields of a purchase change nothing", async () => {
    const generous = await counter.payer();
    const answer = await counter.call(generous.client, pay, {
      price_id: mentorPlan,
      payment_method_id: "pm_card_visa",
      terms_version: 1,
      amount: 1,
      quantity: 0,
      user_id: victim.id,
      customer: await counter.customerId(victim),
      trial_period_days: 700,
      coupon: "FREE",
    });
    expect(answer.status).toBe(200);
    expect((await counter.atProvider(generous)).paid).toEqual([10_000]);
    expect((await counter.atProvider(victim)).paid).toEqual([5000]);
  });

  it.each(["stripe-cancel-subscription", "stripe-uncancel-subscription"])(
    "%s treats another account's subscription as one that does not exist",
    async (name) => {
      const theirs = (await counter.subscription(victim))?.["subscription_id"];
      const before = await counter.subscription(victim);
      const payer = await counter.payer();
      await counter.pay(payer, studentPlan);
      for (const hostile of [mallory, payer]) {
        const missing = await counter.call(hostile.client, name, { subscription_id: "sub_none" });
        expect(missing).toEqual({
          status: 404,
          body: { error: "Subscription not found", code: "subscription_not_found" },
        });
        expect(await counter.call(hostile.client, name, { subscription_id: theirs })).toEqual(
          missing,
        );
      }
      expect(await counter.subscription(victim)).toEqual(before);
      for (const body of [{}, { subscription_id: "" }, { subscription_id: [theirs] }]) {
        expect(await counter.call(mallory.client, name, body)).toMatchObject({
          status: 400,
          body: { code: "invalid_request" },
        });
      }
    },
  );

  it("attempts with many cards are limited", async () => {
    const tester = await counter.payer();
    await counter.sql(
      "insert into private.billing_attempts (user_id, price_id, state) select $1, $2, 'failed' from generate_series(1, 20)",
      [tester.id, studentPlan],
    );
    expect(await counter.pay(tester, studentPlan)).toMatchObject({
      status: 429,
      body: { success: false, code: "too_many_attempts" },
    });
    expect(await counter.atProvider(tester)).toMatchObject({ customers: 0, paid: [] });
  });

  it("a customer is created once, also with 500 calls", async () => {
    const eager = await counter.payer();
    const answers = await Promise.all(
      Array.from({ length: 500 }, async () => {
        const { data } = await eager.client.auth.getSession();
        return await post("create-stripe-customer", {
          authorization: `Bearer ${data.session?.access_token}`,
        });
      }),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(480);
    const refused = answers.filter(({ status }) => status === 429);
    expect(Number(refused[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    // The host's own limit refuses others, with its own words.
    expect(await Promise.all(refused.map(async (answer) => await answer.json()))).toContainEqual({
      error: "You have tried this too often. Please wait a few minutes and try again.",
      code: "too_many_requests",
    });
    expect(await counter.atProvider(eager)).toMatchObject({ customers: 1 });
  });

  it("a known customer is returned without a call to the provider", async () => {
    const known = await counter.payer();
    const first = await counter.call(known.client, "create-stripe-customer");
    await counter.control("/faults", {
      when: "before",
      action: "error",
      status: 500,
      path: `/v1/customers/${String(first.body["customer_id"])}`,
      times: 1,
    });
    expect(await counter.call(known.client, "create-stripe-customer")).toEqual(first);
    await fetch(`${counter.sandbox.controlBase}/faults`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${counter.sandbox.secretKey}` },
    });
  });

  it.each([
    ["purchase", pay, { price_id: "price_none", payment_method_id: "pm_card_visa" }],
    ["change_renewal", "stripe-cancel-subscription", { subscription_id: "sub_none" }],
    ["change_renewal", "stripe-uncancel-subscription", { subscription_id: "sub_none" }],
    ["change_renewal", "stripe-withdraw", {}],
    ["change_renewal", "stripe-pause-membership", { months: 1 }],
    ["change_renewal", "stripe-resume-membership", {}],
    ["update_card", "stripe-create-setup-intent", {}],
    ["update_card", "stripe-update-card", { setup_intent_id: "seti_none" }],
    ["change_plan", "stripe-preview-plan-change", { price_id: "price_none" }],
    ["change_plan", "stripe-change-plan", { quote_id: nobody }],
    ["change_plan", "stripe-cancel-plan-change", { change_id: "in_none" }],
    ["delete_account", "delete-my-account", { password: "guess" }],
  ])("%s has a limit of its own in %s", async (action, name, body) => {
    const eager = await counter.payer();
    const [limit] = await counter.sql<{ max_count: number }>(
      "select max_count from private.rate_limits where action = $1",
      [action],
    );
    await counter.sql(
      `insert into private.rate_usage (user_id, action, recent)
         select $1, $2, array_agg(clock_timestamp()) from generate_series(1, $3 - 1)`,
      [eager.id, action, limit?.max_count],
    );
    expect((await counter.call(eager.client, name, body)).status).not.toBe(429);
    expect(await counter.call(eager.client, name, body)).toMatchObject({
      status: 429,
      body: { code: "too_many_requests" },
    });
  });

  it("a role in the sign-up data or the profile has no effect", async () => {
    const pretender = await counter.payer();
    await counter.pay(pretender, studentPlan);
    await pretender.client.from("profiles").update({ role: "mentor" }).eq("id", pretender.id);
    expect(await counter.role(pretender)).toBe("student");
  });
});

describe("an answer", () => {
  it("never contains keys, the customer or the provider's message", async () => {
    const payer = await counter.payer();
    const answers = [
      await counter.pay(payer, studentPlan, "pm_nobody"),
      await counter.pay(payer, studentPlan, "pm_card_visa_chargeDeclined"),
      await counter.pay(payer, studentPlan),
      await counter.pay(payer, mentorPlan),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 402, 200, 409]);
    const text = JSON.stringify(answers);
    expect(text).not.toMatch(/sk_test|whsec|cus_|sub_|pi_|No such|doc_url|request_log/);
  });
});
