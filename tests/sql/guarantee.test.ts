import { describe, expect } from "vitest";
import { guaranteeTerms } from "../../web/src/domain/guarantee-terms.ts";
import {
  checkIn,
  dayAgo,
  finisher,
  joiner,
  letPass,
  mine,
  baselineSql,
  recordOf,
  starter,
  work,
} from "./guarantee-world.ts";
import { test, type World } from "./world.ts";

describe("the terms", () => {
  test("are those of the page for visitors", async ({ world }) => {
    const { terms } = await world.one(
      "owner",
      "select to_jsonb(t) - 'id' - 'opened_at' as terms from private.guarantee_terms t",
    );
    expect(terms).toEqual({
      months: guaranteeTerms.months,
      income_multiple: guaranteeTerms.incomeMultiple,
      least_base_pence: guaranteeTerms.leastBasePence,
      baseline_days: guaranteeTerms.baselineDays,
      claim_days: guaranteeTerms.claimDays,
      check_ins: guaranteeTerms.checkIns,
      submissions: guaranteeTerms.submissions,
      messages: guaranteeTerms.messages,
      articles: guaranteeTerms.articles,
      membership_months: guaranteeTerms.membershipMonths,
      membership_days: guaranteeTerms.membershipDays,
    });
  });

  test("stay those of the day the baseline was written down", async ({ world }) => {
    const ada = await starter(world);
    await world.run("owner", "update private.guarantee_terms set submissions = 99, months = 9");
    await world.run(ada, baselineSql, [160_000, "Salary"]);
    const { lines, baseline } = await recordOf(world, ada);
    expect(lines).toContainEqual({ line: "submissions", needed: 12, held: 0, met: false });
    expect(baseline).toMatchObject({ monthly_pence: 160_000, target_pence: 1_600_000 });
    const ben = await starter(world);
    expect((await recordOf(world, ben)).lines).toContainEqual(
      expect.objectContaining({ line: "submissions", needed: 99 }),
    );
  });

  test("are one row", async ({ world }) => {
    const copy = `insert into private.guarantee_terms
      select (jsonb_populate_record(t, '{"id": false}')).* from private.guarantee_terms t`;
    await world.refused("owner", "23514", copy);
  });
});

describe("a baseline", () => {
  test("is for members, in their first week, and small incomes count as £100", async ({
    world,
  }) => {
    const ada = await joiner(world);
    expect(await recordOf(world, ada)).toMatchObject({
      is_baseline_open: true,
      baseline: null,
      lines: [],
    });
    await world.run(ada, baselineSql, [0, "  Nothing yet "]);
    expect((await recordOf(world, ada)).baseline).toMatchObject({
      monthly_pence: 0,
      source: "Nothing yet",
      target_pence: 100_000,
      month: 1,
    });
    const newcomer = await world.newcomer();
    expect(await recordOf(world, newcomer)).toBeNull();
    await world.refused(newcomer, "FF670", baselineSql, [1000, "Salary"]);
  });

  test("is made and corrected until the seventh day is over, and not after it", async ({
    world,
  }) => {
    const [ada, ben] = [await joiner(world), await starter(world)];
    await world.run("owner", "update private.guarantee_terms set opened_at = '2020-01-01'");
    const start = `update private.membership_periods set started_at = ${dayAgo(7)} - $2::interval where user_id = any($1)`;
    await world.run("owner", start, [[ada, ben], "0"]);
    await world.run(ben, baselineSql, [2000, "Shop"]);
    await world.run("owner", start, [[ada, ben], "1 second"]);
    await world.refused(ada, "FF671", baselineSql, [1000, "Salary"]);
    await world.refused(ben, "FF671", baselineSql, [1000, "Shop"]);
    expect(await recordOf(world, ada)).toMatchObject({ is_baseline_open: false, baseline: null });
  });

  test("starts with the first membership, and no earlier than the guarantee", async ({ world }) => {
    const ada = await joiner(world);
    const start = "select private.guarantee_start($1) = $2::timestamptz as same";
    await world.run(
      "owner",
      `insert into private.membership_periods (user_id, started_at, ended_at) values ($1, '2026-01-05', '2026-02-05')`,
      [ada],
    );
    await world.run("owner", "update private.guarantee_terms set opened_at = '2026-03-01'");
    expect(await world.one("owner", start, [ada, "2026-03-01"])).toEqual({ same: true });
    await world.run("owner", "update private.guarantee_terms set opened_at = '2020-01-01'");
    expect(await world.one("owner", start, [ada, "2026-01-05"])).toEqual({ same: true });
  });

  test("takes an income and a source that make sense", async ({ world }) => {
    const ada = await joiner(world);
    for (const income of [-1, 100_000_001, null]) {
      await world.refused(ada, "FF672", baselineSql, [income, "Salary"]);
    }
    for (const source of ["  ", null, "x".repeat(201)]) {
      await world.refused(ada, "FF673", baselineSql, [1000, source]);
    }
    await world.run(ada, baselineSql, [1000, "Salary"]);
    for (const change of [
      "update private.guarantee_baselines set monthly_pence = -1 where user_id = $1",
      "update private.guarantee_baselines set source = '' where user_id = $1",
      "insert into private.guarantee_check_ins (user_id, month_number, monthly_pence) values ($1, 0, 1)",
      "insert into private.guarantee_check_ins (user_id, month_number, monthly_pence) values ($1, 1, -1)",
    ]) {
      await world.refused("owner", "23514", change, [ada]);
    }
  });
});

describe("a check-in", () => {
  test("is for the month that is running, once, and can be corrected", async ({ world }) => {
    const ada = await starter(world);
    await world.run(ada, checkIn, [150_000]);
    await world.run(ada, checkIn, [170_000]);
    await letPass(world, ada, "1 month 2 days");
    await world.run(ada, checkIn, [200_000]);
    const { check_ins, lines, baseline } = await recordOf(world, ada);
    expect(baseline).toMatchObject({ month: 2 });
    expect(check_ins).toEqual([
      { month: 1, monthly_pence: 170_000 },
      { month: 2, monthly_pence: 200_000 },
    ]);
    expect(lines).toContainEqual({ line: "check_ins", needed: 6, held: 2, met: false });
  });

  test("needs a baseline, an income and a month that is not over", async ({ world }) => {
    await world.refused(await joiner(world), "FF674", checkIn, [1000]);
    const ada = await starter(world);
    await world.refused(ada, "FF672", checkIn, [-1]);
    await letPass(world, ada, "6 months 1 hour");
    await world.refused(ada, "FF675", checkIn, [1000]);
    expect((await recordOf(world, ada)).baseline).toMatchObject({ month: 7 });
  });

  test("is limited with the baseline", async ({ world }) => {
    const ada = await starter(world);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'guarantee'",
    );
    await world.run(ada, checkIn, [1000]);
    await world.refused(ada, "FF300", checkIn, [1000]);
    await world.refused(ada, "FF300", baselineSql, [1000, "Salary"]);
  });
});

describe("the lines", () => {
  test("are met by what happened within the six months", async ({ world }) => {
    const [ada, ben] = [await starter(world), await starter(world)];
    for (const member of [ada, ben]) {
      for (const month of [0, 1, 2, 3, 4, 5]) {
        // Ben forgets two of his check-ins.
        if (member === ben && month >= 4) continue;
        await letPass(world, member, `${month} months 1 hour`);
        await world.run(member, checkIn, [150_000]);
      }
      await letPass(world, member, "6 months 10 days");
      await work(world, member, "submission", 12, "1 month");
      await work(world, member, "message", 150, "2 months");
      await work(world, member, "article_read", 11, "3 months");
    }
    // Before the start, after the end, or of another kind.
    await work(world, ada, "article_read", 5, "7 months");
    await work(world, ada, "article_read", 5, "9 days");
    await work(world, ada, "like", 5, "1 month");
    expect((await recordOf(world, ada)).lines).toEqual([
      { line: "check_ins", needed: 6, held: 6, met: true },
      { line: "submissions", needed: 12, held: 12, met: true },
      { line: "messages", needed: 150, held: 150, met: true },
      { line: "articles", needed: 12, held: 11, met: false },
      { line: "membership", needed: 6, held: 6, met: true },
    ]);
    await work(world, ada, "article_read", 1, "1 month");
    expect((await recordOf(world, ada)).lines.every(({ met }) => met)).toBe(true);
    expect((await recordOf(world, ben)).lines).toContainEqual({
      line: "check_ins",
      needed: 6,
      held: 4,
      met: false,
    });
  });
});

describe("the membership", () => {
  const line = (held: number) => ({ line: "membership", needed: 6, held, met: held >= 6 });
  const membershipOf = async (world: World, member: string) =>
    (await recordOf(world, member)).lines.find((each) => each.line === "membership");
  /** The times in which a paid membership ran, in days from the start of the record. */
  const paidFor = async (world: World, member: string, ...times: readonly [number, number][]) => {
    await world.run("owner", "delete from private.membership_periods where user_id = $1", [member]);
    for (const time of times) {
      await world.run(
        "owner",
        `insert into private.membership_periods (user_id, started_at, ended_at)
         select $1, b.started_at + $2 * interval '1 day', b.started_at + $3 * interval '1 day'
         from private.guarantee_baselines b where b.user_id = $1`,
        [member, ...time],
      );
    }
  };

  test("has to last the six months, with gaps of a card that failed", async ({ world }) => {
    const [left, late, gaps, back] = [
      await starter(world),
      await starter(world),
      await starter(world),
      await starter(world),
    ];
    for (const each of [left, late, gaps, back]) await letPass(world, each, "6 months 1 day");
    await paidFor(world, left, [0, 31]);
    // A day of each month, as somebody who pays for one now and then.
    await paidFor(world, late, [0, 31], [50, 55], [80, 85], [180, 190]);
    await paidFor(world, gaps, [0, 40], [49, 100], [105, 190]);
    await paidFor(world, back, [0, 31], [150, 190]);
    expect(await membershipOf(world, left)).toEqual(line(1));
    expect(await membershipOf(world, late)).toEqual(line(1));
    expect(await membershipOf(world, gaps)).toEqual(line(6));
    expect(await membershipOf(world, back)).toEqual(line(2));
  });

  test("counts a month once twenty of its days have passed", async ({ world }) => {
    const ada = await starter(world);
    for (const [time, held] of [
      ["19 days 23 hours", 0],
      ["20 days 1 hour", 1],
      ["1 month 1 day", 1],
    ] as const) {
      await letPass(world, ada, time);
      expect(await membershipOf(world, ada)).toEqual(line(held));
    }
  });

  test("may be complimentary, with or without an end", async ({ world }) => {
    const [open, ended] = [await starter(world), await starter(world)];
    for (const [member, end] of [
      [open, null],
      [ended, 70],
    ] as const) {
      await letPass(world, member, "6 months 1 day");
      await paidFor(world, member, [0, 31]);
      await world.run(
        "owner",
        `insert into public.complimentary_memberships (user_id, plan_id, reason, granted_at, ends_at)
         select $1, 'student-access', 'Ill', b.started_at + interval '31 days', b.started_at + $2 * interval '1 day'
         from private.guarantee_baselines b where b.user_id = $1`,
        [member, end],
      );
    }
    expect(await membershipOf(world, open)).toEqual(line(6));
    expect(await membershipOf(world, ended)).toEqual(line(2));
  });

  test("declines the claim of a member who left, and isn't asked for by terms from before", async ({
    world,
  }) => {
    const [ada, old] = [await finisher(world), await finisher(world)];
    for (const each of [ada, old]) await paidFor(world, each, [0, 31]);
    await world.run(
      "owner",
      `update private.guarantee_baselines set terms = terms - '{membership_months,membership_days}'::text[]
       where user_id = $1`,
      [old],
    );
    const file = "select public.file_guarantee_claim(150000, 'My payslip') as claim";
    expect((await world.one(ada, file))["claim"]).toMatchObject({ state: "declined" });
    expect(await membershipOf(world, ada)).toEqual(line(1));
    expect(await membershipOf(world, old)).toBeUndefined();
    expect((await world.one(old, file))["claim"]).toMatchObject({ state: "filed" });
  });
});

describe("nobody else", () => {
  test("reads or writes a record", async ({ world }) => {
    const ada = await starter(world);
    await world.run(ada, checkIn, [150_000]);
    const [ben, mentor, admin] = [await joiner(world), await joiner(world), await world.admin()];
    for (const other of [ben, mentor, admin]) {
      expect(JSON.stringify(await recordOf(world, other))).not.toContain("150000");
    }
    for (const actor of [ada, ben, admin, "anon", "service_role"]) {
      for (const table of ["guarantee_terms", "guarantee_baselines", "guarantee_check_ins"]) {
        await world.refused(actor, "42501", `select * from private.${table}`);
        await world.refused(actor, "42501", `delete from private.${table}`);
      }
      await world.refused(actor, "42501", "select * from private.guarantee_lines($1, now())", [
        ada,
      ]);
      await world.refused(actor, "42501", "select private.export_part_guarantee($1)", [ada]);
    }
    await world.refused("anon", "42501", mine);
    await world.refused("anon", "42501", baselineSql, [1, "x"]);
    await world.refused("anon", "42501", checkIn, [1]);
  });

  test("keeps it once the account is deleted", async ({ world }) => {
    const ada = await starter(world);
    await world.run(ada, checkIn, [150_000]);
    await world.run("owner", "delete from auth.users where id = $1", [ada]);
    for (const table of ["guarantee_baselines", "guarantee_check_ins"]) {
      const sql = `select from private.${table} where user_id = $1`;
      expect(await world.run("owner", sql, [ada])).toEqual([]);
    }
  });
});
