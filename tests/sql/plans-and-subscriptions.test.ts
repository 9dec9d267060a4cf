import { describe, expect } from "vitest";
import { test } from "./world.ts";

describe("the catalogue", () => {
  test.for(["anon", "member"])("is read by %s, all columns", async (who, { world }) => {
    const actor = who === "anon" ? "anon" : await world.newcomer();
    const rows = await world.run(actor, "select * from public.plans order by amount_pence");
    expect(rows).toMatchObject([
      {
        id: "student-access",
        name: "Student Access",
        role: "student",
        amount_pence: 5000,
        currency: "GBP",
        interval: "month",
        is_active: true,
      },
      { id: "mentor-access", name: "Mentor Access", role: "mentor", amount_pence: 10_000 },
    ]);
  });

  test("hides plans that are not on sale", async ({ world }) => {
    await world.run("owner", "update public.plans set is_active = false where role = 'mentor'");
    expect(await world.run("anon", "select * from public.plans")).toHaveLength(1);
  });

  test("cannot be repriced by a member or a visitor", async ({ world }) => {
    const mallory = await world.member();
    const cheaper = "update public.plans set amount_pence = 1";
    await world.refused(mallory, "42501", cheaper);
    await world.refused("anon", "42501", cheaper);
    await world.refused(mallory, "42501", "delete from public.plans");
    const free = "select private.set_plan_price('mentor-access', 'price_of_mine')";
    await world.refused(mallory, "42501", free);
  });

  test("can be linked to the operator's prices", async ({ world }) => {
    const set = "select private.set_plan_price($1, $2)";
    await world.run("owner", set, ["student-access", "price_live_1"]);
    await world.run("owner", set, ["student-access", "price_live_1"]);
    const row = await world.one("anon", "select * from public.plans where id = 'student-access'");
    expect(row).toMatchObject({ price_id: "price_live_1", amount_pence: 5000 });
    await world.refused("owner", "P0001", set, ["gold-access", "price_live_2"]);
    await world.refused("owner", "23505", set, ["mentor-access", "price_live_1"]);
  });

  test.for([
    ["id", "gold-access"],
    ["role", "admin"],
    ["amount_pence", 0],
    ["currency", "pounds"],
    ["interval", "day"],
  ] as const)(
    "does not take %s %j from the server role either",
    async ([column, value], { world }) => {
      const edit = `update public.plans set "${column}" = $1 where id = 'student-access'`;
      await world.refused("owner", "23514", edit, [value]);
    },
  );

  test("holds each plan once", async ({ world }) => {
    const again = `insert into public.plans (id, name, role, amount_pence, price_id)
      values ('student-access', 'Again', 'student', 1, 'price_again')`;
    await world.refused("owner", "23505", again);
  });
});

describe("customers and subscriptions", () => {
  const customers = "select * from public.stripe_customers where deleted_at is null";
  const subscriptions = "select * from public.stripe_subscriptions where deleted_at is null";

  test("are read by the member they belong to, all columns", async ({ world }) => {
    const [member, other] = [await world.member(), await world.member()];
    const customer = await world.one(member, customers);
    expect(customer).toMatchObject({ user_id: member, customer_id: `cus_${member}` });
    const subscription = await world.one(member, subscriptions);
    expect(subscription).toMatchObject({
      customer_id: `cus_${member}`,
      status: "active",
      cancel_at_period_end: false,
      deleted_at: null,
    });
    const theirs = `${subscriptions} and customer_id = $1`;
    expect(await world.run(other, theirs, [customer["customer_id"]])).toEqual([]);
    expect(await world.run(other, `${customers} and user_id = $1`, [member])).toEqual([]);
  });

  test("are not read by visitors, and not by administrators through the API", async ({ world }) => {
    await world.member();
    const admin = await world.admin();
    for (const sql of [customers, subscriptions]) {
      await world.refused("anon", "42501", sql);
      expect(await world.run(admin, sql)).toEqual([]);
    }
  });

  test("cannot be written by members", async ({ world }) => {
    const mallory = await world.newcomer();
    await world.subscribe(mallory, "student-access", "incomplete");
    const forgeries = [
      "update public.stripe_subscriptions set status = 'active'",
      "update public.stripe_customers set user_id = user_id",
      "delete from public.stripe_subscriptions",
      "delete from public.stripe_customers",
      `insert into public.stripe_customers (customer_id, user_id) values ('cus_x', '${mallory}')`,
      `insert into public.stripe_subscriptions (customer_id, status) values ('cus_${mallory}', 'active')`,
    ];
    for (const sql of forgeries) {
      await world.refused(mallory, "42501", sql);
      await world.refused("anon", "42501", sql);
    }
    expect(await world.one(mallory, subscriptions)).toMatchObject({ status: "incomplete" });
  });

  test("have one current row each, however often the server inserts", async ({ world }) => {
    const member = await world.member();
    const customer = "insert into public.stripe_customers (customer_id, user_id) values ($1, $2)";
    await world.refused("service_role", "23505", customer, ["cus_second", member]);
    await world.refused("service_role", "23505", customer, [
      `cus_${member}`,
      await world.account(),
    ]);
    const second = "insert into public.stripe_subscriptions (customer_id) values ($1)";
    await world.refused("service_role", "23505", second, [`cus_${member}`]);
    await world.subscribe(member, "mentor-access");
    expect(await world.one(member, subscriptions)).toMatchObject({ status: "active" });
    expect(await world.run(member, "select * from public.stripe_subscriptions")).toHaveLength(2);
  });

  test("hold only values of the card provider", async ({ world }) => {
    const member = await world.member();
    const edit = (set: string) =>
      `update public.stripe_subscriptions set ${set} where customer_id = 'cus_${member}'`;
    await world.refused("service_role", "23514", edit("status = 'free'"));
    await world.refused("service_role", "23514", edit("payment_method_last4 = '4242424242424242'"));
    await world.refused("service_role", "23503", edit("customer_id = 'cus_nobody'"));
    const taken = await world.one(member, subscriptions);
    const copy =
      "update public.stripe_subscriptions set subscription_id = $1 where customer_id = $2";
    const values = [taken["subscription_id"], `cus_${await world.member()}`];
    await world.refused("service_role", "23505", copy, values);
  });

  test("have the time of their last change", async ({ world }) => {
    const member = await world.member();
    for (const table of ["stripe_customers", "stripe_subscriptions"]) {
      const row = await world.one(
        "service_role",
        `update public.${table} set updated_at = '2001-01-01' where customer_id = $1 returning updated_at`,
        [`cus_${member}`],
      );
      expect(Number(row["updated_at"])).toBeGreaterThan(Date.parse("2020-01-01"));
    }
  });

  test("follow a customer who gets another id", async ({ world }) => {
    const member = await world.member();
    await world.run(
      "owner",
      "update public.stripe_customers set customer_id = 'cus_new' where user_id = $1",
      [member],
    );
    expect(await world.one(member, subscriptions)).toMatchObject({ customer_id: "cus_new" });
  });
});

describe("a live membership", () => {
  const live = "select private.has_live_membership($1) as live";

  test.for([
    ["active", true],
    ["trialing", true],
    ["past_due", false],
    ["incomplete", false],
    ["incomplete_expired", false],
    ["canceled", false],
    ["unpaid", false],
    ["paused", false],
    ["not_started", false],
  ] as const)("%s: %s", async ([status, expected], { world }) => {
    const id = await world.newcomer();
    await world.subscribe(id, "student-access", status);
    expect(await world.one("owner", live, [id])).toEqual({ live: expected });
  });

  test("ignores rows that were replaced or deleted", async ({ world }) => {
    const id = await world.newcomer();
    await world.subscribe(id);
    await world.subscribe(id, "student-access", "incomplete");
    expect(await world.one("owner", live, [id])).toEqual({ live: false });
  });

  test("cannot be queried by members", async ({ world }) => {
    const [member, other] = [await world.member(), await world.member()];
    await world.refused(member, "42501", live, [other]);
    await world.refused(member, "42501", "select private.plan_role($1)", [other]);
    await world.refused(member, "42501", "select private.effective_level($1)", [other]);
  });
});
