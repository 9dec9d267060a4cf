import { describe, expect } from "vitest";
import { test } from "./world.ts";

describe("a member's figures", () => {
  const figures = "select * from public.dashboard_figures()";

  test("are the caller's own and true, also where they are 0", async ({ world }) => {
    const id = await world.member();
    const row = await world.one(id, figures);
    expect(row).toMatchObject({
      level: 1,
      effective_level: 1,
      onboarding_complete: true,
      likes_received: 0,
      lessons_completed: 0,
      affiliate_links: 0,
      profits_pence: 0,
    });
    const account = await world.one("owner", "select created_at from auth.users where id = $1", [
      id,
    ]);
    expect(row["member_since"]).toEqual(account["created_at"]);
    await world.setSubscriptionStatus(id, "canceled");
    expect(await world.one(id, figures)).toMatchObject({ level: 1, effective_level: 0 });
  });

  test("of a newcomer start at level 0", async ({ world }) => {
    expect(await world.one(await world.newcomer(), figures)).toMatchObject({
      level: 0,
      effective_level: 0,
      onboarding_complete: false,
    });
  });

  test("are not there for visitors", async ({ world }) => {
    await world.refused("anon", "42501", figures);
  });
});

describe("the administrators' figures", () => {
  const figures = "select * from public.admin_figures()";

  test("count what happened", async ({ world }) => {
    const admin = await world.admin();
    const before = await world.one(admin, figures);
    const student = await world.member();
    await world.member("mentor-access");
    const late = await world.member();
    await world.setSubscriptionStatus(late, "past_due");
    await world.subscribe(await world.newcomer(), "mentor-access", "trialing");
    // Whoever bought at an earlier price still counts.
    await world.run("owner", "select private.set_plan_price('mentor-access', 'price_of_later')");
    await world.subscribe(await world.newcomer(), "mentor-access", "incomplete");
    await world.run(
      "owner",
      "update public.stripe_subscriptions set cancel_at_period_end = true where customer_id = $1",
      [`cus_${student}`],
    );
    const old = await world.account();
    await world.run(
      "owner",
      "update auth.users set created_at = now() - interval '8 days' where id = $1",
      [old],
    );
    await world.reject(await world.newcomer(), 5, admin);
    await world.run(
      "owner",
      "update public.user_verifications set submitted_at = '2020-02-02' where user_id = $1",
      [late],
    );
    const after = await world.one(admin, figures);
    const grown = Object.fromEntries(
      Object.entries(after).map(([name, value]) => [name, Number(value) - Number(before[name])]),
    );
    expect(grown).toMatchObject({
      accounts: 7,
      onboarded_members: 3,
      paying_students: 1,
      paying_mentors: 2,
      past_due: 1,
      cancelling: 1,
      monthly_revenue_pence: 15_000,
      pending_verifications: 3,
      flagged_accounts: 1,
      signups_this_week: 6,
    });
    expect(after["oldest_pending_at"]).toEqual(new Date("2020-02-02T00:00:00Z"));
  });

  test("are refused to members, mentors and visitors", async ({ world }) => {
    for (const actor of [await world.member(), await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", figures);
      await world.refused(actor, "FF002", "select * from private.admin_figures()");
    }
    await world.refused("anon", "42501", figures);
  });

  test("ask for a signed-in account", async ({ world }) => {
    const nobody = "00000000-0000-4000-8000-000000000000";
    await world.refused(nobody, "FF002", figures);
    await world.run(
      "owner",
      "grant execute on function public.dashboard_figures() to service_role",
    );
    await world.run(
      "owner",
      "grant execute on function private.dashboard_figures() to service_role",
    );
    await world.refused("service_role", "FF001", "select * from public.dashboard_figures()");
  });
});

describe("an export", () => {
  test("holds everything about the caller and nothing about anybody else", async ({ world }) => {
    const [id, other] = [await world.member(), await world.member()];
    await world.upsert(id, "onboarding_progress", { user_id: id, current_step: 9 });
    await world.insert(id, "user_progress", { user_id: id });
    const { data } = await world.one(id, "select public.export_my_data() as data");
    expect(data).toMatchObject({
      account: { id, email: `${id}@example.test` },
      profile: { id, first_name: "Ada" },
      customers: [{ user_id: id }],
      subscriptions: [{ customer_id: `cus_${id}`, status: "active" }],
      onboarding_progress: { user_id: id, current_step: 9 },
      verifications: [{ user_id: id, status: "pending" }],
      level: { user_id: id, current_level: 1 },
      progress: { user_id: id, message_engagements: 0 },
    });
    expect((data as { onboarding_responses: unknown[] }).onboarding_responses).toHaveLength(9);
    expect(JSON.stringify(data)).not.toContain(other);
  });

  test("of a fresh account is empty, not an error; visitors get none", async ({ world }) => {
    const id = await world.account();
    const { data } = await world.one(id, "select public.export_my_data() as data");
    expect(data).toMatchObject({ profile: null, customers: [], verifications: [] });
    await world.refused("anon", "42501", "select public.export_my_data()");
  });
});
