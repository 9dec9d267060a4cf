import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";

const add = "select public.billing_add_plan_price($1, $2, $3)";
const retire = "select public.retire_plan_price($1, $2)";

const sale = (differs: Row = {}) => ({
  plan_id: "student-access",
  interval: "year",
  amount_pence: 48_000,
  currency: "GBP",
  reason: "For those who stay",
  ...differs,
});

const pays = async (world: World, member: string, price: string) =>
  await world.run(
    "owner",
    `update public.stripe_subscriptions set price_id = $2 where customer_id = 'cus_' || $1`,
    [member, price],
  );

const priceRow = async (world: World, price: string) =>
  await world.one(
    "owner",
    `select plan_id, "interval", amount_pence, retired_at is null as on_sale from private.plan_prices where price_id = $1`,
    [price],
  );

const begin = async (world: World, price: string) => {
  const sql = "select public.billing_begin_purchase($1, $2) ->> 'state' as state";
  return (await world.one("service_role", sql, [await world.newcomer(), price]))["state"];
};

describe("a yearly price", () => {
  test("is sold beside the monthly one, read by everyone, and gives the plan's role", async ({
    world,
  }) => {
    const admin = await world.admin();
    const mentorYear = sale({ plan_id: "mentor-access", amount_pence: 96_000 });
    await world.run("service_role", add, [admin, "price_year", mentorYear]);
    // The answer to the first call was lost.
    await world.run("service_role", add, [admin, "price_year", mentorYear]);
    const plan = "select * from public.plans where id = 'mentor-access'";
    expect(await world.one("anon", plan)).toMatchObject({
      amount_pence: 10_000,
      price_id: "price_mentor_access",
      yearly_amount_pence: 96_000,
      yearly_price_id: "price_year",
    });
    expect(await begin(world, "price_year")).toBe("begun");
    expect(await begin(world, "price_mentor_access")).toBe("begun");
    const ada = await world.member();
    await pays(world, ada, "price_year");
    const role = "select private.plan_role($1) as role";
    expect(await world.one("owner", role, [ada])).toEqual({ role: "mentor" });
    const log = `select actor, detail from private.audit_log where action = 'plan_price.created' and detail -> 'after' ->> 'price_id' = 'price_year'`;
    expect(await world.run("owner", log)).toMatchObject([
      { actor: admin, detail: { before: null, reason: "For those who stay" } },
    ]);
  });

  test("stays with its members when another takes its place, and when it is taken off sale", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run("service_role", add, [admin, "price_first", sale()]);
    const ada = await world.member();
    await pays(world, ada, "price_first");
    const second = sale({ amount_pence: 50_000 });
    await world.run("service_role", add, [admin, "price_second", second]);
    expect(await priceRow(world, "price_first")).toMatchObject({ on_sale: false });
    expect(await begin(world, "price_first")).toBe("unknown_price");
    await world.run(admin, retire, ["price_second", "Nobody bought it"]);
    expect(await priceRow(world, "price_second")).toEqual({
      plan_id: "student-access",
      interval: "year",
      amount_pence: 50_000,
      on_sale: false,
    });
    expect(await begin(world, "price_second")).toBe("unknown_price");
    const own = "select * from public.my_plan_price()";
    expect(await world.one(ada, own)).toMatchObject({
      price_id: "price_first",
      interval: "year",
      amount_pence: 48_000,
    });
    const member = "select private.has_live_membership($1) as is_member";
    expect(await world.one("owner", member, [ada])).toEqual({ is_member: true });
    expect(await world.run(await world.member(), own)).toMatchObject([
      { price_id: "price_student_access" },
    ]);
    expect(await world.run(await world.newcomer(), own)).toEqual([]);
    await world.refused("anon", "42501", own);
  });

  test("is put on sale by the server and taken off by verified administrators alone", async ({
    world,
  }) => {
    const admin = await world.admin();
    await world.run("service_role", add, [admin, "price_year", sale()]);
    for (const actor of [admin, await world.member("mentor-access"), "anon"]) {
      await world.refused(actor, "42501", add, [admin, "price_mine", sale({ amount_pence: 1 })]);
    }
    await world.refused(await world.member("mentor-access"), "FF002", retire, ["price_year", "x"]);
    await world.refused(await world.plainAdmin(), "FF005", retire, ["price_year", "x"]);
    await world.refused("anon", "42501", retire, ["price_year", "x"]);
    for (const price of ["price_student_access", "price_nowhere", null]) {
      await world.refused(admin, "FF871", retire, [price, "x"]);
    }
    const cheaper =
      "update public.plans set yearly_amount_pence = 1, yearly_price_id = 'price_mine'";
    await world.refused(await world.member(), "42501", cheaper);
    for (const differs of [{ plan_id: "gold" }, { interval: "week" }, { interval: null }]) {
      await world.refused("service_role", "FF870", add, [admin, "price_no", sale(differs)]);
    }
    expect(await priceRow(world, "price_year")).toMatchObject({ on_sale: true });
  });

  test("counts a twelfth in what members pay a month", async ({ world }) => {
    const admin = await world.admin();
    const revenue = async () => {
      const sql = "select public.admin_overview() as overview";
      const { overview } = await world.one(admin, sql);
      return Number((overview as Row)["monthly_revenue_pence"]);
    };
    await world.run("service_role", add, [admin, "price_year", sale({ amount_pence: 50_000 })]);
    const before = await revenue();
    const [ada, bob] = [await world.member(), await world.member()];
    expect((await revenue()) - before).toBe(10_000);
    await pays(world, ada, "price_year");
    await pays(world, bob, "price_year");
    // Rounded once, over all of them.
    expect((await revenue()) - before).toBe(8333);
  });

  test("is announced two weeks ahead whatever the rule says, with its own amount", async ({
    world,
  }) => {
    await world.run("service_role", add, [await world.admin(), "price_year", sale()]);
    const told = async (left: string, price: string) => {
      const ada = await world.member();
      await pays(world, ada, price);
      await world.run(
        "owner",
        `update public.stripe_subscriptions set current_period_end = extract(epoch from now() + $2::interval)
         where customer_id = 'cus_' || $1`,
        [ada, left],
      );
      await world.run("service_role", "select public.queue_renewal_reminders()");
      const sql =
        "select data ->> 'amount' as amount from private.email_outbox where user_id = $1 and template = 'renewal_coming'";
      return await world.run("owner", sql, [ada]);
    };
    expect(await told("13 days", "price_year")).toEqual([{ amount: "48000" }]);
    expect(await told("15 days", "price_year")).toEqual([]);
    expect(await told("2 days", "price_student_access")).toEqual([]);
  });

  test("is told of when a member switches to it, by how it is paid", async ({ world }) => {
    await world.run("service_role", add, [await world.admin(), "price_year", sale()]);
    const ada = await world.member();
    await pays(world, ada, "price_year");
    const sql =
      "select data ->> 'from' as before, data ->> 'plan' as after from private.email_outbox where user_id = $1 and template = 'plan_changed'";
    expect(await world.run("owner", sql, [ada])).toEqual([
      { before: "Student Access, paid monthly", after: "Student Access, paid yearly" },
    ]);
  });
});

describe("a new monthly price", () => {
  test("takes the place of the environment's, which the next start doesn't put back", async ({
    world,
  }) => {
    const set = "select private.set_plan_price('student-access', $1)";
    const monthly = sale({ interval: "month", amount_pence: 6000 });
    await world.run("service_role", add, [await world.admin(), "price_six", monthly]);
    await world.run("owner", set, ["price_student_access"]);
    const plan = "select price_id, amount_pence from public.plans where id = 'student-access'";
    expect(await world.one("anon", plan)).toEqual({ price_id: "price_six", amount_pence: 6000 });
    // Another one in the environment is the operator's wish.
    await world.run("owner", set, ["price_of_another_account"]);
    expect(await world.one("anon", plan)).toEqual({
      price_id: "price_of_another_account",
      amount_pence: 6000,
    });
    await world.run("owner", set, ["price_student_access"]);
    expect(await world.one("anon", plan)).toEqual({
      price_id: "price_student_access",
      amount_pence: 5000,
    });
  });
});
