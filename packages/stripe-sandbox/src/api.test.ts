import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import {
  client,
  customerWith,
  failure,
  openFixture,
  testPublishableKey,
  testSecretKey,
  basicPrice,
} from "./testing/sandbox-fixture.ts";
import type { Sandbox } from "./main.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterAll(() => sandbox.stop());

async function call(
  method: string,
  url: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; error: Record<string, unknown> }> {
  const response = await fetch(`${sandbox.apiBase}${url}`, {
    method,
    headers: {
      authorization: `Bearer ${testSecretKey}`,
      "content-type": "application/x-www-form-urlencoded",
      ...headers,
    },
    ...(body !== undefined && { body }),
  });
  const answer = (await response.json()) as { error?: Record<string, unknown> };
  return { status: response.status, error: answer.error ?? {} };
}

describe("keys", () => {
  it("are required and checked", async () => {
    const wrong = await failure(client(sandbox, "sk_test_something_else").customers.list());
    expect(wrong).toMatchObject({ statusCode: 401, type: "StripeAuthenticationError" });
    expect(wrong.message).not.toContain("something_else");
    const none = await call("GET", "/v1/customers", undefined, { authorization: "" });
    expect(none.status).toBe(401);
  });

  it("are rolled with an overlap, after which the one before has expired", async () => {
    const own = await openFixture();
    try {
      own.control.rollSecretKey("sk_test_next");
      for (const key of [testSecretKey, "sk_test_next"]) {
        expect((await client(own, key).customers.list()).data).toEqual([]);
      }
      own.control.expirePreviousKeys();
      const expired = await failure(client(own, testSecretKey).customers.list());
      expect(expired).toMatchObject({ statusCode: 401, code: "api_key_expired" });
      expect((await client(own, "sk_test_next").customers.list()).data).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  it("limit browsers to the public endpoints", async () => {
    const browser = client(sandbox, testPublishableKey);
    expect((await failure(browser.customers.list())).code).toBe("secret_key_required");
    const method = await browser.paymentMethods.create({
      type: "card",
      card: { number: "4242 4242 4242 4242", exp_month: 12, exp_year: 2040, cvc: "123" },
    });
    expect(method.card).toMatchObject({ brand: "visa", last4: "4242" });
    const intent = await stripe.paymentIntents.create({ amount: 100, currency: "gbp" });
    expect((await failure(browser.paymentIntents.retrieve(intent.id))).statusCode).toBe(404);
    const seen = await browser.paymentIntents.retrieve(intent.id, {
      client_secret: intent.client_secret ?? "",
    });
    expect(seen.id).toBe(intent.id);
  });

  it.each([
    ["4242424242424241", "12", "40", "123", "incorrect_number"],
    ["4242424242424242", "13", "40", "123", "invalid_expiry_month"],
    ["4242424242424242", "12", "20", "123", "invalid_expiry_year"],
    ["4242424242424242", "12", "40", "1", "invalid_cvc"],
    ["4111111111111111", "12", "40", "123", "card_declined"],
  ])("turn away the card %s %s/%s %s: %s", async (number, month, year, cvc, code) => {
    const body = new URLSearchParams({
      type: "card",
      "card[number]": number,
      "card[exp_month]": month,
      "card[exp_year]": year,
      "card[cvc]": cvc,
    });
    const authorization = `Bearer ${testPublishableKey}`;
    const answer = await call("POST", "/v1/payment_methods", String(body), { authorization });
    expect(answer).toMatchObject({ status: 402, error: { type: "card_error", code } });
  });
});

describe("malformed requests", () => {
  it.each([
    ["POST", "/v1/customers", "nonsense=1", "parameter_unknown"],
    ["POST", "/v1/customers", "__proto__[polluted]=1", "parameter_unknown"],
    ["POST", "/v1/customers", "email=not-an-address", "email_invalid"],
    ["POST", "/v1/subscriptions", "customer=cus_x", "parameter_missing"],
    ["POST", "/v1/subscriptions", "customer=cus_x&items[0][price]=p", "resource_missing"],
    [
      "POST",
      "/v1/payment_intents",
      "amount=100&currency=gbp&payment_method_types[]=card",
      "payment_method_types_no_longer_supported",
    ],
    [
      "POST",
      "/v1/setup_intents",
      "payment_method_types[]=card",
      "payment_method_types_no_longer_supported",
    ],
    ["GET", "/v1/customers?limit=abc", undefined, "parameter_invalid_integer"],
    ["GET", "/v1/customers?limit=1000", undefined, "parameter_invalid_integer"],
  ])("%s %s %s", async (method, url, body, code) => {
    const answer = await call(method, url, body);
    expect(answer).toMatchObject({ status: 400, error: { type: "invalid_request_error", code } });
  });

  it.each([
    ["a=1&a[b]=2"],
    ["metadata[a][b][c][d][e][f][g][h][i]=1"],
    ["[]=1"],
    ["metadata=text"],
    ["email[x]=1"],
    [Array.from({ length: 1200 }, (_, place) => `metadata[k${place}]=1`).join("&")],
  ])("a contradictory, deep or endless body is a 400", async (body) => {
    expect((await call("POST", "/v1/customers", body)).status).toBe(400);
  });

  it("wrong types, sizes and addresses have their own answers", async () => {
    const json = await call("POST", "/v1/customers", "{}", { "content-type": "application/json" });
    expect(json.status).toBe(400);
    const large = await call("POST", "/v1/customers", `name=${"x".repeat(1_100_000)}`);
    expect(large).toMatchObject({ status: 413, error: { type: "invalid_request_error" } });
    const nowhere = await call("GET", "/v1/nothing/here");
    expect(nowhere.status).toBe(404);
    expect(String(nowhere.error["message"])).toContain(
      "Unrecognized request URL (GET: /v1/nothing/here)",
    );
    expect((await call("GET", "/v1/customers/cus_none")).error).toMatchObject({
      code: "resource_missing",
      message: "No such customer: 'cus_none'",
    });
    const expand = await failure(
      stripe.prices.retrieve(basicPrice, { expand: ["payment_intent"] }),
    );
    expect(expand.message).toContain("cannot be expanded");
  });
});

describe("idempotency keys", () => {
  it("repeat the answer, refuse other parameters, and keep card errors", async () => {
    const options = { idempotencyKey: "key-1" };
    const first = await stripe.customers.create({ name: "Once" }, options);
    const second = await stripe.customers.create({ name: "Once" }, options);
    expect(second.id).toBe(first.id);
    expect(second.lastResponse.headers["idempotent-replayed"]).toBe("true");
    const other = await failure(stripe.customers.create({ name: "Twice" }, options));
    expect(other).toMatchObject({ statusCode: 400, rawType: "idempotency_error" });

    const customer = await customerWith(stripe, "pm_card_visa");
    const attach = () =>
      stripe.paymentMethods.attach(
        "pm_card_visa_chargeDeclined",
        { customer: customer.id },
        { idempotencyKey: "key-2" },
      );
    const declined = await failure(attach());
    const again = await failure(attach());
    expect(again.requestId).toBe(declined.requestId);
    expect(again.headers?.["idempotent-replayed"]).toBe("true");
  });

  it("can be reused after a request that was not executed", async () => {
    const options = { idempotencyKey: "key-3" };
    const wrong = { email: "wrong" };
    expect((await failure(stripe.customers.create(wrong, options))).statusCode).toBe(400);
    expect((await stripe.customers.create({ email: "right@example.org" }, options)).email).toBe(
      "right@example.org",
    );
  });
});

describe("the data file", () => {
  it("keeps everything over a restart", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "sandbox-"));
    const dataFile = path.join(folder, "deep", "sandbox.json");
    const first = await openFixture({ dataFile });
    const customer = await customerWith(client(first), "pm_card_authenticationRequired");
    const subscription = await client(first).subscriptions.create(
      { customer: customer.id, items: [{ price: basicPrice }] },
      { idempotencyKey: "kept" },
    );
    await first.stop();
    const second = await openFixture({ dataFile });
    const held = await client(second).subscriptions.retrieve(subscription.id);
    expect(held).toMatchObject({ status: "incomplete", customer: customer.id });
    const repeated = await client(second).subscriptions.create(
      { customer: customer.id, items: [{ price: basicPrice }] },
      { idempotencyKey: "kept" },
    );
    expect(repeated.id).toBe(subscription.id);
    await second.stop();
    expect(await readdir(path.dirname(dataFile))).toEqual(["sandbox.json"]);
    await writeFile(dataFile, "{ half");
    await expect(openFixture({ dataFile })).rejects.toThrow(/cannot read its data file/);
    await rm(folder, { recursive: true });
  });
});
