import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import handleWebhook from "../../supabase/functions/stripe-webhook/handler.ts";
import { startTestProduct } from "../support/backend-setup.ts";
import { Counter, MENTOR, STUDENT, type Payer } from "../support/billing.ts";
import { freePort } from "../support/spawn-product.ts";

// A product of its own: paused and reordered webhooks must not confuse other tests.
let counter: Counter;
let stop: () => Promise<void>;
beforeAll(async () => {
  const product = await startTestProduct();
  counter = new Counter(product.running, product.sandbox);
  stop = product.stop;
});
afterAll(async () => {
  await counter.close();
  await stop();
});
afterEach(async () => {
  await counter.control("/webhooks/resume", {});
  await counter.settle();
});

interface StoredEvent {
  id: string;
  type: string;
  created: number;
  data: { object: { id?: string; object: string; customer?: string; status?: string } };
}

async function eventsAbout(subscription: unknown): Promise<StoredEvent[]> {
  const { data } = await counter.control("/events");
  return (data as StoredEvent[]).filter(({ data: { object } }) => object.id === subscription);
}

async function isKnown(event: string): Promise<boolean> {
  const rows = await counter.sql("select from private.billing_events where event_id = $1", [event]);
  return rows.length === 1;
}

async function mentor(): Promise<{ ada: Payer; subscription: string }> {
  const ada = await counter.payer();
  await counter.pay(ada, MENTOR);
  await counter.settle();
  const row = await counter.subscription(ada);
  return { ada, subscription: String(row?.["subscription_id"]) };
}

/** An event as the provider would make it, for a test to sign as it likes. */
function eventOf(type: string, object: object): StoredEvent {
  return {
    id: `evt_${randomUUID()}`,
    object: "event",
    type,
    created: Math.floor(Date.now() / 1000),
    data: { object },
  } as unknown as StoredEvent;
}

/** Pretends that the database never heard of the membership. */
async function forget(subscription: string): Promise<void> {
  const values = [subscription];
  await counter.sql(
    "update public.stripe_subscriptions set status = 'canceled' where subscription_id = $1",
    values,
  );
}

describe("the provider's own deliveries", () => {
  it("are all taken, and noted once each", async () => {
    const { ada, subscription } = await mentor();
    const deliveries = await counter.settle();
    expect(deliveries.length).toBeGreaterThan(0);
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { id } of await eventsAbout(subscription)) expect(await isKnown(id)).toBe(true);
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("in any order end in how things are", async () => {
    await counter.control("/webhooks/pause", {});
    const ada = await counter.payer();
    const answer = await counter.pay(ada, MENTOR, "pm_card_authenticationRequired");
    await counter.challenge(answer.body["client_secret"], "complete");
    await counter.control("/webhooks/reorder", { order: "reverse" });
    await counter.control("/webhooks/resume", {});
    await counter.settle();
    expect(await counter.status(ada)).toBe("active");
    expect(await counter.role(ada)).toBe("mentor");
  });

  it("that arrive after the end do not bring a membership back", async () => {
    const { ada, subscription } = await mentor();
    const early = (await eventsAbout(subscription)).filter(
      ({ data }) => data.object.status === "active",
    );
    expect(early.length).toBeGreaterThan(0);
    await counter.stripe.subscriptions.cancel(subscription);
    await counter.settle();
    for (const event of early) {
      await counter.sql("delete from private.billing_events where event_id = $1", [event.id]);
      expect(await counter.postEvent(event)).toMatchObject({ status: 200 });
    }
    expect(await counter.status(ada)).toBe("canceled");
    expect(await counter.role(ada)).toBe("student");
  });
});

describe("a replayed event", () => {
  it("has no effect", async () => {
    const { ada, subscription } = await mentor();
    const [event] = await eventsAbout(subscription);
    await forget(subscription);
    await counter.control("/webhooks/replay", { event: event?.id });
    const last = (await counter.settle()).at(-1);
    expect(last).toMatchObject({ eventId: event?.id, status: 200 });
    expect(await counter.status(ada)).toBe("canceled");
  });

  it("sent twice at once has its effect once", async () => {
    const { subscription } = await mentor();
    const held = await counter.stripe.subscriptions.retrieve(subscription);
    const event = eventOf("customer.subscription.updated", held);
    const answers = await Promise.all([1, 2, 3].map(async () => await counter.postEvent(event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await isKnown(event.id)).toBe(true);
  });
});

describe("a signature", () => {
  const REFUSED = {
    status: 400,
    body: { error: "The signature is not valid.", code: "invalid_signature" },
  };

  async function forged(): Promise<{ ada: Payer; event: StoredEvent }> {
    const ada = await counter.payer();
    await counter.pay(ada, STUDENT);
    const subscription = String((await counter.subscription(ada))?.["subscription_id"]);
    await counter.settle();
    await forget(subscription);
    const held = await counter.stripe.subscriptions.retrieve(subscription);
    return { ada, event: eventOf("customer.subscription.updated", held) };
  }

  it("of a moment ago is taken", async () => {
    const { ada, event } = await forged();
    const now = Date.now() / 1000;
    expect(await counter.postEvent(event, { at: now - 290 })).toEqual({
      status: 200,
      body: { received: true, handled: true },
    });
    expect(await counter.status(ada)).toBe("active");
  });

  it("with another secret, too late, from the future or over other bytes is refused", async () => {
    const { ada, event } = await forged();
    const now = Date.now() / 1000;
    expect(await counter.postEvent(event, { secret: "whsec_guessed" })).toEqual(REFUSED);
    expect(await counter.postEvent(event, { at: now - 310 })).toEqual(REFUSED);
    expect(await counter.postEvent(event, { at: now + 60 })).toEqual(REFUSED);
    expect(await counter.postEvent(event, { at: now + 86_400 * 365 })).toEqual(REFUSED);
    const payload = JSON.stringify(event);
    const signature = await counter.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: counter.sandbox.webhookSecret,
    });
    const headers = { "stripe-signature": signature };
    expect(await counter.postRaw(payload.replace("active", "actove"), headers)).toEqual(REFUSED);
    expect(await counter.postRaw(`${payload} `, headers)).toEqual(REFUSED);
    const future = await counter.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: counter.sandbox.webhookSecret,
      timestamp: Math.floor(now) + 600,
    });
    const disguised = { "stripe-signature": `t=${Math.floor(now)},${future}` };
    expect(await counter.postRaw(payload, disguised)).toEqual(REFUSED);
    expect(await counter.status(ada)).toBe("canceled");
    expect(await isKnown(event.id)).toBe(false);
  });

  it.each([
    ["none", {}],
    ["an empty one", { "stripe-signature": "" }],
    ["only a stamp", { "stripe-signature": "t=1" }],
    ["nonsense", { "stripe-signature": "v1=x,t=soon" }],
  ])("that is %s is refused", async (_, headers) => {
    expect(await counter.postRaw("{}", headers as Record<string, string>)).toEqual(REFUSED);
  });

  it("by the sandbox with a wrong secret is refused and not tried again", async () => {
    const { ada, event } = await forged();
    const [stored] = await eventsAbout(event.data.object.id);
    await counter.sql("delete from private.billing_events where event_id = $1", [stored?.id]);
    await counter.control("/webhooks/replay", { event: stored?.id, badSignature: true });
    expect((await counter.settle()).at(-1)).toMatchObject({ eventId: stored?.id, status: 400 });
    expect(await counter.status(ada)).toBe("canceled");
  });
});

describe("an event about something else", () => {
  it.each([
    ["of an unknown kind", eventOf("made.up", { id: "x", object: "made_up" })],
    ["about a new customer", eventOf("customer.created", { id: "cus_x", object: "customer" })],
    [
      "about a subscription that does not exist",
      eventOf("customer.subscription.updated", { id: "sub_none", object: "subscription" }),
    ],
    [
      "about an invoice without a subscription",
      eventOf("invoice.paid", { id: "in_x", object: "invoice", parent: null }),
    ],
    [
      "about a customer that does not exist",
      eventOf("customer.deleted", { id: "cus_none", object: "customer" }),
    ],
    ["without an object", eventOf("made.up", {})],
  ])("%s is taken and changes nothing", async (_, event) => {
    expect(await counter.postEvent(event)).toEqual({
      status: 200,
      body: { received: true, handled: false },
    });
    expect(await isKnown(event.id)).toBe(false);
  });

  it("about a customer somebody only claims to be deleted changes nothing", async () => {
    const { ada } = await mentor();
    const customer = await counter.customerId(ada);
    const event = eventOf("customer.deleted", { id: customer, object: "customer" });
    expect(await counter.postEvent(event)).toMatchObject({ body: { handled: false } });
    expect(await counter.customerId(ada)).toBe(customer);
  });

  it("about a subscription of somebody who is no customer of ours changes nothing", async () => {
    const stranger = await counter.stripe.customers.create({});
    const method = await counter.stripe.paymentMethods.attach("pm_card_visa", {
      customer: stranger.id,
    });
    const theirs = await counter.stripe.subscriptions.create({
      customer: stranger.id,
      items: [{ price: MENTOR }],
      default_payment_method: method.id,
    });
    await counter.settle();
    expect(
      await counter.sql("select from public.stripe_subscriptions where subscription_id = $1", [
        theirs.id,
      ]),
    ).toEqual([]);
  });
});

describe("a deleted customer", () => {
  it("loses membership and role", async () => {
    const { ada } = await mentor();
    await counter.stripe.customers.del(await counter.customerId(ada));
    await counter.settle();
    expect(await counter.customerId(ada)).toBe("");
    expect(await counter.subscription(ada)).toBeNull();
    expect(await counter.role(ada)).toBe("student");
  });
});

describe("an administrator who pays", () => {
  it("stays one, whatever the webhook says", async () => {
    const ada = await counter.payer();
    await counter.sql("select private.make_admin($1)", [ada.id]);
    await counter.pay(ada, MENTOR);
    await counter.settle();
    expect(await counter.role(ada)).toBe("admin");
    await counter.stripe.customers.del(await counter.customerId(ada));
    await counter.settle();
    expect(await counter.role(ada)).toBe("admin");
  });
});

describe("when the database is away", () => {
  it("the provider is told to send the event again", async () => {
    const { subscription } = await mentor();
    const held = await counter.stripe.subscriptions.retrieve(subscription);
    const payload = JSON.stringify(eventOf("customer.subscription.updated", held));
    const signature = await counter.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: counter.sandbox.webhookSecret,
    });
    const request = new Request("http://localhost/stripe-webhook", {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: payload,
    });
    const env = {
      SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
      SUPABASE_SERVICE_ROLE_KEY: counter.host.serviceRoleKey,
      STRIPE_SECRET_KEY: counter.sandbox.secretKey,
      STRIPE_WEBHOOK_SECRET: counter.sandbox.webhookSecret,
      STRIPE_API_BASE: counter.sandbox.apiBase,
    };
    const answer = await handleWebhook(request, { env });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: "The event could not be applied.",
      code: "internal_error",
    });
  });

  it("and an event that failed once is applied when it comes again", async () => {
    await counter.control("/webhooks/pause", {});
    const ada = await counter.payer();
    const answer = await counter.pay(ada, MENTOR, "pm_card_authenticationRequired");
    await counter.challenge(answer.body["client_secret"], "complete");
    await counter.sql("alter table private.billing_reads rename to billing_reads_away");
    await counter.control("/webhooks/resume", {});
    const failed = await counter.settle();
    expect(failed.some(({ status }) => status === 500)).toBe(true);
    expect(await counter.status(ada)).toBe("incomplete");
    await counter.sql("alter table private.billing_reads_away rename to billing_reads");
    await counter.control("/webhooks/redeliver", {});
    await counter.settle();
    expect(await counter.status(ada)).toBe("active");
    expect(await counter.role(ada)).toBe("mentor");
  });
});
