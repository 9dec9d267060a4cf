import { describe, expect } from "vitest";
import { test, type Row, type World } from "./world.ts";
import { madeUpTicket } from "./made-up-tickets.ts";

interface Reading {
  subscription_id?: string;
  status?: string;
  price_id?: string;
  created?: number;
  cancel_at_period_end?: boolean;
}

async function customerOf(world: World, member: string): Promise<string> {
  const sql = "select public.billing_record_customer($1, $2) as id";
  return String((await world.one("service_role", sql, [member, `cus_${member}`]))["id"]);
}

/** Applies a reading; those with a higher order began after the ones with a lower were written. */
async function apply(
  world: World,
  member: string,
  order: number,
  reading: Reading,
  event: string | null = null,
): Promise<unknown> {
  return await applyAs(world, member, madeUpTicket(order), reading, event);
}

async function applyAs(
  world: World,
  member: string,
  ticket: number,
  reading: Reading,
  event: string | null = null,
): Promise<unknown> {
  const snapshot = {
    subscription_id: `sub_${member}`,
    customer_id: await customerOf(world, member),
    status: "active",
    price_id: "price_mentor_access",
    current_period_start: 1_800_000_000,
    current_period_end: 1_802_592_000,
    cancel_at_period_end: false,
    payment_method_brand: "visa",
    payment_method_last4: "4242",
    created: 1_800_000_000,
    ...reading,
  };
  const row = await world.one(
    "service_role",
    "select public.billing_apply_subscription($1, $2, $3, $4) as outcome",
    [ticket, JSON.stringify(snapshot), event, event === null ? null : "test.event"],
  );
  return row["outcome"];
}

async function current(world: World, member: string): Promise<Row[]> {
  const sql = `select subscription_id, status, price_id, payment_method_brand, payment_method_last4
    from public.stripe_subscriptions where customer_id = $1 and deleted_at is null`;
  return await world.run("owner", sql, [`cus_${member}`]);
}

async function roleOf(world: World, member: string): Promise<unknown> {
  const sql = "select role from public.profiles where id = $1";
  return (await world.one("owner", sql, [member]))["role"];
}

describe("a reading of the provider", () => {
  test("becomes the member's row and role", async ({ world }) => {
    const member = await world.newcomer();
    expect(await apply(world, member, 1, {})).toBe("applied");
    expect(await current(world, member)).toEqual([
      {
        subscription_id: `sub_${member}`,
        status: "active",
        price_id: "price_mentor_access",
        payment_method_brand: "visa",
        payment_method_last4: "4242",
      },
    ]);
    expect(await roleOf(world, member)).toBe("mentor");
    await apply(world, member, 2, { status: "past_due" });
    expect(await roleOf(world, member)).toBe("student");
    await apply(world, member, 3, {});
    expect(await roleOf(world, member)).toBe("mentor");
    await apply(world, member, 4, { price_id: "price_student_access" });
    expect(await roleOf(world, member)).toBe("student");
  });

  test("never changes an administrator's role", async ({ world }) => {
    const admin = await world.admin();
    await apply(world, admin, 1, {});
    await apply(world, admin, 2, { status: "canceled" });
    expect(await roleOf(world, admin)).toBe("admin");
  });

  test("that began earlier does not overwrite one that began later", async ({ world }) => {
    const member = await world.newcomer();
    expect(await apply(world, member, 8, { status: "canceled" })).toBe("applied");
    expect(await apply(world, member, 7, {})).toBe("stale");
    expect(await apply(world, member, 8, {})).toBe("stale");
    expect(await current(world, member)).toMatchObject([{ status: "canceled" }]);
    expect(await roleOf(world, member)).toBe("student");
  });

  test("that overlaps another one, which says something else, is read again with its event", async ({
    world,
  }) => {
    const member = await world.newcomer();
    const draw = async () => {
      const sql = "select public.billing_next_ticket()::int as ticket";
      return Number((await world.one("service_role", sql))["ticket"]);
    };
    const told = async () =>
      await world.run(
        "owner",
        "select from private.email_outbox where user_id = $1 and template = 'membership_cancelled'",
        [member],
      );
    expect(await applyAs(world, member, await draw(), {})).toBe("applied");
    const [first, second, third] = [await draw(), await draw(), await draw()];
    const cancelled = { cancel_at_period_end: true };
    // The second was answered before the member cancelled, and the first after it.
    expect(await applyAs(world, member, first, cancelled)).toBe("applied");
    expect(await applyAs(world, member, second, {}, "evt_overlap")).toBe("overlapping");
    expect(await applyAs(world, member, third, cancelled)).toBe("applied");
    const again = await draw();
    expect(await applyAs(world, member, again, cancelled, "evt_overlap")).toBe("applied");
    expect(await told()).toHaveLength(1);
    expect(await applyAs(world, member, await draw(), {})).toBe("applied");
    expect(await applyAs(world, member, await draw(), cancelled)).toBe("applied");
    expect(await told()).toHaveLength(2);
  });

  test("applies each event once", async ({ world }) => {
    const member = await world.newcomer();
    const ticket = "select public.billing_next_ticket($1)::int as ticket";
    const { ticket: first } = await world.one("service_role", ticket, ["evt_once"]);
    expect(first).toBeGreaterThan(0);
    expect(await apply(world, member, 1, {}, "evt_once")).toBe("applied");
    expect(await world.one("service_role", ticket, ["evt_once"])).toEqual({ ticket: null });
    expect(await apply(world, member, 2, { status: "canceled" }, "evt_once")).toBe("duplicate");
    expect(await current(world, member)).toMatchObject([{ status: "active" }]);
    expect(await world.one("service_role", ticket, [null])).not.toEqual({ ticket: null });
  });

  test("that cannot be stored does not store its event either", async ({ world }) => {
    const member = await world.newcomer();
    await expect(apply(world, member, 1, { status: "surprising" }, "evt_again")).rejects.toThrow(
      "stripe_subscriptions_status_check",
    );
    expect(await apply(world, member, 2, {}, "evt_again")).toBe("applied");
  });

  test("of an unknown customer changes nothing", async ({ world }) => {
    const sql = `select public.billing_apply_subscription(1, '{"customer_id": "cus_other", "subscription_id": "sub_other"}') as outcome`;
    expect(await world.one("service_role", sql)).toEqual({ outcome: "unknown_customer" });
  });

  test("without a card keeps the stored card", async ({ world }) => {
    const member = await world.newcomer();
    await apply(world, member, 1, {});
    const none = { payment_method_brand: null, payment_method_last4: null };
    await apply(world, member, 2, { ...none, status: "past_due" });
    expect(await current(world, member)).toMatchObject([
      { status: "past_due", payment_method_brand: "visa", payment_method_last4: "4242" },
    ]);
  });
});

describe("of several subscriptions", () => {
  const older = { subscription_id: "sub_older", created: 100 };
  const newer = { subscription_id: "sub_newer", created: 200 };

  test.for([
    ["the live one counts, however old", "active", "incomplete", "sub_older"],
    ["the live one counts, however new", "canceled", "trialing", "sub_newer"],
    ["a late one counts before one that was only begun", "past_due", "incomplete", "sub_older"],
    ["a stopped one counts before one that is over", "unpaid", "canceled", "sub_older"],
    ["the newer counts when both are over", "canceled", "incomplete_expired", "sub_newer"],
    ["the newer counts when both are live", "active", "active", "sub_newer"],
  ] as const)("%s", async ([, first, second, winner], { world }) => {
    for (const order of [0, 1]) {
      const member = await world.newcomer();
      const id = (reading: { subscription_id: string; created: number }) => ({
        ...reading,
        subscription_id: `${reading.subscription_id}_${order}`,
      });
      const steps = [
        { ...id(older), status: first },
        { ...id(newer), status: second },
      ];
      if (order === 1) steps.reverse();
      for (const [index, step] of steps.entries()) await apply(world, member, index + 1, step);
      expect(await current(world, member)).toMatchObject([
        { subscription_id: `${winner}_${order}` },
      ]);
    }
  });

  test("an earlier one can come back", async ({ world }) => {
    const member = await world.newcomer();
    await apply(world, member, 1, { ...older, status: "past_due" });
    await apply(world, member, 2, { ...newer, status: "active" });
    await apply(world, member, 3, { ...newer, status: "canceled" });
    expect(await current(world, member)).toMatchObject([{ subscription_id: "sub_older" }]);
  });

  test("a not_started row is replaced", async ({ world }) => {
    const member = await world.newcomer();
    const customer = await customerOf(world, member);
    await world.run("owner", "insert into public.stripe_subscriptions (customer_id) values ($1)", [
      customer,
    ]);
    await apply(world, member, 1, { status: "incomplete_expired" });
    expect(await current(world, member)).toMatchObject([{ status: "incomplete_expired" }]);
  });
});

describe("an attempt", () => {
  test.for([
    ["active", "paid"],
    ["trialing", "paid"],
    ["incomplete_expired", "failed"],
    ["canceled", "failed"],
    ["incomplete", "needs_action"],
  ] as const)("whose subscription is found %s is %s", async ([status, state], { world }) => {
    const member = await world.newcomer();
    const begun = await world.one(
      "service_role",
      "select public.billing_begin_purchase($1, 'price_student_access') ->> 'attempt_id' as id",
      [member],
    );
    const id = begun["id"];
    await world.run("service_role", "select public.billing_record_subscription($1, $2)", [
      id,
      `sub_${member}`,
    ]);
    await world.run("service_role", "select public.billing_end_attempt($1, 'needs_action')", [id]);
    await apply(world, member, 1, { status });
    const sql = "select state from private.billing_attempts where id = $1";
    expect(await world.one("owner", sql, [id])).toEqual({ state });
  });
});

describe("a new price of a plan", () => {
  test("keeps the role of members who pay the old price", async ({ world }) => {
    const member = await world.newcomer();
    await apply(world, member, 1, {});
    await world.run("owner", "select private.set_plan_price('mentor-access', 'price_dearer')");
    await apply(world, member, 2, {});
    expect(await roleOf(world, member)).toBe("mentor");
    const other = await world.newcomer();
    await apply(world, other, 1, { price_id: "price_dearer" });
    expect(await roleOf(world, other)).toBe("mentor");
    const begin = "select public.billing_begin_purchase($1, 'price_mentor_access') as begun";
    expect(await world.one("service_role", begin, [other])).toEqual({
      begun: { state: "unknown_price" },
    });
  });

  test("belongs to one existing plan", async ({ world }) => {
    const insert =
      "insert into private.plan_prices (price_id, plan_id, retired_at) values ($1, $2, now())";
    await world.refused("owner", "23503", insert, ["price_none", "no-plan"]);
    await world.refused("owner", "23505", insert, ["price_student_access", "mentor-access"]);
  });
});
