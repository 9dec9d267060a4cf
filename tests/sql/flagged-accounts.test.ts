import { describe, expect } from "vitest";
import { test } from "./world.ts";

const review = "select public.review_verification($1, $2, $3)";
const queue = "select * from public.flagged_accounts()";

describe("an account with five rejections", () => {
  const decide = "select public.decide_flagged_verification($1, $2, $3)";
  const countSql =
    "select count(*)::int as n from public.user_verifications where user_id = $1 and status = 'rejected'";

  test("waits for an administrator, who may let the member try again", async ({ world }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    await world.reject(id, 5, admin);
    const [flagged] = (await world.run(admin, queue)).filter((row) => row["user_id"] === id);
    expect(flagged).toMatchObject({
      reason: "verification_attempts_exhausted",
      closed_at: null,
      rejections: 5,
      last_reason: "Not readable",
      subscriptions: null,
    });
    await world.run(admin, decide, [id, "reset", "Sent a good scan by post"]);
    expect((await world.run(admin, queue)).filter((row) => row["user_id"] === id)).toEqual([]);
    // The member's own page counts from zero; the rows and their reasons stay for administrators.
    expect(await world.one(id, countSql, [id])).toEqual({ n: 0 });
    expect(await world.one(admin, countSql, [id])).toEqual({ n: 5 });
    const entry =
      "select actor, action, detail from private.audit_log where subject = $1 and action = $2";
    expect(await world.one("owner", entry, [id, "verification.attempts_reset"])).toEqual({
      actor: admin,
      action: "verification.attempts_reset",
      detail: { before: "waiting", after: "open", reason: "Sent a good scan by post" },
    });
    const again = await world.handIn(id, "90");
    expect(again).toMatchObject({ status: "pending" });
    await world.run(admin, review, [again["id"], "rejected", "Expired"]);
    expect((await world.run(admin, queue)).filter((row) => row["user_id"] === id)).toEqual([]);
  });

  test("may stay closed, which is decided once and with a reason, and can be reset later", async ({
    world,
  }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    await world.reject(id, 5, admin);
    await world.refused(admin, "FF122", decide, [id, "delete", "x"]);
    for (const reason of [null, " ", "x".repeat(1001)])
      await world.refused(admin, "FF123", decide, [id, "keep_closed", reason]);
    await world.run(admin, decide, [id, "keep_closed", "Forged three times"]);
    await world.refused(admin, "FF121", decide, [id, "keep_closed", "Once more"]);
    expect(await world.one(id, countSql, [id])).toEqual({ n: 5 });
    const [closed] = (await world.run(admin, queue)).filter((row) => row["user_id"] === id);
    expect(closed).toMatchObject({ rejections: 5, closed_at: expect.any(Date) });
    const other = await world.admin();
    await world.run(other, decide, [id, "reset", "The passport office confirmed it"]);
    expect((await world.run(admin, queue)).filter((row) => row["user_id"] === id)).toEqual([]);
    expect(await world.one(id, countSql, [id])).toEqual({ n: 0 });
    const log =
      "select actor, detail from private.audit_log where subject = $1 order by id desc limit 2";
    expect(await world.run("owner", log, [id])).toEqual([
      {
        actor: other,
        detail: {
          before: "kept_closed",
          after: "open",
          reason: "The passport office confirmed it",
        },
      },
      {
        actor: admin,
        detail: { before: "waiting", after: "kept_closed", reason: "Forged three times" },
      },
    ]);
    await world.refused(admin, "FF121", decide, [id, "reset", "Again"]);
    expect(await world.handIn(id, "90")).toMatchObject({ status: "pending" });
  });

  test("is decided by another administrator only", async ({ world }) => {
    const [id, admin, other] = [await world.newcomer(), await world.admin(), await world.admin()];
    await world.reject(id, 5, admin);
    await world.reject(other, 5, admin);
    for (const actor of [id, await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", decide, [id, "reset", "Please"]);
      await world.refused(actor, "FF002", queue);
    }
    await world.refused("anon", "42501", decide, [id, "reset", "Please"]);
    await world.refused("anon", "42501", queue);
    await world.refused(await world.plainAdmin(), "FF005", decide, [id, "reset", "Please"]);
    await world.refused(other, "FF124", decide, [other, "reset", "It is me"]);
    const forge =
      "update public.user_verifications set attempts_reset_at = now() where user_id = $1";
    await world.refused(id, "42501", forge, [id]);
  });
});

describe("an account with several subscriptions", () => {
  const resolve = "select public.resolve_billing_flag($1, 'several_subscriptions', $2)";

  test("waits with what they are, until an administrator says it was put right", async ({
    world,
  }) => {
    const [id, admin] = [await world.newcomer(), await world.admin()];
    await world.subscribe(id, "student-access");
    await world.subscribe(id, "mentor-access");
    await world.subscribe(id, "student-access", "canceled");
    const flag = "select private.billing_flag('cus_' || $1, 'several_subscriptions', '{}')";
    await world.run("owner", flag, [id]);
    const waiting = async () =>
      (await world.run(admin, queue)).filter((row) => row["user_id"] === id);
    expect(await waiting()).toMatchObject([
      {
        reason: "several_subscriptions",
        email: `${id}@example.test`,
        subscriptions: [
          { plan: "Student Access", status: "active", is_current: false },
          { plan: "Mentor Access", status: "active", is_current: false },
        ],
      },
    ]);
    for (const actor of [id, await world.member("mentor-access")])
      await world.refused(actor, "FF002", resolve, [id, "Mine"]);
    await world.refused("anon", "42501", resolve, [id, "Mine"]);
    await world.refused(await world.plainAdmin(), "FF005", resolve, [id, "Done"]);
    await world.refused(admin, "FF123", resolve, [id, " "]);
    await world.refused(admin, "FF124", resolve, [admin, "Done"]);
    await world.run(admin, resolve, [id, " The second one was ended at the provider. "]);
    await world.refused(admin, "FF121", resolve, [id, "Again"]);
    expect(await waiting()).toEqual([]);
    const log = "select actor, detail from private.audit_log where subject = $1 and action = $2";
    expect(await world.one("owner", log, [id, "billing.flag_resolved"])).toEqual({
      actor: admin,
      detail: {
        before: "several_subscriptions",
        after: "resolved",
        reason: "The second one was ended at the provider.",
      },
    });
    // A flag of another kind is not taken off by it.
    await world.refused(admin, "FF121", resolve, [id, "Again"]);
    // It is flagged again when it was not put right after all.
    await world.run("owner", flag, [id]);
    expect(await waiting()).toHaveLength(1);
  });
});
