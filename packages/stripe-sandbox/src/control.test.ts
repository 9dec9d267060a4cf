import { mkdtemp, rm } from "node:fs/promises";
import Http from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import type Stripe from "stripe";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  client,
  customerWith,
  openFixture,
  openReceiver,
  testSecretKey,
  basicPrice,
  webhookSecret,
  type Receiver,
} from "./testing/sandbox-fixture.ts";
import type { Sandbox } from "./main.ts";

let receiver: Receiver;
let sandbox: Sandbox;
let stripe: Stripe;

beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  receiver.received.length = 0;
  receiver.answerWith(200);
  sandbox = await openFixture({ webhookUrl: receiver.url });
  stripe = client(sandbox);
});
afterEach(() => sandbox.stop());

const names = () =>
  receiver.received.map(({ body }) => {
    const event = JSON.parse(body) as { data: { object: { name: string } } };
    return event.data.object.name;
  });

async function createNamed(...wanted: string[]): Promise<void> {
  for (const name of wanted) await stripe.customers.create({ name });
}

async function control(
  method: string,
  path: string,
  body?: object,
  key = testSecretKey,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await sandbox.app.request(`/control${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe("webhook delivery", () => {
  it("waits while paused and delivers in order or reordered", async () => {
    sandbox.control.pauseWebhooks();
    await createNamed("a", "b", "c");
    expect(receiver.received).toEqual([]);
    const [first, , third] = sandbox.control.queue();
    sandbox.control.reorderWebhooks("reverse");
    sandbox.control.reorderWebhooks([first?.eventId ?? "", third?.eventId ?? ""]);
    sandbox.control.resumeWebhooks();
    await sandbox.control.settled();
    expect(names()).toEqual(["a", "c", "b"]);
  });

  it("replays an event, with a bad signature if asked", async () => {
    await createNamed("a");
    await sandbox.control.settled();
    const id = sandbox.control.events()[0]?.id ?? "";
    sandbox.control.replayEvent(id);
    sandbox.control.replayEvent(id, true);
    await sandbox.control.settled();
    expect(names()).toEqual(["a", "a", "a"]);
    const [, good, bad] = receiver.received;
    const accept = (sent: typeof good) =>
      stripe.webhooks.constructEventAsync(sent?.body ?? "", sent?.signature ?? "", webhookSecret);
    await expect(accept(good)).resolves.toMatchObject({ id });
    await expect(accept(bad)).rejects.toThrow(/signature/);
  });

  it("retries failed deliveries, and all of them at once with redeliver", async () => {
    receiver.answerWith(500);
    await createNamed("a", "b");
    await sandbox.control.settled();
    expect(names()).toEqual(["a", "b"]);
    expect(sandbox.control.queue().map((entry) => entry.attempts)).toEqual([1, 1]);
    expect(sandbox.control.deliveries().map((entry) => entry.status)).toEqual([500, 500]);
    receiver.answerWith(200);
    expect(sandbox.control.redeliver()).toBe(2);
    await sandbox.control.settled();
    expect(names()).toEqual(["a", "b", "a", "b"]);
    expect(sandbox.control.queue()).toEqual([]);
    expect(sandbox.control.events().map((event) => event.pending_webhooks)).toEqual([0, 0]);
  });

  it("retries automatically after a second", async () => {
    receiver.answerWith(503);
    await createNamed("a");
    await sandbox.control.settled();
    receiver.answerWith(200);
    await expect.poll(names, { timeout: 60_000 }).toEqual(["a", "a"]);
  });
});

describe("control over HTTP", () => {
  it("requires the secret key and well-formed bodies", async () => {
    expect((await control("POST", "/reset", undefined, "sk_test_wrong")).status).toBe(401);
    expect((await control("POST", "/clock", { months: -1 })).status).toBe(400);
    expect((await control("POST", "/webhooks/replay", { event: "evt_none" })).status).toBe(400);
    expect((await control("POST", "/faults", { when: "never", action: "drop" })).status).toBe(400);
  });

  it("offers the same operations as the control object", async () => {
    await control("POST", "/webhooks/pause");
    const customer = await customerWith(stripe, "pm_card_authenticationRequired");
    await stripe.subscriptions.create({ customer: customer.id, items: [{ price: basicPrice }] });
    const intent = (await stripe.paymentIntents.list()).data[0]?.id;
    await control("POST", "/challenges", { paymentIntent: intent, outcome: "fail" });
    expect((await stripe.paymentIntents.retrieve(intent ?? "")).last_payment_error?.code).toBe(
      "payment_intent_authentication_failure",
    );
    const before = (await control("GET", "/clock")).body["now"] as number;
    const after = (await control("POST", "/clock", { days: 2 })).body["now"] as number;
    expect(after - before).toBeGreaterThanOrEqual(2 * 86_400);
    const listed = (await control("GET", "/subscriptions")).body["data"] as Stripe.Subscription[];
    expect(listed.map((row) => row.status)).toEqual(["incomplete_expired"]);
    const state = (await control("GET", "/webhooks")).body;
    expect(state).toMatchObject({ paused: true, deliveries: [] });
    await control("POST", "/webhooks/reorder", { order: "reverse" });
    await control("POST", "/webhooks/resume");
    const settled = (await control("POST", "/webhooks/settle")).body;
    expect(settled["queue"]).toEqual([]);
    expect(receiver.types()[0]).toBe("customer.subscription.updated");
    await control("POST", "/keys/roll", { secretKey: "sk_test_next" });
    await control("POST", "/keys/expire");
    expect((await control("GET", "/clock")).status).toBe(401);
    expect((await control("GET", "/clock", undefined, "sk_test_next")).status).toBe(200);
    sandbox.control.rollSecretKey(testSecretKey);
    await control("POST", "/reset");
    expect((await control("GET", "/customers")).body["data"]).toEqual([]);
    expect((await stripe.prices.retrieve(basicPrice)).unit_amount).toBe(5000);
  });
});

describe("stopping", () => {
  it("gives up on a receiver that does not answer", async () => {
    const silent = Http.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const address = silent.address();
    const port = typeof address === "object" ? address?.port : 0;
    const other = await openFixture({ webhookUrl: `http://127.0.0.1:${port}/` });
    const called = new Promise((resolve) => silent.once("request", resolve));
    await client(other).customers.create();
    await called;
    await other.stop();
    expect(other.control.queue()).toHaveLength(1);
    silent.closeAllConnections();
    await new Promise((resolve) => silent.close(resolve));
  });

  it("keeps undelivered events for the next start", async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "sandbox-"));
    const options = { webhookUrl: receiver.url, dataFile: path.join(folder, "sandbox.json") };
    const before = await openFixture(options);
    before.control.pauseWebhooks();
    await client(before).customers.create({ name: "late" });
    await before.stop();
    const after = await openFixture(options);
    await after.control.settled();
    expect(names()).toEqual(["late"]);
    await after.stop();
    await rm(folder, { recursive: true });
  });
});
