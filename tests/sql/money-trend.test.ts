import { describe, expect } from "vitest";
import { recordPayment } from "./payment-world.ts";
import { test, type World } from "./world.ts";

interface Trend {
  monthly_revenue_pence: number;
  months: { month: string; net_pence: number; members: number; lost: number }[];
  reasons: { reason: string; members: number }[];
}

const trendOf = async (world: World, admin: string) =>
  (await world.one(admin, "select public.admin_money_trend() as trend"))["trend"] as Trend;

/** A moment so many months and days before now, in seconds. */
async function secondsBefore(world: World, ago: string): Promise<number> {
  const sql = "select extract(epoch from now() - $1::interval)::integer as at";
  return Number((await world.one("owner", sql, [ago]))["at"]);
}

async function memberFor(world: World, began: string, ended: string | null): Promise<string> {
  const member = await world.member();
  await world.run("owner", "set constraints all immediate");
  await world.run("owner", "set constraints all deferred");
  const sql = `update private.membership_periods set started_at = now() - $2::interval,
    ended_at = now() - $3::interval where user_id = $1`;
  await world.run("owner", sql, [member, began, ended]);
  return member;
}

const cancel = "select public.billing_record_cancellation($1, $2, $3, $4)";

describe("twelve months of money and members", () => {
  test("have what was left in pounds in the month in which it happened", async ({
    owner,
    world,
  }) => {
    await owner.query("set transaction isolation level repeatable read");
    const admin = await world.admin();
    const before = await trendOf(world, admin);
    const member = await world.member();
    const [now, then, old] = [
      await secondsBefore(world, "0"),
      await secondsBefore(world, "3 months"),
      await secondsBefore(world, "14 months"),
    ];
    await recordPayment(world, member, {
      charge_id: `ch_${member}_1`,
      amount: 5000,
      amount_refunded: 2000,
      records: [
        { kind: "payment", id: `ch_${member}_1`, status: "succeeded", amount: 5000, created: then },
        { kind: "refund", id: `re_${member}_1`, status: "succeeded", amount: 2000, created: now },
      ],
    });
    for (const [place, currency, created] of [
      [2, "eur", now],
      [3, "gbp", old],
    ] as const) {
      const id = `ch_${member}_${place}`;
      await recordPayment(world, member, {
        charge_id: id,
        amount: 9000,
        currency,
        records: [{ kind: "payment", id, status: "succeeded", amount: 9000, created }],
      });
    }
    const after = await trendOf(world, admin);
    expect(after.months).toHaveLength(12);
    const more = after.months.map(
      ({ net_pence: net }, place) => net - (before.months[place]?.net_pence ?? 0),
    );
    expect(more).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 5000, 0, 0, -2000]);
    // Students pay £50 a month: the one who was made here.
    expect(after.monthly_revenue_pence - before.monthly_revenue_pence).toBe(5000);
  });

  test("have who was a member when they began, who was lost, and why", async ({ owner, world }) => {
    await owner.query("set transaction isolation level repeatable read");
    const admin = await world.admin();
    const before = await trendOf(world, admin);
    const reasons = ({ reasons: list }: Trend) =>
      Object.fromEntries(list.map(({ reason, members }) => [reason, members]));
    await memberFor(world, "5 months", null);
    const lost = await memberFor(world, "5 months", "2 months");
    // Came and went within the year, but joined again in time.
    await memberFor(world, "5 months", null);
    for (const reason of ["unused", "too_expensive"]) {
      await world.run("service_role", cancel, [lost, "sub_1", reason, null]);
    }
    await world.run("service_role", cancel, [lost, "sub_2", null, "Moving away."]);
    const after = await trendOf(world, admin);
    const more = (name: "members" | "lost") =>
      after.months.map((month, place) => month[name] - (before.months[place]?.[name] ?? 0));
    expect(more("members")).toEqual([0, 0, 0, 0, 0, 0, 0, 3, 3, 3, 2, 2]);
    expect(more("lost")).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0]);
    // Who said it twice of one membership said it last.
    const [was, is] = [reasons(before), reasons(after)];
    const grown = (name: string) => (is[name] ?? 0) - (was[name] ?? 0);
    expect(["unused", "too_expensive", "other"].map(grown)).toEqual([0, 1, 1]);
  });

  test("are looked at without an entry in the audit log", async ({ world }) => {
    const admin = await world.admin();
    const entries = "select count(*)::integer as n from private.audit_log where actor = $1";
    const { n } = await world.one("owner", entries, [admin]);
    await trendOf(world, admin);
    expect((await world.one("owner", entries, [admin]))["n"]).toBe(n);
  });
});
