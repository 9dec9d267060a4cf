import { describe, expect } from "vitest";
import { readMembership } from "./owed-world.ts";
import { test, type Row, type World } from "./world.ts";

const start = 1_800_000_000;
const end = 1_802_592_000;
const begin = "select public.billing_begin_pause($1, $2) as answer";
const offer = "select public.my_pause_offer() as offer";

interface Figures {
  by_status: Record<string, number>;
  lost_30_days: number;
  monthly_revenue_pence: number;
}

/** Plans a pause of the member's membership, as the function does after the provider has made it. */
async function plan(world: World, member: string, months: number): Promise<string> {
  const { answer } = await world.one("service_role", begin, [member, months]);
  const { state, pause_id: pause } = answer as Row;
  expect(state).toBe("begun");
  await world.run("service_role", "select public.billing_settle_pause($1, $2, true)", [
    member,
    pause,
  ]);
  return String(pause);
}

/** A member whose pause has begun. */
async function paused(world: World, months = 2): Promise<{ ada: string; pause: string }> {
  const ada = await world.newcomer();
  await readMembership(world, ada, {});
  const pause = await plan(world, ada, months);
  await readMembership(world, ada, { is_paused: true });
  await readMembership(world, ada, {
    is_paused: true,
    current_period_start: end,
    current_period_end: end + 2_592_000,
  });
  return { ada, pause };
}

const live = async (world: World, member: string): Promise<unknown> =>
  (await world.one("owner", "select private.has_live_membership($1) as live", [member]))["live"];

describe("a pause", () => {
  test("takes access with the first period that was not paid for, and gives it back after", async ({
    world,
  }) => {
    const ada = await world.newcomer();
    await readMembership(world, ada, {});
    await plan(world, ada, 1);
    await readMembership(world, ada, { is_paused: true });
    expect(await live(world, ada)).toBe(true);
    await readMembership(world, ada, { is_paused: true, current_period_start: end });
    expect(await live(world, ada)).toBe(false);
    const row = "select status, hold from public.stripe_subscriptions";
    expect(await world.run(ada, row)).toEqual([{ status: "paused", hold: "paused" }]);
    await readMembership(world, ada, { current_period_start: end + 1000 });
    expect(await live(world, ada)).toBe(true);
    const past = "select ended_at is not null as over from public.membership_pauses";
    expect(await world.run(ada, past)).toEqual([{ over: true }]);
  });

  test("is outweighed by a refund and a dispute", async ({ world }) => {
    const { ada } = await paused(world);
    const charge = "select public.billing_apply_charge(public.billing_next_ticket(), $1)";
    const reading = {
      charge_id: `ch_${ada}`,
      customer_id: `cus_${ada}`,
      subscription_id: `sub_${ada}`,
      is_refunded: false,
      period_start: start,
      period_end: end,
      dispute: "open",
      amount_refunded: 0,
      amount: 5000,
      currency: "gbp",
      records: [],
    };
    await world.run("service_role", charge, [JSON.stringify(reading)]);
    await readMembership(world, ada, { is_paused: true, current_period_start: end });
    expect(await world.run(ada, "select hold from public.stripe_subscriptions")).toEqual([
      { hold: "disputed" },
    ]);
  });

  test("is read by its member alone, and written by nobody but the server", async ({ world }) => {
    const { ada, pause } = await paused(world);
    const ben = await world.member();
    const mine = "select id from public.membership_pauses";
    expect(await world.run(ada, mine)).toEqual([{ id: pause }]);
    expect(await world.run(ben, mine)).toEqual([]);
    await world.refused("anon", "42501", mine);
    for (const write of [
      "update public.membership_pauses set ended_at = now()",
      "delete from public.membership_pauses",
      `insert into public.membership_pauses (subscription_id, begins_at) values ('sub_${ada}', now())`,
      "select codes from public.membership_pauses",
    ]) {
      await world.refused(ada, "42501", write);
    }
    for (const member of [ada, "anon"]) {
      await world.refused(member, "42501", begin, [ada, 1]);
      await world.refused(member, "42501", "select private.paused_months($1)", [ada]);
    }
    await world.refused("anon", "42501", offer);
  });

  test("counts apart in the console: neither paying, nor lost, nor revenue", async ({ world }) => {
    const admin = await world.admin();
    const figures = "select private.member_figures() as f";
    const read = async () => (await world.one("owner", figures))["f"] as Figures;
    const before = await read();
    const { ada } = await paused(world);
    const after = await read();
    const count = (of: Figures) => of.by_status["paused"] ?? 0;
    expect(count(after) - count(before)).toBe(1);
    expect(after.lost_30_days).toEqual(before.lost_30_days);
    expect(after.monthly_revenue_pence).toEqual(before.monthly_revenue_pence);
    const list = "select user_id, membership from public.member_page(membership => 'paused')";
    expect(await world.run(admin, list)).toContainEqual({ user_id: ada, membership: "paused" });
    await world.refused(ada, "FF002", list);
    const detail = "select private.member_billing($1) -> 'subscription' -> 'pause' as pause";
    expect((await world.one("owner", detail, [ada]))["pause"]).toMatchObject({
      begins_at: expect.any(String),
      ends_at: expect.any(String),
    });
  });

  test("is told when it begins and, once, eight days before it ends", async ({ world }) => {
    const { ada, pause } = await paused(world);
    const mails =
      "select template, data from private.email_outbox where user_id = $1 and template like 'pause%' order by template";
    expect(await world.run("owner", mails, [ada])).toMatchObject([{ template: "pause_begun" }]);
    const queue = "select public.queue_pause_reminders()";
    await world.run("service_role", queue);
    expect(await world.run("owner", mails, [ada])).toHaveLength(1);
    await world.run(
      "owner",
      "update public.membership_pauses set begins_at = now() - interval '50 days', ends_at = now() + interval '7 days 12 hours' where id = $1",
      [pause],
    );
    await world.run("service_role", queue);
    await world.run("service_role", queue);
    expect(await world.run("owner", mails, [ada])).toMatchObject([
      {},
      { template: "pause_ending", data: { amount: 5000, currency: "gbp" } },
    ]);
  });

  test("is due at its end, not before, and not when the membership ends anyway", async ({
    world,
  }) => {
    const { ada, pause } = await paused(world);
    const due = async () =>
      (await world.one("service_role", "select public.billing_pauses_due() as due"))["due"];
    expect(await due()).not.toContain(`sub_${ada}`);
    await world.run(
      "owner",
      "update public.membership_pauses set begins_at = now() - interval '2 months', ends_at = now() where id = $1",
      [pause],
    );
    expect(await due()).toContain(`sub_${ada}`);
    await readMembership(world, ada, {
      is_paused: true,
      current_period_start: end,
      cancel_at_period_end: true,
    });
    expect(await due()).not.toContain(`sub_${ada}`);
  });

  test("that the provider never made is forgotten after three minutes, not sooner", async ({
    world,
  }) => {
    const ada = await world.newcomer();
    await readMembership(world, ada, {});
    const again = async () =>
      ((await world.one("service_role", begin, [ada, 1]))["answer"] as Row)["state"];
    expect(await again()).toBe("begun");
    // A reading from before is no news of it.
    await readMembership(world, ada, {});
    expect(await again()).toBe("paused");
    await world.run(
      "owner",
      "update public.membership_pauses set requested_at = now() - interval '4 minutes' where subscription_id = $1",
      [`sub_${ada}`],
    );
    expect(await again()).toBe("begun");
  });
});

test("how long members may pause is the owner's decision, and 0 lets nobody", async ({ world }) => {
  const [ada, admin] = [await world.newcomer(), await world.admin()];
  const set = "select public.set_pause_months($1)";
  await world.refused(ada, "FF002", set, [6]);
  await world.refused("anon", "42501", set, [6]);
  for (const months of [-1, 13, null]) await world.refused(admin, "FF276", set, [months]);
  await readMembership(world, ada, {});
  const choices = async () =>
    ((await world.one(ada, offer))["offer"] as { choices: unknown[] }).choices.length;
  expect(await choices()).toBe(3);
  await world.run(admin, set, [2]);
  expect(await choices()).toBe(2);
  await world.run(admin, set, [0]);
  expect(await choices()).toBe(0);
  const { answer } = await world.one("service_role", begin, [ada, 1]);
  expect(answer).toMatchObject({ state: "used_up" });
  const log =
    "select detail from private.audit_log where action = 'billing_rules.edited' order by id";
  expect(await world.run("owner", log)).toMatchObject([
    { detail: { before: { pause_months: 3 }, after: { pause_months: 2 } } },
    {},
  ]);
  // The other rules stay what they were.
  const rule = "select withdrawal_refund, payment_grace_days from public.billing_rules";
  expect(await world.run("owner", rule)).toEqual([
    { withdrawal_refund: "full", payment_grace_days: 0 },
  ]);
});
