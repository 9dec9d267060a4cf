import { describe, expect } from "vitest";
import { test, type World } from "./world.ts";

interface Due {
  customer_id: string;
  fresh_attempts: string[];
}

async function due(world: World, everybody = false): Promise<Due[]> {
  const sql = "select * from public.billing_take_due($1, 1000)";
  return (await world.run("service_role", sql, [everybody])) as unknown as Due[];
}

async function isDue(world: World, member: string): Promise<boolean> {
  return (await due(world)).some((row) => row.customer_id === `cus_${member}`);
}

async function attempt(world: World, member: string, state: string, age = "0"): Promise<string> {
  const row = await world.one(
    "owner",
    `insert into private.billing_attempts (user_id, price_id, state, lease_until, updated_at)
     values ($1, 'price_student_access', $2, now() + interval '60 seconds' - $3::interval, now() - $3::interval)
     returning id::text`,
    [member, state, age],
  );
  return String(row["id"]);
}

/** A member whose customer was just compared with the provider. */
async function compared(world: World, status = "active"): Promise<string> {
  const member = await world.newcomer();
  await world.subscribe(member, "student-access", status);
  await due(world, true);
  return member;
}

async function lastCompared(world: World, member: string, age: string): Promise<void> {
  await world.run(
    "owner",
    "update private.billing_checks set checked_at = now() - $2::interval where customer_id = $1",
    [`cus_${member}`, age],
  );
}

const epochNow = () => Math.floor(Date.now() / 1000);

/** Keeps that the provider's events were read to the end. */
async function keep(world: World, readUntil: number, seen: Record<string, number>): Promise<void> {
  const sql = "select public.billing_keep_event_reading($1, $2, true)";
  await world.run("service_role", sql, [readUntil, JSON.stringify(seen)]);
}

describe("the reading of the provider's events", () => {
  const readFrom = async (world: World) =>
    Number(
      (await world.one("service_role", "select public.billing_events_read_from() as at"))["at"],
    );
  const unread = async (world: World, events: string[]) =>
    (
      await world.run("service_role", "select * from public.billing_unread_events($1) as id", [
        events,
      ])
    ).map(({ id }) => String(id));

  test("begins a day ago, and goes on ten minutes before where it was", async ({ world }) => {
    await world.run("owner", "delete from private.billing_event_reading");
    expect(Math.abs((await readFrom(world)) - (epochNow() - 86_400))).toBeLessThan(120);
    await keep(world, 2_000_000_000, {});
    expect(await readFrom(world)).toBe(1_999_999_400);
    // A run that was overtaken does not take it back.
    await keep(world, 1_900_000_000, { evt_late: 1_900_000_000 });
    expect(await readFrom(world)).toBe(1_999_999_400);
    expect(await unread(world, ["evt_late"])).toEqual(["evt_late"]);
  });

  test("leaves out what a webhook has applied, and what it has seen in those ten minutes", async ({
    world,
  }) => {
    await world.run("owner", "delete from private.billing_event_reading");
    const applied =
      "insert into private.billing_events (event_id, event_type) values ('evt_applied', 'invoice.paid')";
    await world.run("owner", applied);
    await keep(world, 2_000_000_000, { evt_seen: 1_999_999_400, evt_older: 1_999_999_399 });
    const asked = ["evt_applied", "evt_seen", "evt_older", "evt_new"];
    expect((await unread(world, asked)).toSorted()).toEqual(["evt_new", "evt_older"]);
  });

  test("is the server's alone", async ({ world }) => {
    const admin = await world.admin();
    for (const actor of ["anon", await world.member(), admin]) {
      for (const schema of ["public", "private"]) {
        await world.refused(actor, "42501", `select ${schema}.billing_events_read_from()`);
        await world.refused(actor, "42501", `select ${schema}.billing_unread_events('{}')`);
        const keepSql = `select ${schema}.billing_keep_event_reading(1, '{}', true)`;
        await world.refused(actor, "42501", keepSql);
      }
      await world.refused(actor, "42501", "select from private.billing_event_reading");
    }
  });
});

describe("a customer is compared", () => {
  test("when a purchase is open, but not while a function is working on it", async ({ world }) => {
    const working = await compared(world);
    await attempt(world, working, "working");
    expect(await isDue(world, working)).toBe(false);
    for (const state of ["unknown", "needs_action", "abandoned"]) {
      const member = await compared(world);
      await attempt(world, member, state);
      expect(await isDue(world, member), state).toBe(true);
    }
    const dead = await compared(world);
    await attempt(world, dead, "working", "2 minutes");
    expect(await isDue(world, dead)).toBe(true);
  });

  test("once after a purchase has finished", async ({ world }) => {
    const member = await compared(world);
    await lastCompared(world, member, "1 minute");
    await attempt(world, member, "paid");
    expect(await isDue(world, member)).toBe(true);
    await lastCompared(world, member, "-1 second");
    expect(await isDue(world, member)).toBe(false);
  });

  test("once after a restore from a backup, whatever its state", async ({ world }) => {
    const [live, ended] = [await compared(world), await compared(world, "canceled")];
    expect(await isDue(world, live)).toBe(false);
    await world.run("owner", "select hooks.after_restore()");
    const taken = (await due(world)).map((row) => row.customer_id);
    expect(taken).toEqual(expect.arrayContaining([`cus_${live}`, `cus_${ended}`]));
    expect(await isDue(world, ended)).toBe(false);
  });

  test("when a renewal is overdue", async ({ world }) => {
    const member = await compared(world);
    expect(await isDue(world, member)).toBe(false);
    const ended = `update public.stripe_subscriptions set current_period_end = extract(epoch from now()) - 60
      where customer_id = $1`;
    await world.run("owner", ended, [`cus_${member}`]);
    expect(await isDue(world, member)).toBe(true);
  });

  test.for([
    ["active", "59 minutes", false],
    ["active", "25 hours", true],
    ["past_due", "59 minutes", false],
    ["past_due", "61 minutes", true],
    ["incomplete", "61 minutes", true],
    ["canceled", "25 hours", false],
  ] as const)("while %s, after %s: %s", async ([status, age, expected], { world }) => {
    await world.run("owner", "delete from private.billing_event_reading");
    const member = await compared(world, status);
    await lastCompared(world, member, age);
    expect(await isDue(world, member)).toBe(expected);
  });

  test.for([
    ["active", "25 hours", false],
    ["active", "169 hours", true],
    ["past_due", "61 minutes", false],
    ["past_due", "25 hours", true],
    ["incomplete", "61 minutes", true],
  ] as const)(
    "less often while the list of events is read: %s, after %s: %s",
    async ([status, age, expected], { world }) => {
      await keep(world, epochNow(), {});
      const member = await compared(world, status);
      await lastCompared(world, member, age);
      expect(await isDue(world, member)).toBe(expected);
    },
  );

  test("as often as ever once the events were not read for an hour", async ({ world }) => {
    await keep(world, epochNow(), {});
    const old =
      "update private.billing_event_reading set caught_up_at = now() - interval '61 minutes'";
    await world.run("owner", old);
    const member = await compared(world);
    await lastCompared(world, member, "25 hours");
    expect(await isDue(world, member)).toBe(true);
  });

  test("first when its renewal is overdue, however long others have waited", async ({ world }) => {
    const [waiting, overdue] = [await compared(world), await compared(world)];
    await world.run("owner", "update private.billing_checks set checked_at = now()");
    await world.run("owner", "delete from private.billing_attempts");
    await lastCompared(world, waiting, "30 days");
    await world.run(
      "owner",
      `update public.stripe_subscriptions set current_period_end = extract(epoch from now()) + 1000`,
    );
    const ended = `update public.stripe_subscriptions set current_period_end = extract(epoch from now()) - 60
      where customer_id = $1`;
    await world.run("owner", ended, [`cus_${overdue}`]);
    const first = await world.run(
      "service_role",
      "select * from public.billing_take_due(false, 1)",
    );
    expect(first).toMatchObject([{ customer_id: `cus_${overdue}` }]);
  });

  test("never after it was deleted", async ({ world }) => {
    const member = await compared(world);
    await world.run("service_role", "select public.billing_drop_customer($1)", [`cus_${member}`]);
    expect((await due(world, true)).map((row) => row.customer_id)).not.toContain(`cus_${member}`);
  });

  test("together with the attempts that must stay open", async ({ world }) => {
    const fresh = await compared(world);
    const id = await attempt(world, fresh, "needs_action", "59 minutes");
    await attempt(world, fresh, "abandoned");
    const stale = await compared(world);
    await attempt(world, stale, "needs_action", "61 minutes");
    const rows = await due(world);
    const of = (member: string) =>
      rows.find((row) => row.customer_id === `cus_${member}`)?.fresh_attempts;
    expect(of(fresh)).toEqual([id]);
    expect(of(stale)).toEqual([]);
  });
});

describe("after a customer is reconciled", () => {
  test("attempts without a running function are closed, others are not", async ({ world }) => {
    const states: unknown[] = [];
    for (const [state, age] of [
      ["abandoned", "0"],
      ["working", "2 minutes"],
      ["unknown", "61 minutes"],
      ["working", "0"],
      ["needs_action", "59 minutes"],
      ["paid", "61 minutes"],
    ] as const) {
      const member = await compared(world);
      const id = await attempt(world, member, state, age);
      await world.run("service_role", "select public.billing_close_attempts($1)", [
        `cus_${member}`,
      ]);
      const row = await world.one(
        "owner",
        "select state from private.billing_attempts where id = $1",
        [id],
      );
      states.push(row["state"]);
    }
    expect(states).toEqual(["failed", "failed", "failed", "working", "needs_action", "paid"]);
  });

  test("changes are audited", async ({ world }) => {
    const member = await compared(world);
    const sql = "select public.billing_audit($1, 'billing.duplicate_ended', $2)";
    await world.run("service_role", sql, [`cus_${member}`, '{"subscription_id": "sub_extra"}']);
    const entry = await world.one("owner", "select * from private.audit_log where subject = $1", [
      member,
    ]);
    expect(entry).toMatchObject({
      action: "billing.duplicate_ended",
      actor: null,
      detail: { subscription_id: "sub_extra", customer_id: `cus_${member}` },
    });
  });
});

describe("a deleted account", () => {
  const departed = "select * from public.billing_customers_to_delete() as customer";

  test("leaves its customer to be deleted at the provider", async ({ world }) => {
    const [member, earlier] = [await compared(world), await compared(world)];
    await world.run("service_role", "select public.billing_drop_customer($1)", [`cus_${earlier}`]);
    await world.run("owner", "delete from auth.users where id = any ($1)", [[member, earlier]]);
    const listed = (await world.run("service_role", departed)).map((row) => row["customer"]);
    expect(listed).toContain(`cus_${member}`);
    expect(listed).not.toContain(`cus_${earlier}`);
    const twice = "insert into private.billing_customers_to_delete (customer_id) values ($1)";
    await world.refused("owner", "23505", twice, [`cus_${member}`]);
    await world.run("service_role", "select public.billing_forget_departed($1)", [`cus_${member}`]);
    const rest = (await world.run("service_role", departed)).map((row) => row["customer"]);
    expect(rest).not.toContain(`cus_${member}`);
  });

  test("leaves nothing else after the purge", async ({ world }) => {
    const member = await compared(world);
    await attempt(world, member, "paid");
    await world.run("owner", "insert into private.billing_sync_versions values ('sub_gone', 1)");
    await world.run("owner", "delete from auth.users where id = $1", [member]);
    await world.run("service_role", "select public.billing_purge()");
    for (const [table, column, value] of [
      ["billing_attempts", "user_id", member],
      ["billing_checks", "customer_id", `cus_${member}`],
      ["billing_sync_versions", "subscription_id", "sub_gone"],
    ]) {
      const sql = `select * from private.${table} where ${column}::text = $1`;
      expect(await world.run("owner", sql, [value]), table).toEqual([]);
    }
  });
});

describe("the purge", () => {
  test("deletes events and finished attempts older than 60 days", async ({ world }) => {
    const member = await compared(world);
    const old = await attempt(world, member, "failed", "61 days");
    const open = await attempt(world, member, "needs_action", "61 days");
    await world.run(
      "owner",
      `insert into private.billing_events values ('evt_old', 'x', now() - interval '61 days'), ('evt_new', 'x', now())`,
    );
    await world.run("service_role", "select public.billing_purge()");
    const attempts = await world.run(
      "owner",
      "select id::text from private.billing_attempts where user_id = $1",
      [member],
    );
    expect(attempts).toEqual([{ id: open }]);
    expect(attempts).not.toContainEqual({ id: old });
    const events = await world.run(
      "owner",
      "select event_id from private.billing_events where event_id in ('evt_old', 'evt_new')",
    );
    expect(events).toEqual([{ event_id: "evt_new" }]);
  });

  test("deletes previews of plan changes after a day, also of members who never ask again", async ({
    world,
  }) => {
    const member = await compared(world);
    const quote = {
      subscription_id: `sub_${member}`,
      kind: "upgrade",
      from_price_id: "price_student_access",
      to_price_id: "price_mentor_access",
      amount_due: 5000,
    };
    const sql = "select public.billing_quote_plan_change($1, $2) as id";
    const args = [member, JSON.stringify(quote)];
    const [old, recent] = [
      (await world.one("service_role", sql, args))["id"],
      (await world.one("service_role", sql, args))["id"],
    ];
    await world.run(
      "owner",
      "update private.plan_change_quotes set created_at = created_at - interval '25 hours' where id = $1",
      [old],
    );
    await world.run("service_role", "select public.billing_purge()");
    const kept = "select id::text from private.plan_change_quotes where user_id = $1";
    expect(await world.run("owner", kept, [member])).toEqual([{ id: recent }]);
  });
});
