import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import handleWebhook from "../../supabase/functions/stripe-webhook/handler.ts";
import {
  billingEvent,
  mentorPlan,
  studentPlan,
  type BillingEvent,
  type BillingFixture,
  type Payer,
} from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";
import { freePort } from "../support/spawn-product.ts";

// A product of its own, because these tests pause and reorder webhooks.
let billing: BillingFixture;
let stop: () => Promise<void>;
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.control("/webhooks/resume", {});
  await billing.deliverWebhooks();
});

async function eventsAbout(subscription: unknown): Promise<BillingEvent[]> {
  const { data } = await billing.control("/events");
  return (data as BillingEvent[]).filter(({ data: { object } }) => object.id === subscription);
}

async function isRecorded(event: string): Promise<boolean> {
  const rows = await billing.sql("select from private.billing_events where event_id = $1", [event]);
  return rows.length === 1;
}

/** Sets the membership to canceled in the database, so that a test sees whether an event restores it. */
async function cancelInDatabase(subscription: string): Promise<void> {
  await billing.sql(
    "update public.stripe_subscriptions set status = 'canceled' where subscription_id = $1",
    [subscription],
  );
}

describe("the provider's own deliveries", () => {
  it("are all taken, and noted once each", async () => {
    const { ada, subscription } = await billing.member();
    const deliveries = await billing.deliverWebhooks();
    expect(deliveries.length).toBeGreaterThan(0);
    expect(deliveries.filter(({ status }) => status !== 200)).toEqual([]);
    for (const { id } of await eventsAbout(subscription)) expect(await isRecorded(id)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("in any order give the provider's current state", async () => {
    await billing.control("/webhooks/pause", {});
    const ada = await billing.payer();
    const answer = await billing.pay(ada, mentorPlan, "pm_card_authenticationRequired");
    await billing.challenge(answer.body["client_secret"], "complete");
    await billing.control("/webhooks/reorder", { order: "reverse" });
    await billing.control("/webhooks/resume", {});
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.role(ada)).toBe("mentor");
  });

  it("that arrive after the end do not bring a membership back", async () => {
    const { ada, subscription } = await billing.member();
    const early = (await eventsAbout(subscription)).filter(
      ({ data }) => data.object.status === "active",
    );
    expect(early.length).toBeGreaterThan(0);
    await billing.stripe.subscriptions.cancel(subscription);
    await billing.deliverWebhooks();
    for (const event of early) {
      await billing.sql("delete from private.billing_events where event_id = $1", [event.id]);
      expect(await billing.postEvent(event)).toMatchObject({ status: 200 });
    }
    expect(await billing.status(ada)).toBe("canceled");
    expect(await billing.role(ada)).toBe("student");
  });
});

describe("a replayed event", () => {
  it("has no effect", async () => {
    const { ada, subscription } = await billing.member();
    const [event] = await eventsAbout(subscription);
    await cancelInDatabase(subscription);
    await billing.control("/webhooks/replay", { event: event?.id });
    const last = (await billing.deliverWebhooks()).at(-1);
    expect(last).toMatchObject({ eventId: event?.id, status: 200 });
    expect(await billing.status(ada)).toBe("canceled");
  });

  it("sent twice at once has its effect once", async () => {
    const { subscription } = await billing.member();
    const held = await billing.stripe.subscriptions.retrieve(subscription);
    const event = billingEvent("customer.subscription.updated", held);
    const answers = await Promise.all([1, 2, 3].map(async () => await billing.postEvent(event)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await isRecorded(event.id)).toBe(true);
  });
});

describe("a signature", () => {
  const refused = {
    status: 400,
    body: { error: "The signature is not valid.", code: "invalid_signature" },
  };

  async function canceledMember(): Promise<{ ada: Payer; event: BillingEvent }> {
    const { ada, subscription } = await billing.member(studentPlan);
    await cancelInDatabase(subscription);
    const held = await billing.stripe.subscriptions.retrieve(subscription);
    return { ada, event: billingEvent("customer.subscription.updated", held) };
  }

  it("of a moment ago is taken", async () => {
    const { ada, event } = await canceledMember();
    const now = Date.now() / 1000;
    expect(await billing.postEvent(event, { at: now - 290 })).toEqual({
      status: 200,
      body: { received: true, handled: true },
    });
    expect(await billing.status(ada)).toBe("active");
  });

  it("with another secret, too late, from the future or over other bytes is refused", async () => {
    const { ada, event } = await canceledMember();
    const now = Date.now() / 1000;
    expect(await billing.postEvent(event, { secret: "whsec_guessed" })).toEqual(refused);
    expect(await billing.postEvent(event, { at: now - 310 })).toEqual(refused);
    expect(await billing.postEvent(event, { at: now + 60 })).toEqual(refused);
    expect(await billing.postEvent(event, { at: now + 86_400 * 365 })).toEqual(refused);
    const payload = JSON.stringify(event);
    const signature = await billing.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: billing.sandbox.webhookSecret,
    });
    const headers = { "stripe-signature": signature };
    expect(await billing.postRaw(payload.replace("active", "actove"), headers)).toEqual(refused);
    expect(await billing.postRaw(`${payload} `, headers)).toEqual(refused);
    const future = await billing.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: billing.sandbox.webhookSecret,
      timestamp: Math.floor(now) + 600,
    });
    const disguised = { "stripe-signature": `t=${Math.floor(now)},${future}` };
    expect(await billing.postRaw(payload, disguised)).toEqual(refused);
    expect(await billing.status(ada)).toBe("canceled");
    expect(await isRecorded(event.id)).toBe(false);
  });

  it.each([
    ["none", {}],
    ["an empty one", { "stripe-signature": "" }],
    ["only a timestamp", { "stripe-signature": "t=1" }],
    ["nonsense", { "stripe-signature": "v1=x,t=soon" }],
  ])("that is %s is refused", async (_, headers) => {
    expect(await billing.postRaw("{}", headers as Record<string, string>)).toEqual(refused);
  });

  it("by the sandbox with a wrong secret is refused and not tried again", async () => {
    const { ada, event } = await canceledMember();
    const [stored] = await eventsAbout(event.data.object.id);
    await billing.sql("delete from private.billing_events where event_id = $1", [stored?.id]);
    await billing.control("/webhooks/replay", { event: stored?.id, badSignature: true });
    expect((await billing.deliverWebhooks()).at(-1)).toMatchObject({
      eventId: stored?.id,
      status: 400,
    });
    expect(await billing.status(ada)).toBe("canceled");
  });
});

describe("an event about something else", () => {
  it.each([
    ["of an unknown kind", billingEvent("made.up", { id: "x", object: "made_up" })],
    ["about a new customer", billingEvent("customer.created", { id: "cus_x", object: "customer" })],
    [
      "about a subscription that does not exist",
      billingEvent("customer.subscription.updated", { id: "sub_none", object: "subscription" }),
    ],
    [
      "about an invoice without a subscription",
      billingEvent("invoice.paid", { id: "in_x", object: "invoice", parent: null }),
    ],
    [
      "about a customer that does not exist",
      billingEvent("customer.deleted", { id: "cus_none", object: "customer" }),
    ],
    ["without an object", billingEvent("made.up", {})],
  ])("%s is taken and changes nothing", async (_, event) => {
    expect(await billing.postEvent(event)).toEqual({
      status: 200,
      body: { received: true, handled: false },
    });
    expect(await isRecorded(event.id)).toBe(false);
  });

  it("that falsely reports a deleted customer changes nothing", async () => {
    const { ada } = await billing.member();
    const customer = await billing.customerId(ada);
    const event = billingEvent("customer.deleted", { id: customer, object: "customer" });
    expect(await billing.postEvent(event)).toMatchObject({ body: { handled: false } });
    expect(await billing.customerId(ada)).toBe(customer);
  });

  it("about a subscription of an unknown customer changes nothing", async () => {
    const { subscription } = await billing.sellToUnknownCustomer("pm_card_visa");
    expect(
      await billing.sql("select from public.stripe_subscriptions where subscription_id = $1", [
        subscription,
      ]),
    ).toEqual([]);
  });
});

describe("a deleted customer", () => {
  it("loses membership and role", async () => {
    const { ada } = await billing.member();
    await billing.stripe.customers.del(await billing.customerId(ada));
    await billing.deliverWebhooks();
    expect(await billing.customerId(ada)).toBe("");
    expect(await billing.subscription(ada)).toBeNull();
    expect(await billing.role(ada)).toBe("student");
  });
});

describe("an administrator who pays", () => {
  it("stays one, whatever the webhook says", async () => {
    const ada = await billing.payer();
    await enrollSecondFactor(ada.client);
    await billing.sql("select private.make_admin($1)", [ada.id]);
    await billing.pay(ada, mentorPlan);
    await billing.deliverWebhooks();
    expect(await billing.role(ada)).toBe("admin");
    await billing.stripe.customers.del(await billing.customerId(ada));
    await billing.deliverWebhooks();
    expect(await billing.role(ada)).toBe("admin");
  });
});

describe("when the database is away", () => {
  it("the provider is told to send the event again", async () => {
    const { subscription } = await billing.member();
    const held = await billing.stripe.subscriptions.retrieve(subscription);
    const payload = JSON.stringify(billingEvent("customer.subscription.updated", held));
    const signature = await billing.stripe.webhooks.generateTestHeaderStringAsync({
      payload,
      secret: billing.sandbox.webhookSecret,
    });
    const request = new Request("http://localhost/stripe-webhook", {
      method: "POST",
      headers: { "stripe-signature": signature },
      body: payload,
    });
    const env = {
      SUPABASE_URL: `http://127.0.0.1:${await freePort()}`,
      SUPABASE_SERVICE_ROLE_KEY: billing.host.serviceRoleKey,
      STRIPE_SECRET_KEY: billing.sandbox.secretKey,
      STRIPE_WEBHOOK_SECRET: billing.sandbox.webhookSecret,
      STRIPE_API_BASE: billing.sandbox.apiBase,
    };
    const answer = await handleWebhook(request, { env });
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      error: "The event could not be applied.",
      code: "internal_error",
    });
  });

  it("and an event that failed once is applied when it comes again", async () => {
    await billing.control("/webhooks/pause", {});
    const ada = await billing.payer();
    const answer = await billing.pay(ada, mentorPlan, "pm_card_authenticationRequired");
    await billing.challenge(answer.body["client_secret"], "complete");
    await billing.sql("alter table private.billing_sync_versions rename to billing_reads_away");
    await billing.control("/webhooks/resume", {});
    const failed = await billing.deliverWebhooks();
    expect(failed.some(({ status }) => status === 500)).toBe(true);
    expect(await billing.status(ada)).toBe("incomplete");
    const unapplied = `select f.last_error from private.billing_failures f
      where not exists (select from private.billing_events e where e.event_id = f.event_id)
        and f.last_error like '%billing_sync_versions%' and f.event_type like 'customer.subscription%'`;
    expect(await billing.sql(unapplied)).not.toEqual([]);
    await billing.sql("alter table private.billing_reads_away rename to billing_sync_versions");
    await billing.control("/webhooks/redeliver", {});
    await billing.deliverWebhooks();
    expect(await billing.status(ada)).toBe("active");
    expect(await billing.role(ada)).toBe("mentor");
    // Administrators no longer see it as failed.
    expect(await billing.sql(unapplied)).toEqual([]);
  });
});
