import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type Stripe from "stripe";
import { dayS } from "./clock.ts";
import type { Sandbox } from "./main.ts";
import { basicPrice, client, failure, openFixture } from "./testing/sandbox-fixture.ts";

let sandbox: Sandbox;
let stripe: Stripe;

beforeEach(async () => {
  sandbox = await openFixture();
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

/** A clock, and a customer of it on the basic plan. */
async function simulate(): Promise<{
  clock: Stripe.TestHelpers.TestClock;
  subscription: Stripe.Subscription;
}> {
  const clock = await stripe.testHelpers.testClocks.create({ frozen_time: sandbox.control.now() });
  const { id: customer } = await stripe.customers.create({ test_clock: clock.id });
  const method = await stripe.paymentMethods.attach("pm_card_visa", { customer });
  const subscription = await stripe.subscriptions.create({
    customer,
    items: [{ price: basicPrice }],
    default_payment_method: method.id,
  });
  return { clock, subscription };
}

describe("a test clock of the API", () => {
  it("renews the subscriptions of its customers when it advances", async () => {
    const { clock, subscription } = await simulate();
    expect(subscription.test_clock).toBe(clock.id);
    const target = clock.frozen_time + 32 * dayS;
    const answer = await stripe.testHelpers.testClocks.advance(clock.id, { frozen_time: target });
    expect(answer).toMatchObject({
      status: "advancing",
      status_details: { advancing: { target_frozen_time: target } },
    });
    const after = await stripe.testHelpers.testClocks.retrieve(clock.id);
    expect(after).toMatchObject({ status: "ready", frozen_time: target, status_details: {} });
    const { data } = await stripe.invoices.list({ subscription: subscription.id });
    expect(data.map((invoice) => [invoice.status, invoice.test_clock])).toEqual([
      ["paid", clock.id],
      ["paid", clock.id],
    ]);
    const events = sandbox.control.events();
    const types = events.map(({ type }) => type);
    expect(types.at(-1)).toBe("test_helpers.test_clock.ready");
    const renewal = events.findLast(({ type }) => type === "invoice.paid");
    expect(renewal?.request).toEqual({ id: null, idempotency_key: null });
  });

  it("goes neither back nor further than two intervals", async () => {
    const { clock, subscription } = await simulate();
    const advance = (frozen_time: number) =>
      stripe.testHelpers.testClocks.advance(clock.id, { frozen_time });
    expect(await failure(advance(clock.frozen_time))).toMatchObject({
      statusCode: 400,
      param: "frozen_time",
    });
    expect((await failure(advance(clock.frozen_time + 63 * dayS))).param).toBe("frozen_time");
    expect(sandbox.control.charges()).toHaveLength(1);
    await stripe.subscriptions.cancel(subscription.id);
    await advance(clock.frozen_time + 700 * dayS);
    expect((await failure(advance(clock.frozen_time + 1500 * dayS))).statusCode).toBe(400);
    const past = stripe.testHelpers.testClocks.create({ frozen_time: 1_000_000_000 });
    expect((await failure(past)).message).toContain("one time");
    const before = sandbox.control.now();
    const far = stripe.testHelpers.testClocks.create({ frozen_time: 99_999_999_999 });
    expect((await failure(far)).param).toBe("frozen_time");
    expect(sandbox.control.now() - before).toBeLessThan(60);
  });

  it("keeps its customers apart in lists, and takes them with it when it is deleted", async () => {
    const { clock, subscription } = await simulate();
    await stripe.customers.create({ name: "Ada" });
    const names = async (test_clock?: string) => {
      const given = test_clock === undefined ? {} : { test_clock };
      const customers = await stripe.customers.list(given);
      const subscriptions = await stripe.subscriptions.list(given);
      return [customers.data.length, subscriptions.data.length];
    };
    expect(await names()).toEqual([1, 0]);
    expect(await names(clock.id)).toEqual([1, 1]);
    const unknown = stripe.customers.create({ test_clock: "clock_none" });
    expect((await failure(unknown)).code).toBe("resource_missing");
    expect(await stripe.testHelpers.testClocks.del(clock.id)).toMatchObject({ deleted: true });
    expect((await stripe.subscriptions.retrieve(subscription.id)).status).toBe("canceled");
    expect(await names()).toEqual([1, 0]);
    const gone = stripe.testHelpers.testClocks.retrieve(clock.id);
    expect((await failure(gone)).statusCode).toBe(404);
    expect((await stripe.testHelpers.testClocks.list()).data).toEqual([]);
  });
});
