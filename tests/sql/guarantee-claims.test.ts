import { describe, expect } from "vitest";
import { finisher, letPass, starter } from "./guarantee-world.ts";
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

/** Membership without payment: whether an account has one without an end. */
async function continuesForFree(world: World, member: string): Promise<boolean> {
  const sql = `select from public.complimentary_memberships
    where user_id = $1 and ended_at is null and ends_at is null`;
  return (await world.count("owner", sql, [member])) === 1;
}

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
    const admin = await world.freshAdmin();
    const id = await claim(world, ada);
    await world.run(ada, appeal, ["I was in hospital in May"]);
    await world.run(admin, decide, [id, true, "Letter of the hospital seen"]);
    expect(await continuesForFree(world, ada)).toBe(true);
    await claim(world, ben);
    const past =
      "update private.guarantee_claims set decided_at = now() - interval '30 days' where user_id = $1";
    await world.run("owner", past, [ben]);
    await world.refused(ben, "FF679", appeal, ["Too late"]);
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
