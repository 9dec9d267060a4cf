import { describe, expect } from "vitest";
import { daysAgo, hideOthers, readAdminOverview, setPeriod } from "./overview-world.ts";
import { test } from "./world.ts";

describe("the periods of memberships, and the figures made of them", () => {
  test("counts new and lost members and the churn of the last 30 days", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const before = await readAdminOverview(world, admin);
    const subscribed = async () => {
      const id = await world.newcomer();
      await world.subscribe(id);
      return id;
    };
    const [old, fresh, left, returned, longGone] = [
      await subscribed(),
      await subscribed(),
      await subscribed(),
      await subscribed(),
      await subscribed(),
    ];
    await setPeriod(world, old, 100);
    await setPeriod(world, fresh, 5);
    await world.setSubscriptionStatus(left, "canceled");
    await setPeriod(world, left, 90, 3);
    await world.setSubscriptionStatus(longGone, "canceled");
    await setPeriod(world, longGone, 200, 60);
    await world.setSubscriptionStatus(returned, "canceled");
    await setPeriod(world, returned, 80, 10);
    await world.setSubscriptionStatus(returned, "active");
    // Joined and left within the 30 days: lost, but not one of those who were members at their start.
    const brief = await subscribed();
    await world.setSubscriptionStatus(brief, "canceled");
    await setPeriod(world, brief, 8, 2);
    const after = await readAdminOverview(world, admin);
    expect(after.new_30_days - before.new_30_days).toBe(2);
    expect(after.lost_30_days - before.lost_30_days).toBe(2);
    expect(after.churn.members - before.churn.members).toBe(3);
    expect(after.churn.lost - before.churn.lost).toBe(1);
  });

  test("has the same of the 30 days before them, and names the first member's day", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const admin = await world.admin();
    const found = await readAdminOverview(world, admin);
    const member = async (began: number, ended?: number) => {
      const id = await world.newcomer();
      await world.subscribe(id);
      if (ended !== undefined) await world.setSubscriptionStatus(id, "canceled");
      await setPeriod(world, id, began, ended);
      return id;
    };
    await member(4000);
    // Joined in the 30 days before; lost in them; both; lost before them.
    await member(40);
    await member(90, 40);
    await member(55, 35);
    await member(200, 70);
    // Of the last 30 days alone.
    await member(5);
    await member(20, 2);
    // Who pauses is not lost.
    const pause = async (began: string, confirmed: string, ended = "null") => {
      await world.run(
        "owner",
        `insert into public.membership_pauses (subscription_id, begins_at, confirmed_at, ended_at)
         select s.subscription_id, ${began}, ${confirmed}, ${ended} from public.stripe_subscriptions s
         join public.stripe_customers c using (customer_id) where c.user_id = $1`,
        [await member(90, 40)],
      );
    };
    await pause(daysAgo(40), daysAgo(45));
    await pause(daysAgo(40), daysAgo(45), daysAgo(10));
    // These were lost all the same: no pause was confirmed, it was over by then, or had not begun.
    await pause(daysAgo(40), "null");
    await pause(daysAgo(40), daysAgo(45), daysAgo(35));
    await pause(daysAgo(20), daysAgo(25));
    const { before, ...now } = await readAdminOverview(world, admin);
    expect(now.subscribed - found.subscribed).toBe(3);
    expect(before.subscribed - found.before.subscribed).toBe(2);
    expect(before.new - found.before.new).toBe(2);
    expect(before.lost - found.before.lost).toBe(5);
    expect(before.churn.members - found.before.churn.members).toBe(7);
    expect(before.churn.lost - found.before.churn.lost).toBe(4);
    const first = await world.one("owner", `select ${daysAgo(4000)} as at`);
    expect(new Date(now.first_member_at ?? 0)).toEqual(first["at"]);
  });

  test("keeps one period while a subscription takes the place of another", async ({ world }) => {
    const id = await world.newcomer();
    const periods =
      "select ended_at from private.membership_periods where user_id = $1 order by id";
    await world.subscribe(id, "student-access");
    await world.subscribe(id, "mentor-access");
    await world.run("owner", "set constraints all immediate");
    expect(await world.run("owner", periods, [id])).toEqual([{ ended_at: null }]);
    await world.setSubscriptionStatus(id, "unpaid");
    expect(await world.run("owner", periods, [id])).toEqual([{ ended_at: expect.any(Date) }]);
    await world.setSubscriptionStatus(id, "active");
    await world.run(
      "owner",
      "update public.stripe_customers set deleted_at = now() where user_id = $1",
      [id],
    );
    expect(await world.run("owner", periods, [id])).toEqual([
      { ended_at: expect.any(Date) },
      { ended_at: expect.any(Date) },
    ]);
  });

  test("keeps no period open, and opens none, for a complimentary membership", async ({
    owner,
    world,
  }) => {
    await hideOthers(owner);
    const [payer, guest] = [await world.member(), await world.newcomer()];
    const give = `insert into public.complimentary_memberships (user_id, plan_id, reason)
      values ($1, 'student-access', 'Guest')`;
    for (const member of [payer, guest]) await world.run("owner", give, [member]);
    await world.setSubscriptionStatus(payer, "canceled");
    await world.subscribe(guest, "student-access", "incomplete");
    await world.run("owner", "set constraints all immediate");
    const open = `select user_id from private.membership_periods
      where user_id in ($1, $2) and ended_at is null`;
    expect(await world.run("owner", open, [payer, guest])).toEqual([]);
  });
});
