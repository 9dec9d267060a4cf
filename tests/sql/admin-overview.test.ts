import { describe, expect } from "vitest";
import { daysAgo, hideOthers, adminOverviewSql, readAdminOverview } from "./overview-world.ts";
import { test } from "./world.ts";

describe("the overview of the console", () => {
  test("counts as the list of members does, complimentary members and their levels included", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.freshAdmin();
    const before = await readAdminOverview(world, admin);
    const guest = await world.member();
    await world.setSubscriptionStatus(guest, "canceled");
    await world.run(
      admin,
      "select public.admin_grant_complimentary($1, 'student-access', null, 'Guest')",
      [`${guest}@example.test`],
    );
    await world.run("owner", "update public.user_levels set current_level = 2 where user_id = $1", [
      guest,
    ]);
    const { status } = await world.one(
      "owner",
      "select status from private.membership_statuses where user_id = $1",
      [guest],
    );
    const after = await readAdminOverview(world, admin);
    expect(status).toBe("complimentary");
    const more = (after.by_status["complimentary"] ?? 0) - (before.by_status["complimentary"] ?? 0);
    expect(more).toBe(1);
    expect(after.by_level.map((n, level) => n - (before.by_level[level] ?? 0))).toEqual([
      0, 0, 1, 0, 0,
    ]);
    expect(after.paying_students).toBe(before.paying_students);
    expect(after.monthly_revenue_pence).toBe(before.monthly_revenue_pence);
  });

  test("counts members by status, level and plan, and what they pay a month", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = await readAdminOverview(world, admin);
    const student = await world.member();
    await world.member("mentor-access");
    const late = await world.member();
    await world.setSubscriptionStatus(late, "past_due");
    await world.subscribe(await world.newcomer(), "mentor-access", "trialing");
    // Members who pay an earlier price count as well.
    await world.run("owner", "select private.set_plan_price('mentor-access', 'price_of_later')");
    await world.subscribe(await world.newcomer(), "mentor-access", "incomplete");
    await world.run(
      "owner",
      "update public.stripe_subscriptions set cancel_at_period_end = true where customer_id = $1",
      [`cus_${student}`],
    );
    await world.run("owner", "update public.user_levels set current_level = 3 where user_id = $1", [
      student,
    ]);
    await world.newcomer();
    const after = await readAdminOverview(world, admin);
    expect(after.accounts - before.accounts).toBe(6);
    const more = (status: string) =>
      (after.by_status[status] ?? 0) - (before.by_status[status] ?? 0);
    expect(
      Object.fromEntries(
        ["paying", "complimentary", "past_due", "lapsed", "never_paid"].map((s) => [s, more(s)]),
      ),
    ).toEqual({ paying: 3, complimentary: 0, past_due: 1, lapsed: 0, never_paid: 2 });
    expect(after.by_level.map((n, level) => n - (before.by_level[level] ?? 0))).toEqual([
      1, 1, 0, 1, 0,
    ]);
    expect(after.paying_students - before.paying_students).toBe(1);
    // The third is on trial.
    expect(after.paying_mentors - before.paying_mentors).toBe(1);
    expect(after.on_trial - before.on_trial).toBe(1);
    expect(after.cancelling - before.cancelling).toBe(1);
    // A trial pays nothing yet.
    expect((after.monthly_revenue_pence ?? 0) - (before.monthly_revenue_pence ?? 0)).toBe(15_000);
  });

  test("counts no administrator as a member or student, whatever they have", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = await readAdminOverview(world, admin);
    const other = await world.member();
    await world.run("owner", "select private.make_admin($1)", [other]);
    await world.plainAdmin();
    const after = await readAdminOverview(world, admin);
    for (const part of [
      "accounts",
      "by_status",
      "by_level",
      "paying_students",
      "new_30_days",
      "monthly_revenue_pence",
      "funnel",
    ] as const)
      expect(after[part], part).toEqual(before[part]);
  });

  test("has the funnel from sign-up to payment to onboarding", async ({ owner, world }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = await readAdminOverview(world, admin);
    await world.newcomer();
    await world.subscribe(await world.newcomer());
    const lapsed = await world.member();
    await world.setSubscriptionStatus(lapsed, "canceled");
    const old = await world.member();
    await world.run("owner", `update auth.users set created_at = ${daysAgo(31)} where id = $1`, [
      old,
    ]);
    const after = await readAdminOverview(world, admin);
    const more = (part: "all" | "recent") =>
      after.funnel[part].map((n, step) => n - (before.funnel[part][step] ?? 0));
    // One who paid and left has paid all the same.
    expect(more("all")).toEqual([4, 3, 2]);
    expect(more("recent")).toEqual([3, 2, 1]);
  });

  test("has failed webhooks until they are applied, and e-mails that do not leave", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = (await readAdminOverview(world, admin)).failures;
    const note = "select public.billing_note_failure($1, 'invoice.paid', 'no answer')";
    for (const event of ["evt_a", "evt_a", "evt_b"]) await world.run("service_role", note, [event]);
    const failure = "select attempts, last_error from private.billing_failures where event_id = $1";
    expect(await world.one("owner", failure, ["evt_a"])).toEqual({
      attempts: 2,
      last_error: "no answer",
    });
    await world.run("owner", "select private.billing_note_event('evt_b', 'invoice.paid')");
    const email = `insert into private.email_outbox (user_id, template, cause_key, status, attempts, last_error)
      values ($1, 'welcome', gen_random_uuid()::text, $2, $3, $4)`;
    await world.run("owner", email, [admin, "failed", 80, "refused"]);
    await world.run("owner", email, [admin, "pending", 2, "refused"]);
    await world.run("owner", email, [admin, "pending", 0, null]);
    await world.run("owner", email, [admin, "sent", 1, null]);
    const after = (await readAdminOverview(world, admin)).failures;
    expect(after.webhooks.failed - before.webhooks.failed).toBe(1);
    expect(after.emails.failed - before.emails.failed).toBe(1);
    expect(after.emails.retrying - before.emails.retrying).toBe(1);
    await world.refused(admin, "42501", note, ["evt_c"]);
  });

  test("has accounts whose latest export failed, until one is whole", async ({ owner, world }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = (await readAdminOverview(world, admin)).failures.exports.failed;
    const failed = async () =>
      (await readAdminOverview(world, admin)).failures.exports.failed - before;
    const note = "select public.note_my_export($1)";
    const [ada, ben, old] = [await world.member(), await world.newcomer(), await world.member()];
    for (const step of ["rows", "files"]) await world.run(ada, note, [step]);
    await world.run(ben, note, ["files"]);
    await world.run(old, note, ["rows"]);
    await world.run(
      "owner",
      `update private.failed_exports set failed_at = ${daysAgo(8)} where user_id = $1`,
      [old],
    );
    expect(await failed()).toBe(2);
    await world.run(ben, note, [null]);
    expect(await failed()).toBe(1);
    await world.refused(ada, "FF302", note, ["everything"]);
    await world.refused("anon", "42501", note, ["rows"]);
    for (const actor of [ada, admin])
      await world.refused(actor, "42501", "delete from private.failed_exports");
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'export_note'",
    );
    await world.refused(ada, "FF300", note, [null]);
    expect(await failed()).toBe(1);
  });

  test("has what each host last told of itself, for a day, and says when one tells nothing any more", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const checks = { disk: { state: "failing", detail: "the disk is full" } };
    const report = `insert into private.host_reports (host, checks, reported_at)
      values ($1, $2, now() - make_interval(mins => $3))`;
    for (const [host, minutes] of [
      ["b:3000", 1],
      ["a:3000", 6],
      ["gone:3000", 24 * 60 + 1],
    ])
      await world.run("owner", report, [host, JSON.stringify(checks), minutes]);
    expect((await readAdminOverview(world, admin)).hosts).toEqual([
      { host: "a:3000", checks, is_silent: true, reported_at: expect.any(String) },
      { host: "b:3000", checks, is_silent: false, reported_at: expect.any(String) },
    ]);
    for (const actor of [admin, await world.member(), "anon", "service_role"]) {
      await world.refused(actor, "42501", report, ["x", "{}", 0]);
      await world.refused(actor, "42501", "select from private.host_reports");
      await world.refused(actor, "42501", "select private.host_lights()");
    }
  });

  test("is refused to members, mentors and visitors", async ({ world }) => {
    for (const actor of [await world.member(), await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", adminOverviewSql);
      await world.refused(actor, "FF002", "select private.admin_overview()");
    }
    await world.refused("anon", "42501", adminOverviewSql);
    await world.refused("00000000-0000-4000-8000-000000000000", "FF002", adminOverviewSql);
  });
});
