import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  billingEvent,
  invoicesOf,
  mentorPlan,
  studentPlan,
  type BillingFixture,
  type Payer,
} from "../support/billing.ts";
import { startOwnBilling } from "../support/own-billing.ts";
import { enrollSecondFactor } from "../support/second-factor.ts";

// A product of its own, because these tests move the clock and break the provider.
let billing: BillingFixture;
let stop: () => Promise<void>;
let admin: Payer;
/** Callers who may not act on money, and what they are told. */
let refused: [string, Payer, number, string][];
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  admin = await administrator();
  await enrollSecondFactor(admin.client);
  refused = [
    ["a student", await billing.memberWith(studentPlan), 403, "FF002"],
    ["a mentor", await billing.memberWith(mentorPlan), 403, "FF002"],
    ["an administrator without a second factor", await administrator(), 403, "FF005"],
    [
      "a visitor",
      { id: "", email: "", client: billing.client(billing.host.anonKey) },
      401,
      "unauthorized",
    ],
  ];
});
afterAll(async () => await stop());
afterEach(async () => {
  await billing.clearFailures();
  await billing.control("/webhooks/resume", {});
});

async function administrator(): Promise<Payer> {
  const account = await billing.payer();
  await billing.sql("select private.make_admin($1)", [account.id]);
  return account;
}

async function paymentOf(member: Payer): Promise<Stripe.Charge> {
  const customer = await billing.customerId(member);
  const [charge] = (await billing.stripe.charges.list({ customer })).data;
  if (!charge) throw new Error("no payment");
  return charge;
}

const refundOf = (charge: Stripe.Charge, amount: number, id = randomUUID()) => ({
  request_id: id,
  payment_id: charge.id,
  amount_pence: amount,
  reason: "Asked by e-mail",
});

async function auditOf(action: string): Promise<Record<string, unknown>[]> {
  return await billing.sql(
    "select actor, subject, detail from private.audit_log where action = $1 order by id",
    [action],
  );
}

/** What the console lists for one member. */
async function listed(member: Payer): Promise<Record<string, unknown>[]> {
  const { data, error } = await admin.client.rpc("admin_payments", { search: member.email });
  if (error) throw new Error(error.message);
  return data as Record<string, unknown>[];
}

describe("a refund", () => {
  it("of a part, then the rest, reaches the card, the list and the membership, and is audited", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    const part = refundOf(charge, 2000);
    const first = await billing.call(admin.client, "admin-refund-payment", part);
    expect(first).toMatchObject({ status: 200, body: { status: "succeeded" } });
    // Without waiting for the webhook.
    expect(await listed(ada)).toMatchObject([
      { payment_id: charge.id, state: "partly_refunded", refunded_pence: 2000 },
    ]);
    // The same request again is the same refund.
    expect(await billing.call(admin.client, "admin-refund-payment", part)).toEqual(first);
    await billing.deliverWebhooks();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await invoicesOf(ada)).toMatchObject([{ amount_refunded_pence: 2000 }]);
    const { data: refunds } = await admin.client.rpc("admin_refunds");
    expect(refunds).toContainEqual(
      expect.objectContaining({
        payment_id: charge.id,
        amount_pence: 2000,
        reason: "Asked by e-mail",
      }),
    );
    expect(await auditOf("payment.refund_made")).toMatchObject([
      { actor: admin.id, subject: ada.id, detail: { amount_pence: 2000, payment: charge.id } },
    ]);
    const rest = await billing.call(admin.client, "admin-refund-payment", refundOf(charge, 3000));
    expect(rest.status).toBe(200);
    await billing.deliverWebhooks();
    expect(await listed(ada)).toMatchObject([{ state: "refunded" }]);
    expect(await billing.isMember(ada)).toBe(false);
  });

  it("whose answer is lost is said to be unclear, and repeating it refunds once", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    const request = refundOf(charge, 1000);
    for (const when of ["before", "after"]) {
      await billing.control("/faults", {
        path: "/v1/refunds",
        when,
        action: "error",
        status: 500,
        times: 9,
      });
      expect(await billing.call(admin.client, "admin-refund-payment", request)).toMatchObject({
        status: 502,
        body: {
          code: "provider_unavailable",
          error: expect.stringContaining("may have been made"),
        },
      });
      await billing.clearFailures();
    }
    // Another request could refund twice.
    expect(
      await billing.call(admin.client, "admin-refund-payment", refundOf(charge, 1000)),
    ).toMatchObject({ status: 409, body: { code: "FF255" } });
    expect(await billing.call(admin.client, "admin-refund-payment", request)).toMatchObject({
      status: 200,
    });
    expect((await paymentOf(ada)).amount_refunded).toBe(1000);
    // A request that was made is only read again, whatever the provider remembers of its key.
    expect(await billing.call(admin.client, "admin-refund-payment", request)).toMatchObject({
      status: 200,
      body: { status: "succeeded" },
    });
    expect((await paymentOf(ada)).amount_refunded).toBe(1000);
  });

  it("that the provider refuses changes nothing and says why", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    // Refunded in the provider's dashboard, whose event has not arrived.
    await billing.stripe.refunds.create({ charge: charge.id, amount: 4000 });
    expect(
      await billing.call(admin.client, "admin-refund-payment", refundOf(charge, 2000)),
    ).toMatchObject({ status: 409, body: { code: "refund_refused" } });
    expect((await paymentOf(ada)).amount_refunded).toBe(4000);
    expect(await auditOf("payment.refund_refused")).toHaveLength(1);
  });

  it("of more than is left, or of nothing, is refused before the provider is asked", async () => {
    const charge = await paymentOf(await billing.memberWith(studentPlan));
    for (const [amount, code] of [
      [5001, "FF253"],
      [0, "invalid_request"],
      [-5, "invalid_request"],
      [0.5, "invalid_request"],
    ] as const) {
      const answer = await billing.call(
        admin.client,
        "admin-refund-payment",
        refundOf(charge, amount),
      );
      expect(answer).toMatchObject({ status: 400, body: { code } });
    }
    expect(
      await billing.call(admin.client, "admin-refund-payment", {
        ...refundOf(charge, 1),
        payment_id: "ch_none",
      }),
    ).toMatchObject({ status: 404, body: { code: "FF250" } });
  });
});

describe("acts on money", () => {
  it("are refused to everyone but administrators with a second factor", async () => {
    const charge = await paymentOf(await billing.memberWith(studentPlan));
    const calls: [string, Record<string, unknown>][] = [
      ["admin-refund-payment", refundOf(charge, 100)],
      ["admin-coupons", { action: "list" }],
      ["admin-coupons", { action: "create", request_id: randomUUID(), code: "STOLEN" }],
      ["admin-retry-event", { event_id: "evt_1" }],
      ["admin-stop-renewal", { member_id: randomUUID(), reason: "Spam" }],
    ];
    for (const [who, { client }, status, code] of refused) {
      for (const [name, body] of calls) {
        const answer = await billing.call(client, name, body);
        expect([answer.status, answer.body["code"]], `${who}: ${name}`).toEqual([status, code]);
      }
    }
    expect((await billing.stripe.promotionCodes.list({ code: "STOLEN" })).data).toEqual([]);
    expect((await billing.stripe.charges.retrieve(charge.id)).amount_refunded).toBe(0);
  });
});

describe("the renewal of a suspended member", () => {
  it("is stopped by an administrator, who says why, and the last period is the last payment", async () => {
    const ada = await billing.memberWith(studentPlan);
    const suspend = { member: ada.id, reason: "Spam" };
    expect((await admin.client.rpc("suspend_member", suspend)).error).toBeNull();
    const stopIt = { member_id: ada.id, reason: "Suspended until it is lifted" };
    const answer = await billing.call(admin.client, "admin-stop-renewal", stopIt);
    expect(answer).toEqual({ status: 200, body: { changed: true } });
    expect(await billing.call(admin.client, "admin-stop-renewal", stopIt)).toEqual({
      status: 200,
      body: { changed: false },
    });
    expect(await auditOf("account.renewal_stopped")).toContainEqual(
      expect.objectContaining({
        actor: admin.id,
        subject: ada.id,
        detail: expect.objectContaining({ reason: "Suspended until it is lifted" }),
      }),
    );
    // The member's own session is over, so it cannot cancel or go on.
    const own = await billing.call(ada.client, "stripe-uncancel-subscription", {
      subscription_id: "sub_any",
    });
    expect(own.status).toBe(401);
    await billing.advanceClock({ months: 1, hours: 2 });
    expect(await billing.atProvider(ada)).toMatchObject({ paid: [5000], live: [] });
    expect(await billing.call(admin.client, "admin-stop-renewal", stopIt)).toMatchObject({
      status: 409,
      body: { code: "FF520" },
    });
    for (const [body, status] of [
      [{ member_id: randomUUID(), reason: "Spam" }, 404],
      [{ member_id: ada.id, reason: " " }, 400],
      [{ member_id: "nobody", reason: "Spam" }, 400],
      [{ member_id: admin.id, reason: "Spam" }, 409],
    ] as const) {
      expect((await billing.call(admin.client, "admin-stop-renewal", body)).status).toBe(status);
    }
  });
});

describe("an event that could not be applied", () => {
  it("is listed until it is processed again by an administrator", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    await billing.control("/faults", {
      path: `/v1/charges/${charge.id}`,
      when: "before",
      action: "error",
      status: 500,
      times: 99,
    });
    await billing.stripe.refunds.create({ charge: charge.id, amount: 500 });
    await billing.deliverWebhooks();
    // Else the provider would send them again by itself.
    await billing.control("/webhooks/pause", {});
    await billing.clearFailures();
    const failed = async () => {
      const { data, error } = await admin.client.rpc("admin_failed_events");
      if (error) throw new Error(error.message);
      return data as { event_id: string; event_type: string; last_error: string }[];
    };
    const waiting = await failed();
    expect(waiting.map(({ event_type: type }) => type)).toContain("charge.refunded");
    expect(await listed(ada)).toMatchObject([{ refunded_pence: 0 }]);
    for (const { event_id: id } of waiting) {
      expect(await billing.call(admin.client, "admin-retry-event", { event_id: id })).toMatchObject(
        { status: 200 },
      );
    }
    expect(await failed()).toEqual([]);
    expect(await listed(ada)).toMatchObject([{ refunded_pence: 500 }]);
    expect(await auditOf("billing.event_retried")).toContainEqual(
      expect.objectContaining({
        actor: admin.id,
        detail: expect.objectContaining({ outcome: "processed" }),
      }),
    );
    // An event that did not fail is not applied on request.
    const other = billingEvent("charge.refunded", charge).id;
    expect(
      await billing.call(admin.client, "admin-retry-event", { event_id: other }),
    ).toMatchObject({ status: 404, body: { code: "event_not_found" } });
  });
});

describe("a complimentary membership", () => {
  it("gives a member access without a payment until the reconciliation ends it", async () => {
    const ada = await billing.payer();
    const { error } = await admin.client.rpc("admin_grant_complimentary", {
      member_email: ada.email.toUpperCase(),
      plan: "mentor-access",
      ends_at: new Date(Date.now() + 3_600_000).toISOString(),
      reason: "Guest speaker",
    });
    expect(error).toBeNull();
    expect(await billing.isMember(ada)).toBe(true);
    expect(await billing.role(ada)).toBe("mentor");
    await billing.sql(
      "update public.complimentary_memberships set ends_at = now() where user_id = $1",
      [ada.id],
    );
    await billing.reconcile();
    expect(await billing.isMember(ada)).toBe(false);
    expect(await billing.role(ada)).toBe("student");
  });
});
