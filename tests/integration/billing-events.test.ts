import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { mentorPlan, studentPlan, type BillingFixture } from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";

// A product of its own, because these tests lose webhooks, and a reading takes the events of all accounts.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
beforeEach(async () => {
  // What earlier tests left is read.
  await run();
  await billing.control("/webhooks/pause", {});
});
afterEach(async () => {
  vi.restoreAllMocks();
  await billing.clearFailures();
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
});

/** One scheduled run, while the webhooks stay lost. */
async function run(): Promise<Record<string, unknown>> {
  const service = billing.client(billing.host.serviceRoleKey);
  const { status, body } = await billing.call(service, "billing-reconcile", {});
  expect(status).toBe(200);
  return body;
}

async function readUntil(): Promise<number> {
  const [row] = await billing.sql<{ at: string }>(
    "select read_until as at from private.billing_event_reading",
  );
  return Number(row?.at);
}

/** Members who pay, and whose customers were compared a moment ago. */
async function members(count: number, price = studentPlan) {
  await billing.control("/webhooks/resume", {});
  const all = await Promise.all(
    Array.from({ length: count }, async () => await billing.member(price)),
  );
  await billing.reconcile();
  await billing.control("/webhooks/pause", {});
  return all;
}

it("what webhooks of a day would have told is known after one run, and nobody is looked up in turn", async () => {
  const [cancelled, ended, refunded, same] = await members(4, mentorPlan);
  await billing.stripe.subscriptions.update(String(cancelled?.subscription), {
    cancel_at_period_end: true,
  });
  await billing.control("/clock", { hours: 12 });
  await billing.stripe.subscriptions.cancel(String(ended?.subscription));
  const customer = await billing.customerId(refunded!.ada);
  const [charge] = (await billing.stripe.charges.list({ customer })).data;
  await billing.control("/clock", { hours: 12 });
  await billing.stripe.refunds.create({ charge: String(charge?.id) });
  expect(await billing.isMember(ended!.ada)).toBe(true);
  const result = await run();
  expect(result).toMatchObject({ checked: 0, failed: 0 });
  expect(result["events"]).toBeGreaterThanOrEqual(3);
  expect(await billing.subscription(cancelled!.ada)).toMatchObject({ cancel_at_period_end: true });
  expect(await billing.status(ended!.ada)).toBe("canceled");
  expect(await billing.isMember(refunded!.ada)).toBe(false);
  expect(await billing.isMember(same!.ada)).toBe(true);
  // The refund made the product end a subscription, of which the provider tells as well.
  await run();
  expect(await run()).toMatchObject({ events: 0, failed: 0 });
});

it("an event that a webhook has applied does nothing, and one that was read does nothing again", async () => {
  const [one] = await members(1);
  const subscription = String(one?.subscription);
  await run();
  const cancel =
    "update public.stripe_subscriptions set status = 'canceled' where subscription_id = $1";
  await billing.sql(cancel, [subscription]);
  expect(await run()).toMatchObject({ events: 0 });
  expect(await billing.status(one!.ada)).toBe("canceled");
  await billing.stripe.subscriptions.update(subscription, { metadata: { note: "anything" } });
  expect(await run()).toMatchObject({ events: 1 });
  expect(await billing.status(one!.ada)).toBe("active");
  await billing.sql(cancel, [subscription]);
  expect(await run()).toMatchObject({ events: 0 });
  expect(await billing.status(one!.ada)).toBe("canceled");
  // The webhook that comes after all is a replay.
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
  expect(await billing.status(one!.ada)).toBe("canceled");
});

it("a reading that is cut in the middle goes on where it was, and skips nothing", async () => {
  const log = vi.spyOn(console, "error").mockReturnValue();
  const all = await members(8);
  const before = await readUntil();
  for (const { subscription } of all) await billing.stripe.subscriptions.cancel(subscription);
  await billing.control("/faults", {
    method: "GET",
    path: "/v1/subscriptions/*",
    when: "before",
    action: "error",
    shouldRetry: false,
    times: 300,
  });
  const cut = await run();
  expect(cut["failed"]).toBeGreaterThan(0);
  expect(await readUntil()).toBe(before);
  expect(log).toHaveBeenCalled();
  await billing.clearFailures();
  expect(await run()).toMatchObject({ failed: 0, checked: 0 });
  expect(await readUntil()).toBeGreaterThan(before);
  for (const { ada } of all) expect(await billing.status(ada)).toBe("canceled");
});

it("a page that cannot be listed leaves the place where it was", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const [one] = await members(1);
  const before = await readUntil();
  await billing.stripe.subscriptions.cancel(String(one?.subscription));
  await billing.control("/faults", {
    path: "/v1/events",
    when: "before",
    action: "error",
    shouldRetry: false,
    times: 9,
  });
  expect(await run()).toMatchObject({ events: 0, failed: 1 });
  expect(await readUntil()).toBe(before);
  await billing.clearFailures();
  await run();
  expect(await billing.status(one!.ada)).toBe("canceled");
});

it("more events of one second than a page holds are all read", async () => {
  const all = await members(3);
  const customer = await billing.customerId(all[0]!.ada);
  const [first, ...rest] = all;
  await billing.stripe.subscriptions.cancel(String(first?.subscription));
  for (let batch = 0; batch < 13; batch += 1) {
    await Promise.all(
      Array.from(
        { length: 20 },
        async (_, index) =>
          await billing.stripe.customers.update(customer, { metadata: { n: `${batch}-${index}` } }),
      ),
    );
  }
  for (const { subscription } of rest) await billing.stripe.subscriptions.cancel(subscription);
  expect(await run()).toMatchObject({ failed: 0, checked: 0 });
  for (const { ada } of all) expect(await billing.status(ada)).toBe("canceled");
});

it("an event in the second in which the last reading ended is read by the next one", async () => {
  const [one] = await members(1);
  await run();
  await billing.stripe.subscriptions.cancel(String(one?.subscription));
  const { data } = await billing.stripe.events.list({
    type: "customer.subscription.deleted",
    limit: 1,
  });
  await billing.sql("update private.billing_event_reading set read_until = $1", [data[0]?.created]);
  await run();
  expect(await billing.status(one!.ada)).toBe("canceled");
});

it("one object that cannot be read keeps nobody else waiting, and administrators see it", async () => {
  vi.spyOn(console, "error").mockReturnValue();
  const [poison, other] = await members(2);
  await billing.sql("delete from private.billing_failures");
  const before = await readUntil();
  const failing = String(poison?.subscription);
  await billing.control("/faults", {
    method: "GET",
    path: `/v1/subscriptions/${failing}`,
    when: "before",
    action: "error",
    shouldRetry: false,
    times: 300,
  });
  await billing.stripe.subscriptions.cancel(failing);
  await billing.stripe.subscriptions.cancel(String(other?.subscription));
  expect(await run()).toMatchObject({ failed: 1 });
  expect(await billing.status(other!.ada)).toBe("canceled");
  expect(await readUntil()).toBeGreaterThan(before);
  const noted = await billing.sql(
    "select from private.billing_failures where event_type = 'customer.subscription.deleted'",
  );
  expect(noted).toHaveLength(1);
  await billing.clearFailures();
  // Within the ten minutes that are read again.
  await run();
  expect(await billing.status(poison!.ada)).toBe("canceled");
});
