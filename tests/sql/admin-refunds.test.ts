import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { beginRefund, recordPayment } from "./payment-world.ts";
import { test } from "./world.ts";

describe("a refund", () => {
  test("is recorded once under its request, with what was before and after", async ({ world }) => {
    const [admin, ada] = [await world.freshAdmin(), await world.member()];
    const { id } = await recordPayment(world, ada, { amount_refunded: 1000 });
    const request = randomUUID();
    for (let time = 1; time <= 2; time += 1) {
      const row = await world.one(admin, beginRefund, [request, id, 1500, " Moved away "]);
      expect(row["request"]).toMatchObject({ charge_id: id, amount_pence: 1500, state: "started" });
    }
    await world.refused(admin, "FF251", beginRefund, [request, id, 1600, "Moved away"]);
    const end = "select public.billing_end_refund($1, $2, $3, $4, null)";
    await world.run("service_role", end, [request, admin, "unclear", null]);
    await world.run("service_role", end, [request, admin, "made", "re_1"]);
    await world.run("service_role", end, [request, admin, "unclear", null]);
    const log = await world.run(
      "owner",
      "select action, detail from private.audit_log where subject = $1 and actor = $2 order by id",
      [ada, admin],
    );
    expect(log).toMatchObject([
      {
        action: "payment.refund_started",
        detail: {
          before: { refunded_pence: 1000 },
          after: { refunded_pence: 2500 },
          reason: "Moved away",
        },
      },
      { action: "payment.refund_unclear" },
      { action: "payment.refund_made", detail: { refund: "re_1", amount_pence: 1500 } },
    ]);
  });

  test("needs a code of the last five minutes, of a factor older than the session", async ({
    world,
  }) => {
    const { id } = await recordPayment(world, await world.member());
    const newFactor = await world.freshAdmin();
    await world.run(
      "owner",
      "update auth.mfa_factors set created_at = now() + interval '1 minute' where user_id = $1",
      [newFactor],
    );
    for (const [admin, code] of [
      [await world.admin(), "FF006"],
      [await world.freshAdmin(6), "FF006"],
      [newFactor, "FF007"],
    ] as const) {
      await world.refused(admin, code, beginRefund, [randomUUID(), id, 100, "why"]);
      await world.refused(admin, code, beginRefund, [randomUUID(), id, 5000, "why"]);
    }
    await world.run(await world.freshAdmin(4), beginRefund, [randomUUID(), id, 100, "why"]);
  });

  test("needs a payment, a reason, an amount that is left, and no dispute", async ({ world }) => {
    const [admin, ada] = [await world.freshAdmin(), await world.member()];
    const { id } = await recordPayment(world, ada, { amount_refunded: 1000 });
    const disputed = await recordPayment(world, ada, { dispute: "open" });
    for (const [code, payment, amount, reason] of [
      ["FF250", "ch_none", 1, "why"],
      ["FF240", id, 1, " "],
      ["FF253", id, 0, "why"],
      ["FF253", id, -1, "why"],
      ["FF253", id, null, "why"],
      ["FF253", id, 4001, "why"],
      ["FF254", disputed.id, 1, "why"],
    ] as const) {
      await world.refused(admin, code, beginRefund, [randomUUID(), payment, amount, reason]);
    }
    await world.run(admin, beginRefund, [randomUUID(), id, 4000, "why"]);
  });

  test("that failed at the bank later is over, and frees the payment", async ({ world }) => {
    const [admin, ada] = [await world.freshAdmin(), await world.member()];
    const [{ id }, other] = [await recordPayment(world, ada), await recordPayment(world, ada)];
    const request = randomUUID();
    const stateOf = async () =>
      (
        await world.one("owner", "select state from private.refund_requests where id = $1", [
          request,
        ])
      )["state"];
    const unsettled =
      "select request_id from public.billing_unsettled_refunds() where payment_id = $1";
    const settle = "select public.billing_settle_refund($1, $2, 're_failing', $3, 'expired card')";
    const minutesAgo = async (minutes: number) =>
      await world.run(
        "owner",
        "update private.refund_requests set last_tried_at = now() - make_interval(mins => $2) where id = $1",
        [request, minutes],
      );
    await world.run(admin, beginRefund, [request, id, 2000, "why"]);
    // The function that asks the provider is still at work.
    await minutesAgo(9);
    await world.run("service_role", settle, [request, id, "made"]);
    expect(await stateOf()).toBe("started");
    expect(await world.run("service_role", unsettled, [id])).toEqual([]);
    await minutesAgo(11);
    expect(await world.run("service_role", unsettled, [id])).toEqual([{ request_id: request }]);
    // A request of one payment says nothing about another.
    await world.run("service_role", settle, [request, other.id, "failed"]);
    expect(await stateOf()).toBe("started");
    for (const [outcome, state] of [
      ["made", "made"],
      ["refused", "made"],
      ["failed", "failed"],
      ["made", "failed"],
    ]) {
      await world.run("service_role", settle, [request, id, outcome]);
      expect(await stateOf(), outcome).toBe(state);
    }
    const log = await world.run(
      "owner",
      "select actor, action from private.audit_log where subject = $1 order by id",
      [ada],
    );
    expect(log).toEqual([
      { actor: admin, action: "payment.refund_started" },
      { actor: null, action: "payment.refund_made" },
      { actor: null, action: "payment.refund_failed" },
    ]);
    await world.run(admin, beginRefund, [randomUUID(), id, 2000, "why"]);
  });

  test("waits for the end of another one of the same payment, which is listed until then", async ({
    world,
  }) => {
    const [admin, other, ada] = [
      await world.freshAdmin(),
      await world.freshAdmin(),
      await world.member(),
    ];
    const [{ id }, elsewhere] = [await recordPayment(world, ada), await recordPayment(world, ada)];
    const first = randomUUID();
    const unfinished =
      "select request_id from public.admin_unfinished_refunds() where payment_id = $1";
    const end = "select public.billing_end_refund($1, $2, $3, null, null)";
    await world.run(admin, beginRefund, [first, id, 2000, "why"]);
    for (const state of ["started", "unclear"]) {
      if (state === "unclear") await world.run("service_role", end, [first, admin, state]);
      await world.refused(other, "FF255", beginRefund, [randomUUID(), id, 1000, "why"]);
      expect(await world.run(other, unfinished, [id])).toEqual([{ request_id: first }]);
    }
    await world.run(admin, beginRefund, [randomUUID(), elsewhere.id, 1000, "why"]);
    // The same request goes on.
    await world.run(other, beginRefund, [first, id, 2000, "why"]);
    await world.run("service_role", end, [first, admin, "refused"]);
    expect(await world.run(other, unfinished, [id])).toEqual([]);
    await world.run(other, beginRefund, [randomUUID(), id, 1000, "why"]);
    // A request that was refused is not begun again beside the new one.
    await world.refused(admin, "FF255", beginRefund, [first, id, 2000, "why"]);
  });

  test("of an administrator's own payment is for another administrator", async ({ world }) => {
    const [admin, other] = [await world.freshAdmin(), await world.freshAdmin()];
    const { id } = await recordPayment(world, admin);
    await world.refused(admin, "FF252", beginRefund, [randomUUID(), id, 5000, "mine"]);
    await world.run(other, beginRefund, [randomUUID(), id, 5000, "why"]);
  });
});
