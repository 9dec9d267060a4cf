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
import { enrollSecondFactor, signInWithSecondFactor } from "../support/second-factor.ts";

// A product of its own, because these tests move the clock and break the provider.
let billing: BillingFixture;
let stop: () => Promise<void>;
let admin: Payer;
/** Callers who may not act on money, and what they are told. */
let refused: [string, Payer, number, string][];
beforeAll(async () => {
  ({ billing, stop } = await startOwnBilling());
  admin = await billing.payer();
  await signInWithSecondFactor(admin.client, admin.email);
  await appoint(admin);
  refused = [
    ["a student", await billing.memberWith(studentPlan), 403, "FF002"],
    ["a mentor", await billing.memberWith(mentorPlan), 403, "FF002"],
    [
      "an administrator without a second factor",
      await appoint(await billing.payer()),
      403,
      "admin_second_factor_due",
    ],
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

async function appoint(account: Payer): Promise<Payer> {
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
        shouldRetry: false,
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

  it("whose end is not known is looked up by the reconciliation, made or not", async () => {
    const [ada, ben] = [
      await billing.memberWith(studentPlan),
      await billing.memberWith(studentPlan),
    ];
    const requests = new Map<string, string>();
    for (const [member, when] of [
      [ada, "before"],
      [ben, "after"],
    ] as const) {
      await billing.control("/faults", {
        method: "POST",
        path: "/v1/refunds",
        when,
        action: "error",
        shouldRetry: false,
        times: 9,
      });
      const request = refundOf(await paymentOf(member), 1000);
      requests.set(member.id, request.request_id);
      const answer = await billing.call(admin.client, "admin-refund-payment", request);
      expect(answer.status).toBe(502);
      await billing.clearFailures();
    }
    await billing.sql(
      "update private.refund_requests set last_tried_at = now() - interval '11 minutes' where id = any ($1)",
      [[...requests.values()]],
    );
    expect(await billing.reconcile()).toMatchObject({ failed: 0 });
    const states = async () =>
      await billing.sql(
        "select state from private.refund_requests where id = any ($1) order by state",
        [[...requests.values()]],
      );
    // Ben's may have been settled by its webhook before.
    expect(await states()).toEqual([{ state: "made" }, { state: "refused" }]);
    expect((await paymentOf(ada)).amount_refunded).toBe(0);
    expect((await paymentOf(ben)).amount_refunded).toBe(1000);
  });

  it("that the bank gives back later has failed, and another one can be made", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    const request = refundOf(charge, 2000);
    const { body } = await billing.call(admin.client, "admin-refund-payment", request);
    await billing.control("/refunds/fail", { refund: body["refund_id"] });
    await billing.deliverWebhooks();
    expect(await listed(ada)).toMatchObject([{ refunded_pence: 0 }]);
    expect(await auditOf("payment.refund_failed")).toMatchObject([
      { actor: null, subject: ada.id, detail: { request: request.request_id } },
    ]);
    expect(await billing.call(admin.client, "admin-refund-payment", request)).toMatchObject({
      status: 409,
      body: { code: "refund_failed" },
    });
    const again = await billing.call(admin.client, "admin-refund-payment", refundOf(charge, 5000));
    expect(again.status).toBe(200);
  });

  it("that the provider refuses changes nothing and says why", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    // Refunded in the provider's dashboard, whose event has not arrived.
    await billing.control("/webhooks/pause", {});
    try {
      await billing.stripe.refunds.create({ charge: charge.id, amount: 4000 });
      expect(
        await billing.call(admin.client, "admin-refund-payment", refundOf(charge, 2000)),
      ).toMatchObject({ status: 409, body: { code: "refund_refused" } });
    } finally {
      await billing.control("/webhooks/resume", {});
    }
    expect((await paymentOf(ada)).amount_refunded).toBe(4000);
    const refusals = await auditOf("payment.refund_refused");
    expect(refusals.filter(({ subject }) => subject === ada.id)).toHaveLength(1);
  });

  it("is refused without a fresh code of a known second factor, and nothing reaches the provider", async () => {
    const charge = await paymentOf(await billing.memberWith(studentPlan));
    const other = await billing.payer();
    await enrollSecondFactor(other.client);
    await appoint(other);
    const refusedWith = async (code: string) => {
      const answer = await billing.call(
        other.client,
        "admin-refund-payment",
        refundOf(charge, 1000),
      );
      expect(answer).toMatchObject({ status: 403, body: { code } });
    };
    // Set up after the sign-in, so a thief of the session could have done it.
    await refusedWith("FF007");
    await billing.sql(
      `update auth.mfa_amr_claims set updated_at = now() - interval '6 minutes'
        where session_id in (select id from auth.sessions where user_id = $1)`,
      [other.id],
    );
    await refusedWith("FF006");
    expect((await billing.stripe.refunds.list({ charge: charge.id })).data).toEqual([]);
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
      ["admin-coupons", { action: "create_trial", code: "STOLEN", days: 365 }],
      ["admin-retry-event", { event_id: "evt_1" }],
      ["admin-retry-payment", { request_id: randomUUID(), invoice_id: "in_1" }],
      ["admin-settle-guarantee", { claim_id: randomUUID() }],
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

describe("an event that could not be applied", () => {
  it("is listed until it is processed again by an administrator", async () => {
    const ada = await billing.memberWith(studentPlan);
    const charge = await paymentOf(ada);
    await billing.control("/faults", {
      path: `/v1/charges/${charge.id}`,
      when: "before",
      action: "error",
      shouldRetry: false,
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
