import type Stripe from "stripe";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Sandbox } from "./main.ts";
import {
  client,
  customerWith,
  failure,
  openFixture,
  basicPrice,
  testSecretKey,
} from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

describe("network faults", () => {
  it("drop the answer after the work was done, and the retry gets it", async () => {
    const customer = await customerWith(stripe, "pm_card_visa");
    const path = "/v1/subscriptions";
    sandbox.control.addFault({ method: "POST", path, when: "after", action: "drop", times: 2 });
    const order = () =>
      stripe.subscriptions.create(
        { customer: customer.id, items: [{ price: basicPrice }] },
        { idempotencyKey: "order-1" },
      );
    expect((await failure(order())).type).toBe("StripeConnectionError");
    expect(sandbox.control.subscriptions()).toHaveLength(1);
    const subscription = await order();
    expect(subscription.status).toBe("active");
    expect(sandbox.control.subscriptions()).toHaveLength(1);
    expect(sandbox.control.charges()).toHaveLength(1);
  });

  it("drop the call before anything was done", async () => {
    sandbox.control.addFault({ when: "before", action: "drop", times: 2 });
    expect((await failure(stripe.customers.create())).type).toBe("StripeConnectionError");
    expect(sandbox.control.customers()).toEqual([]);
  });

  it("answer with an error, and only for the matching call", async () => {
    sandbox.control.addFault({
      path: "/v1/customers/*",
      when: "before",
      action: "error",
      status: 503,
    });
    const customer = await stripe.customers.create();
    expect((await failure(stripe.customers.retrieve(customer.id))).statusCode).toBe(503);
    expect((await stripe.customers.retrieve(customer.id)).id).toBe(customer.id);
  });

  it("are repeated by the library once, unless they say not to", async () => {
    const patient = client(sandbox, testSecretKey, 1);
    const fault = { path: "/v1/customers", when: "before", action: "error" } as const;
    sandbox.control.addFault(fault);
    expect((await patient.customers.create()).object).toBe("customer");
    sandbox.control.addFault({ ...fault, shouldRetry: false });
    expect((await failure(patient.customers.create())).headers).toMatchObject({
      "stripe-should-retry": "false",
    });
    expect(sandbox.control.customers()).toHaveLength(1);
  });

  it("are kept for the key of a call that was executed, as Stripe keeps its own errors", async () => {
    const fault = { path: "/v1/customers", action: "error" } as const;
    const create = (idempotencyKey: string) => stripe.customers.create({}, { idempotencyKey });
    sandbox.control.addFault({ ...fault, when: "after" });
    expect((await failure(create("executed"))).statusCode).toBe(500);
    expect((await failure(create("executed"))).statusCode).toBe(500);
    sandbox.control.addFault({ ...fault, when: "before", times: 10 });
    expect((await failure(create("not executed"))).statusCode).toBe(500);
    sandbox.control.clearFaults();
    expect((await create("not executed")).object).toBe("customer");
  });

  it("let the client run into its time-out", async () => {
    sandbox.control.addFault({ when: "after", action: "delay", delayMs: 60_000, times: 2 });
    const error = await failure(stripe.customers.create({}, { timeout: 200 }));
    expect(error.message).toContain("timeout");
    const kept = () => sandbox.control.customers().length;
    await expect.poll(kept, { timeout: 60_000 }).toBe(1);
  });

  it("show an idempotency key that is still in use", async () => {
    sandbox.control.addFault({ when: "before", action: "delay", delayMs: 60_000 });
    const create = () => failure(stripe.customers.create({}, { idempotencyKey: "busy" }));
    const both = [create(), create()];
    const refused = await Promise.race(both);
    expect(refused).toMatchObject({ statusCode: 409, code: "idempotency_key_in_use" });
    await sandbox.stop();
    await Promise.all(both);
  });

  it("let delayed calls continue when they are cleared", async () => {
    sandbox.control.addFault({ when: "after", action: "delay", delayMs: 600_000, times: 2 });
    const both = [stripe.customers.create(), stripe.customers.create()];
    const kept = () => sandbox.control.customers().length;
    await expect.poll(kept, { timeout: 60_000 }).toBe(2);
    sandbox.control.clearFaults();
    expect((await Promise.all(both)).map(({ object }) => object)).toEqual(["customer", "customer"]);
  });
});
