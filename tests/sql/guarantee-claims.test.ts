import { describe, expect } from "vitest";
import { dayAgo, finisher, letPass, starter } from "./guarantee-world.ts";
import { recordPayment } from "./payment-world.ts";
import { test, type Row, type World } from "./world.ts";

const file = "select public.file_guarantee_claim($1, $2) as claim";
const appeal = "select public.appeal_guarantee_claim($1) as claim";
const mine = "select public.my_guarantee_claim() as claim";
const decide = "select public.decide_guarantee_claim($1, $2, $3)";
const settlement = "select public.guarantee_settlement($1) as due";

async function claimOf(world: World, member: string): Promise<Row> {
  return (await world.one(member, mine))["claim"] as Row;
}

/** Makes the claim of a member who earns £1,500 as before; its id. */
async function claim(world: World, member: string): Promise<string> {
  const row = await world.one(member, file, [150_000, "My payslip of March"]);
  return (row["claim"] as { id: string }).id;
}

async function waiting(world: World, admin: string): Promise<Row[]> {
  return (await world.one(admin, "select public.guarantee_queue() as claims"))["claims"] as Row[];
}

const figuresSql = "select * from public.guarantee_figures()";

/** Lets claims of so many members end like this. */
async function endClaims(world: World, count: number, state: string): Promise<void> {
  const sql = `with members as (
      insert into auth.users (id, email) select m.id, m.id || '@example.test'
      from (select gen_random_uuid() as id from generate_series(1, $1)) m returning id
    )
    insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state, decided_at)
    select m.id, 1, 'Mine', '[]', $2, case when $2 <> 'filed' then now() end from members m`;
  await world.run("owner", sql, [count, state]);
}

/** Membership without payment: whether an account has one without an end. */
async function continuesForFree(world: World, member: string): Promise<boolean> {
  const sql = `select from public.complimentary_memberships
    where user_id = $1 and ended_at is null and ends_at is null`;
  return (await world.count("owner", sql, [member])) === 1;
}

describe("how claims ended", () => {
  test("is told as two counts, from the fifth decision on", async ({ world }) => {
    // Other files make claims, too.
    await world.run("owner", "delete from private.guarantee_claims");
    await endClaims(world, 3, "declined");
    await endClaims(world, 1, "granted");
    await endClaims(world, 9, "filed");
    expect(await world.run("service_role", figuresSql)).toEqual([]);
    await endClaims(world, 1, "granted");
    expect(await world.run("service_role", figuresSql)).toEqual([{ decided: "5", granted: "2" }]);
    // Visitors and members ask the function, which asks as the server.
    await world.refused("anon", "42501", figuresSql);
    await world.refused(await world.member(), "42501", figuresSql);
    await world.refused(await world.freshAdmin(), "42501", figuresSql);
  });
});

describe("a claim", () => {
  test("with every line met waits for an administrator, who grants it", async ({ world }) => {
    const ada = await finisher(world);
    const { id: charge } = await recordPayment(world, ada);
    // What is bought long after the decision is not owed.
    await recordPayment(world, ada, { at: "2099-05-05T12:00:00Z" });
    const id = await claim(world, ada);
    expect(await claimOf(world, ada)).toMatchObject({ state: "filed", reason: null });
    const admin = await world.freshAdmin();
    expect(await waiting(world, admin)).toContainEqual(
      expect.objectContaining({ id, user_id: ada, state: "filed", to_refund: 0 }),
    );
    await world.refused(admin, "FF680", settlement, [id]);
    await world.run(admin, decide, [id, true, "Payslip seen"]);
    expect(await claimOf(world, ada)).toMatchObject({ state: "granted", reason: "Payslip seen" });
    expect(await continuesForFree(world, ada)).toBe(true);
    const { due } = await world.one(admin, settlement, [id]);
    expect(due).toMatchObject({
      member_id: ada,
      refunds: [{ payment_id: charge, amount_pence: 5000, reason: "Guarantee" }],
    });
    // The same refunds again, so that asking twice refunds once.
    expect((await world.one(admin, settlement, [id]))["due"]).toEqual(due);
    await world.refused(admin, "FF682", decide, [id, false, "On reflection"]);
    await world.refused(ada, "FF678", file, [1, "Again"]);
    await world.refused(ada, "FF679", appeal, ["More, please"]);
    expect(
      await world.one(
        "owner",
        "select actor, detail from private.audit_log where action = 'guarantee.decided' and subject = $1",
        [ada],
      ),
    ).toMatchObject({
      actor: admin,
      detail: { claim: id, before: { state: "filed" }, after: { state: "granted" } },
    });
  });

  test("is declined by the rules, which say the lines that were not met", async ({ world }) => {
    const ben = await finisher(world, 4);
    await claim(world, ben);
    const { state, lines, reason } = await claimOf(world, ben);
    expect({ state, reason }).toEqual({ state: "declined", reason: null });
    expect((lines as Row[]).filter(({ met }) => met !== true)).toEqual([
      { line: "check_ins", needed: 6, held: 4, met: false },
    ]);
    expect(await continuesForFree(world, ben)).toBe(false);
    const rich = await finisher(world);
    await world.run(rich, file, [1_500_000, "My accounts"]);
    expect((await claimOf(world, rich))["lines"]).toContainEqual({
      line: "income",
      needed: 1_500_000,
      held: 1_500_000,
      met: false,
    });
  });

  test("counts the income of the last check-in when less is claimed", async ({ world }) => {
    const ada = await finisher(world);
    await world.run(
      "owner",
      "update private.guarantee_check_ins set monthly_pence = 2000000 where user_id = $1 and month_number = 6",
      [ada],
    );
    await claim(world, ada);
    expect(await claimOf(world, ada)).toMatchObject({ state: "declined" });
  });

  test("is made in the thirty days after the six months only", async ({ world }) => {
    const ada = await finisher(world);
    for (const time of ["5 months 20 days", "6 months 35 days"]) {
      await letPass(world, ada, time);
      await world.refused(ada, "FF677", file, [1, "Payslip"]);
    }
    await world.refused(await world.member(), "FF674", file, [1, "Payslip"]);
    await letPass(world, ada, "6 months 25 days");
    await world.refused(ada, "FF672", file, [-1, "Payslip"]);
    await world.refused(ada, "FF676", file, [1, "  "]);
    await world.run(ada, file, [1, "Payslip"]);
  });

  test("that is granted gives the plan that was paid for, whatever else was given for some days", async ({
    world,
  }) => {
    const [ada, admin] = [await finisher(world), await world.freshAdmin()];
    const grant =
      "select public.admin_grant_complimentary($1, $2, now() + interval '7 days', 'A taste')";
    await world.run(admin, grant, [`${ada}@example.test`, "mentor-access"]);
    await world.run(admin, decide, [await claim(world, ada), true, "Payslip seen"]);
    const current = `select m.plan_id, m.ends_at, p.role from public.complimentary_memberships m
      join public.profiles p on p.id = m.user_id where m.user_id = $1 and m.ended_at is null`;
    expect(await world.run("owner", current, [ada])).toEqual([
      { plan_id: "student-access", ends_at: null, role: "student" },
    ]);
  });
});

describe("the settlement of a granted claim", () => {
  const dueSql = "select public.billing_claims_to_settle() as id";
  const begin = "select public.billing_begin_claim_refund($1, $2, $3) as begun";
  const stopped = "select public.billing_claim_renewal_stopped($1, $2)";
  const owed = "select public.billing_claim_settlement($1) as owed";

  async function granted(world: World): Promise<{ id: string; ada: string; admin: string }> {
    const ada = await finisher(world);
    const id = await claim(world, ada);
    const admin = await world.freshAdmin();
    await world.run(admin, decide, [id, true, "Payslip seen"]);
    return { id, ada, admin };
  }

  test("is the server's work, and of granted claims only", async ({ world }) => {
    const { id, ada, admin } = await granted(world);
    const { id: payment } = await recordPayment(world, ada);
    const calls: [string, unknown[]][] = [
      [dueSql, []],
      [begin, [id, payment, admin]],
      [stopped, [id, admin]],
      [owed, [id]],
    ];
    for (const actor of ["anon", ada, admin, await world.member("mentor-access")]) {
      for (const [sql, values] of calls) await world.refused(actor, "42501", sql, values);
    }
    const waits = await claim(world, await finisher(world));
    await world.refused("service_role", "FF680", begin, [waits, payment, null]);
    await world.refused("service_role", "FF680", stopped, [waits, null]);
    await world.refused("service_role", "FF680", owed, [waits]);
    const due = await world.run("service_role", dueSql);
    expect(due).toContainEqual({ id });
    expect(due).not.toContainEqual({ id: waits });
    // Nobody's payment but the member's own.
    const other = await recordPayment(world, await world.member());
    expect(await world.run("service_role", begin, [id, other.id, null])).toEqual([{ begun: null }]);
  });

  test("begins a refund once, and asks for one that failed again later and later", async ({
    world,
  }) => {
    const { id, ada, admin } = await granted(world);
    const { id: payment } = await recordPayment(world, ada);
    await world.run("service_role", stopped, [id, null]);
    const first = await world.one("service_role", begin, [id, payment, null]);
    expect(first["begun"]).toMatchObject({ payment_id: payment, amount_pence: 5000 });
    // Another call is at it.
    expect(await world.one("service_role", begin, [id, payment, admin])).toEqual({ begun: null });
    expect(await world.run("service_role", dueSql)).not.toContainEqual({ id });
    const ends =
      "update private.refund_requests set state = $2, last_tried_at = $3 where charge_id = $1";
    const ago = async (state: string, time: string) =>
      await world.run("owner", ends.replace("$3", `now() - interval '${time}'`), [payment, state]);
    await ago("unclear", "1 second");
    expect(await world.run("service_role", dueSql)).toContainEqual({ id });
    await ago("failed", "14 minutes");
    expect(await world.run("service_role", dueSql)).not.toContainEqual({ id });
    expect(await world.one("service_role", begin, [id, payment, null])).toEqual({ begun: null });
    await ago("failed", "16 minutes");
    expect(await world.run("service_role", dueSql)).toContainEqual({ id });
    // An administrator does not have to wait; the bank's refusal makes it another request.
    await ago("failed", "1 minute");
    const second = await world.one("service_role", begin, [id, payment, admin]);
    expect(second["begun"]).toMatchObject({ payment_id: payment });
    expect((second["begun"] as Row)["request_id"]).not.toBe((first["begun"] as Row)["request_id"]);
    // Made: nothing is owed, before the provider's event arrives.
    await ago("made", "1 minute");
    expect(await world.one("service_role", begin, [id, payment, admin])).toEqual({ begun: null });
    expect((await world.one("service_role", owed, [id]))["owed"]).toMatchObject({ refunds: [] });
    expect(await world.run("service_role", dueSql)).not.toContainEqual({ id });
  });

  test("leaves out what is bought after the renewal was stopped", async ({ world }) => {
    const { id, ada } = await granted(world);
    const past =
      "update private.guarantee_claims set decided_at = now() - interval '30 days' where id = $1";
    await world.run("owner", past, [id]);
    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const { id: late } = await recordPayment(world, ada, { at: `${yesterday}T12:00:00Z` });
    const refunds = async () =>
      ((await world.one("service_role", owed, [id]))["owed"] as { refunds: Row[] }).refunds;
    expect(await refunds()).toMatchObject([{ payment_id: late }]);
    await world.run("service_role", stopped, [id, null]);
    await world.run(
      "owner",
      "update private.guarantee_claims set renewal_stopped_at = now() - interval '20 days' where id = $1",
      [id],
    );
    expect(await refunds()).toEqual([]);
  });

  test("of their own claim is no administrator's", async ({ world }) => {
    const { id, admin } = await granted(world);
    await world.run("owner", "update private.guarantee_claims set user_id = $2 where id = $1", [
      id,
      admin,
    ]);
    await world.refused(admin, "FF681", settlement, [id]);
  });
});

describe("an appeal", () => {
  test("is made once, and decided by another administrator, finally", async ({ world }) => {
    const ada = await finisher(world);
    const id = await claim(world, ada);
    await world.refused(ada, "FF679", appeal, ["It still waits"]);
    const [first, second] = [await world.freshAdmin(), await world.freshAdmin()];
    await world.run(first, decide, [id, false, "No payslip"]);
    expect(await claimOf(world, ada)).toMatchObject({ state: "declined", reason: "No payslip" });
    await world.refused(ada, "FF676", appeal, [""]);
    await world.run(ada, appeal, ["It was attached"]);
    await world.refused(first, "FF683", decide, [id, false, "Still none"]);
    await world.run(second, decide, [id, false, "Not readable"]);
    expect(await claimOf(world, ada)).toMatchObject({ state: "refused", reason: "Not readable" });
    await world.refused(ada, "FF679", appeal, ["Once more"]);
    expect(await waiting(world, second)).not.toContainEqual(expect.objectContaining({ id }));
  });

  test("against the rules can be granted, and is too late after thirty days", async ({ world }) => {
    const [ada, ben] = [await finisher(world, 5), await finisher(world, 5)];
    const carl = await finisher(world, 5);
    const admin = await world.freshAdmin();
    const id = await claim(world, ada);
    await world.run(ada, appeal, ["I was in hospital in May"]);
    await world.run(admin, decide, [id, true, "Letter of the hospital seen"]);
    expect(await continuesForFree(world, ada)).toBe(true);
    await claim(world, ben);
    await claim(world, carl);
    const decided = `update private.guarantee_claims set decided_at = ${dayAgo(30)} - $2::interval where user_id = $1`;
    await world.run("owner", decided, [ben, "1 second"]);
    await world.refused(ben, "FF679", appeal, ["Too late"]);
    await world.run("owner", decided, [carl, "0"]);
    await world.run(carl, appeal, ["On the thirtieth day"]);
  });
});

describe("nobody else", () => {
  test("reads or decides a claim", async ({ world }) => {
    const ada = await finisher(world);
    const id = await claim(world, ada);
    const other = await starter(world);
    expect(await claimOf(world, other)).toBeNull();
    for (const actor of [ada, other, await world.member("mentor-access")]) {
      await world.refused(actor, "FF002", "select public.guarantee_queue()");
      await world.refused(actor, "FF002", decide, [id, true, "Mine"]);
      await world.refused(actor, "FF002", settlement, [id]);
    }
    const stale = await world.admin();
    await world.refused(stale, "FF006", decide, [id, true, "No code"]);
    await world.refused(stale, "FF006", settlement, [id]);
    for (const actor of [ada, other, stale, "anon", "service_role"]) {
      await world.refused(actor, "42501", "select * from private.guarantee_claims");
      await world.refused(actor, "42501", "update private.guarantee_claims set state = 'granted'");
    }
    for (const sql of [file, decide, settlement, mine]) {
      const values =
        sql === mine ? [] : sql === file ? [1, "x"] : sql === decide ? [id, true, "x"] : [id];
      await world.refused("anon", "42501", sql, values);
    }
  });

  test("decides about their own claim", async ({ world }) => {
    const ada = await finisher(world);
    const id = await claim(world, ada);
    const admin = await world.freshAdmin();
    await world.run("owner", "update private.guarantee_claims set user_id = $2 where id = $1", [
      id,
      admin,
    ]);
    await world.refused(admin, "FF681", decide, [id, true, "Mine"]);
    await world.refused(admin, "FF680", decide, [crypto.randomUUID(), true, "None"]);
    await world.refused(admin, "FF511", decide, [id, true, " "]);
  });
});
