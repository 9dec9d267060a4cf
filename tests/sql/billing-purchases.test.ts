import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

const student = "price_student_access";
const mentor = "price_mentor_access";

interface Begun {
  state: string;
  attempt_id: string;
  subscription_id?: string;
  leftovers: string[];
  recent: string[];
}

async function begin(world: World, member: string, price = student, joining?: string) {
  const row = await world.one(
    "service_role",
    "select public.billing_begin_purchase($1, $2, $3) as begun",
    [member, price, joining ?? null],
  );
  return row["begun"] as Begun;
}

async function record(world: World, attempt: string, subscription: string) {
  const sql = "select public.billing_record_subscription($1, $2) as counts";
  return (await world.one("service_role", sql, [attempt, subscription]))["counts"];
}

async function end(world: World, attempt: string, outcome: string) {
  await world.run("service_role", "select public.billing_end_attempt($1, $2)", [attempt, outcome]);
}

async function stateOf(world: World, attempt: string) {
  const sql = "select state from private.billing_attempts where id = $1";
  return (await world.one("owner", sql, [attempt]))["state"];
}

async function letLeaseRunOut(world: World, attempt: string) {
  const sql = `update private.billing_attempts set lease_until = now() - interval '1 second' where id = $1`;
  await world.run("owner", sql, [attempt]);
}

describe("a purchase", () => {
  test("begins once; a second call gets busy, whatever it buys", async ({ world }) => {
    const member = await world.newcomer();
    const first = await begin(world, member);
    expect(first).toMatchObject({ state: "begun", leftovers: [], recent: [] });
    const waiting = { state: "busy", attempt_id: first.attempt_id };
    expect(await begin(world, member)).toEqual(waiting);
    expect(await begin(world, member, mentor)).toEqual(waiting);
    expect(await begin(world, await world.newcomer())).toMatchObject({ state: "begun" });
  });

  test("may no longer pay once its account is about to go, and no other member's is touched", async ({
    world,
  }) => {
    const [leaving, staying] = [await world.newcomer(), await world.newcomer()];
    const [first, other] = [await begin(world, leaving), await begin(world, staying)];
    await world.run("service_role", "select public.billing_abandon_attempts($1)", [leaving]);
    expect(await record(world, first.attempt_id, "sub_late")).toBe(false);
    expect(await record(world, other.attempt_id, "sub_other")).toBe(true);
    // What was paid before counts all the same.
    await end(world, first.attempt_id, "paid");
    await world.run("service_role", "select public.billing_abandon_attempts($1)", [leaving]);
    expect(await stateOf(world, first.attempt_id)).toBe("paid");
  });

  test("needs a price that is on sale", async ({ world }) => {
    const member = await world.newcomer();
    expect(await begin(world, member, "price_forged")).toEqual({ state: "unknown_price" });
    await world.run("owner", "update public.plans set is_active = false where id = $1", [
      "student-access",
    ]);
    expect(await begin(world, member)).toEqual({ state: "unknown_price" });
  });

  test("is joined by a call that waited, if both buy the same price", async ({ world }) => {
    const member = await world.newcomer();
    const { attempt_id: first } = await begin(world, member);
    await record(world, first, "sub_joined");
    await end(world, first, "needs_action");
    expect(await begin(world, member, student, first)).toEqual({
      state: "joined",
      attempt_id: first,
      subscription_id: "sub_joined",
    });
    expect(await begin(world, member, mentor, first)).toMatchObject({
      state: "begun",
      leftovers: ["sub_joined"],
    });
  });

  test("is not joined when it failed or belongs to another account", async ({ world }) => {
    const [member, other] = [await world.newcomer(), await world.newcomer()];
    const { attempt_id: failed } = await begin(world, member);
    await record(world, failed, "sub_failed");
    await end(world, failed, "failed");
    expect(await begin(world, member, student, failed)).toMatchObject({ state: "begun" });
    const { attempt_id: paid } = await begin(world, other);
    await record(world, paid, "sub_other");
    await end(world, paid, "paid");
    const third = await world.newcomer();
    expect(await begin(world, third, student, paid)).toMatchObject({ state: "begun" });
  });

  test("replaces an attempt with an unknown outcome or an expired lease", async ({ world }) => {
    const member = await world.newcomer();
    const { attempt_id: lost } = await begin(world, member);
    await record(world, lost, "sub_lost");
    await end(world, lost, "unknown");
    const second = await begin(world, member);
    expect(second).toMatchObject({ state: "begun", leftovers: ["sub_lost"], recent: ["sub_lost"] });
    expect(await stateOf(world, lost)).toBe("abandoned");
    await record(world, second.attempt_id, "sub_dead");
    await letLeaseRunOut(world, second.attempt_id);
    const third = await begin(world, member);
    expect(third.leftovers.toSorted()).toEqual(["sub_dead", "sub_lost"]);
  });

  test("that was replaced can neither pay nor store an outcome", async ({ world }) => {
    const member = await world.newcomer();
    const { attempt_id: slow } = await begin(world, member);
    await letLeaseRunOut(world, slow);
    await begin(world, member);
    expect(await record(world, slow, "sub_slow")).toBe(false);
    await end(world, slow, "needs_action");
    expect(await stateOf(world, slow)).toBe("abandoned");
    await end(world, slow, "failed");
    expect(await stateOf(world, slow)).toBe("failed");
  });

  test("pays one subscription and no other", async ({ world }) => {
    const { attempt_id: attempt } = await begin(world, await world.newcomer());
    expect(await record(world, attempt, "sub_one")).toBe(true);
    expect(await record(world, attempt, "sub_one")).toBe(true);
    expect(await record(world, attempt, "sub_two")).toBe(false);
    const { attempt_id: other } = await begin(world, await world.newcomer());
    await world.refused(
      "service_role",
      "23505",
      "select public.billing_record_subscription($1, 'sub_one')",
      [other],
    );
  });

  test("that is finished stays finished", async ({ world }) => {
    const { attempt_id: attempt } = await begin(world, await world.newcomer());
    await end(world, attempt, "paid");
    await end(world, attempt, "failed");
    expect(await stateOf(world, attempt)).toBe("paid");
    await end(world, attempt, "working");
    expect(await stateOf(world, attempt)).toBe("paid");
  });

  test("is listed as recent for 15 minutes", async ({ world }) => {
    const member = await world.newcomer();
    const { attempt_id: attempt } = await begin(world, member);
    await record(world, attempt, "sub_recent");
    await end(world, attempt, "paid");
    const second = await begin(world, member);
    expect(second.recent).toEqual(["sub_recent"]);
    await end(world, second.attempt_id, "failed");
    const other = await begin(world, member, mentor);
    expect(other.recent).toEqual([]);
    await end(world, other.attempt_id, "failed");
    await world.run(
      "owner",
      `update private.billing_attempts set created_at = now() - interval '16 minutes' where id = $1`,
      [attempt],
    );
    expect((await begin(world, member)).recent).toEqual([]);
  });

  test("is refused after 20 attempts in an hour", async ({ world }) => {
    const member = await world.newcomer();
    for (let count = 0; count < 20; count += 1) {
      const { attempt_id: attempt } = await begin(world, member);
      await end(world, attempt, "failed");
    }
    expect(await begin(world, member)).toEqual({ state: "too_many" });
    await world.run(
      "owner",
      `update private.billing_attempts set created_at = now() - interval '61 minutes' where user_id = $1`,
      [member],
    );
    expect(await begin(world, member)).toMatchObject({ state: "begun" });
  });

  test("is open once per account and has a known state", async ({ world }) => {
    const member = await world.newcomer();
    const insert =
      "insert into private.billing_attempts (user_id, price_id, state) values ($1, $2, $3)";
    await world.run("owner", insert, [member, student, "working"]);
    await world.refused("owner", "23505", insert, [member, student, "unknown"]);
    await world.refused("owner", "23514", insert, [member, student, "lost"]);
    await world.refused("owner", "23503", insert, [
      "00000000-0000-4000-8000-000000000000",
      student,
      "working",
    ]);
    await world.run("owner", insert, [member, student, "failed"]);
    const again = `insert into private.billing_attempts (id, user_id, price_id, state)
      select id, user_id, price_id, 'failed' from private.billing_attempts where user_id = $1 limit 1`;
    await world.refused("owner", "23505", again, [member]);
  });
});

describe("a customer", () => {
  const recorded = "select public.billing_record_customer($1, $2) as customer";
  const held = "select public.billing_customer($1) as held";

  test("is recorded once, and the second call gets the first customer", async ({ world }) => {
    const member = await world.newcomer();
    const none = { held: { customer_id: null, generation: 0 } };
    expect(await world.one("service_role", held, [member])).toEqual(none);
    const first = { customer: "cus_first" };
    expect(await world.one("service_role", recorded, [member, "cus_first"])).toEqual(first);
    expect(await world.one("service_role", recorded, [member, "cus_second"])).toEqual(first);
    expect(await world.one("service_role", held, [member])).toEqual({
      held: { customer_id: "cus_first", generation: 0 },
    });
  });

  test("that was deleted loses the role, and can be replaced", async ({ world }) => {
    const member = await world.member("mentor-access");
    const drop = "select public.billing_drop_customer($1, $2, $3) as dropped";
    const args = [`cus_${member}`, "evt_gone", "customer.deleted"];
    expect(await world.one("service_role", drop, args)).toEqual({ dropped: true });
    expect(await world.one("service_role", drop, args)).toEqual({ dropped: false });
    const role = "select role from public.profiles where id = $1";
    expect(await world.one("owner", role, [member])).toEqual({ role: "student" });
    const live = "select private.has_live_membership($1) as live";
    expect(await world.one("owner", live, [member])).toEqual({ live: false });
    expect(await world.one("service_role", held, [member])).toEqual({
      held: { customer_id: null, generation: 1 },
    });
    await world.run("service_role", recorded, [member, "cus_next"]);
  });
});

describe("the billing functions", () => {
  const calls = [
    "billing_customer(gen_random_uuid())",
    "billing_record_customer(gen_random_uuid(), 'cus')",
    "billing_drop_customer('cus')",
    "billing_begin_purchase(gen_random_uuid(), 'price')",
    "billing_record_subscription(gen_random_uuid(), 'sub')",
    "billing_end_attempt(gen_random_uuid(), 'paid')",
    "billing_abandon_attempts(gen_random_uuid())",
    "billing_next_ticket()",
    "billing_apply_subscription(1, '{}')",
    "billing_take_due()",
    "billing_close_attempts('cus')",
    "billing_customers_to_delete()",
    "billing_forget_departed('cus')",
    "billing_audit('cus', 'action', '{}')",
    "billing_purge()",
  ];

  test.for(calls)("are not for members or visitors: %s", async (call, { world }) => {
    const member = await world.member();
    for (const actor of [member, "anon"]) {
      await world.refused(actor, "42501", `select * from public.${call}`);
    }
  });

  test("cannot be executed in the schema private either", async ({ world }) => {
    const sql = `select proname from pg_proc
      where pronamespace = 'private'::regnamespace and proname ~ '^(billing_|lock_billing)'
        and (has_function_privilege('authenticated', oid, 'execute') or has_function_privilege('anon', oid, 'execute'))`;
    expect(await world.run("owner", sql)).toEqual([]);
  });
});
