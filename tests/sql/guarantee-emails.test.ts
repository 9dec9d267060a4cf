import { describe, expect } from "vitest";
import {
  baselineSql,
  checkIn,
  finisher,
  joiner,
  letJoinedPass,
  letPass,
  starter,
} from "./guarantee-world.ts";
import { bellKinds } from "./pact-world.ts";
import { test, type Row, type World } from "./world.ts";

const file = "select public.file_guarantee_claim($1, 'My payslip of March') as claim";

/** The e-mails of the guarantee that wait for a member, oldest first. */
async function emailsOf(world: World, member: string): Promise<Row[]> {
  return await world.run(
    "owner",
    `select template, data from private.email_outbox
     where user_id = $1 and template like 'guarantee%' order by created_at`,
    [member],
  );
}

/** Makes the claim of a member who earns as before; its id. */
async function claim(world: World, member: string): Promise<string> {
  return ((await world.one(member, file, [150_000]))["claim"] as { id: string }).id;
}

const remind = async (world: World) =>
  await world.run("service_role", "select public.queue_guarantee_reminders()");

describe("a claim", () => {
  test("that the rules decline is told with the way to appeal, and one that waits is not", async ({
    world,
  }) => {
    const [ada, ben] = [await finisher(world), await finisher(world, 5)];
    for (const each of [ada, ben]) await claim(world, each);
    expect(await emailsOf(world, ada)).toEqual([]);
    expect(await emailsOf(world, ben)).toEqual([
      { template: "guarantee_declined", data: { appeal_until: expect.any(String) } },
    ]);
  });

  test("is told each decision with its reason, and the last one as final", async ({ world }) => {
    const [ada, ben] = [await finisher(world), await finisher(world)];
    const [first, second] = [await world.freshAdmin(), await world.freshAdmin()];
    const decide = async (admin: string, claim: string, isGranted: boolean, reason: string) =>
      await world.run(admin, "select public.decide_guarantee_claim($1, $2, $3)", [
        claim,
        isGranted,
        reason,
      ]);
    const [adas, bens] = [await claim(world, ada), await claim(world, ben)];
    await decide(first, adas, true, "Payslip seen");
    await decide(first, bens, false, "No payslip");
    await world.run(ben, "select public.appeal_guarantee_claim('It was attached')");
    await decide(second, bens, false, "Not readable");
    expect(await emailsOf(world, ada)).toEqual([
      { template: "guarantee_granted", data: { reason: "Payslip seen" } },
    ]);
    expect(await emailsOf(world, ben)).toEqual([
      {
        template: "guarantee_declined",
        data: { reason: "No payslip", appeal_until: expect.any(String) },
      },
      { template: "guarantee_declined", data: { reason: "Not readable" } },
    ]);
  });
});

describe("a reminder", () => {
  test("comes once in the last week of a month without a check-in", async ({ world }) => {
    const [ada, ben, carl] = [await starter(world), await starter(world), await starter(world)];
    await letPass(world, ada, "1 month 1 day");
    await remind(world);
    expect(await emailsOf(world, ada)).toEqual([]);
    for (const each of [ada, ben, carl]) await letPass(world, each, "1 month 27 days");
    await world.run(ben, checkIn, [150_000]);
    await world.setSubscriptionStatus(carl, "canceled");
    for (const _ of [1, 2]) await remind(world);
    expect(await emailsOf(world, ada)).toEqual([
      { template: "guarantee_check_in", data: { until: expect.any(String) } },
    ]);
    for (const each of [ben, carl]) expect(await emailsOf(world, each)).toEqual([]);
  });

  test("stands in the bell until the check-in is made, its month is over or the membership ends", async ({
    world,
  }) => {
    const [ada, ben] = [await starter(world), await starter(world)];
    await letPass(world, ada, "10 days");
    await remind(world);
    expect(await bellKinds(world, ada)).toEqual([]);
    for (const each of [ada, ben]) await letPass(world, each, "1 month 27 days");
    for (const _ of [1, 2]) await remind(world);
    for (const each of [ada, ben]) expect(await bellKinds(world, each)).toEqual(["check_in_due"]);
    await world.run(ada, checkIn, [150_000]);
    expect(await bellKinds(world, ada)).toEqual([]);
    await world.setSubscriptionStatus(ben, "canceled");
    expect(await bellKinds(world, ben)).toEqual(["membership_ended"]);
    await world.setSubscriptionStatus(ben, "active");
    expect(await bellKinds(world, ben)).toEqual(["check_in_due"]);
    await letPass(world, ben, "2 months 1 day");
    expect(await bellKinds(world, ben)).toEqual([]);
    // The next month asks again.
    for (const each of [ada, ben]) await letPass(world, each, "2 months 27 days");
    await remind(world);
    for (const each of [ada, ben]) expect(await bellKinds(world, each)).toEqual(["check_in_due"]);
    // After the six months nobody is asked.
    await letPass(world, ada, "6 months 1 day");
    expect(await bellKinds(world, ada)).toEqual([]);
  });

  test("comes once when a claim can be made, and only then", async ({ world }) => {
    const [ada, ben, carl, dora] = [
      await finisher(world),
      await finisher(world, 5),
      await finisher(world),
      await finisher(world),
    ];
    await claim(world, carl);
    await letPass(world, dora, "7 months 5 days");
    for (const _ of [1, 2]) await remind(world);
    expect(await emailsOf(world, ada)).toEqual([
      { template: "guarantee_claim_open", data: { until: expect.any(String) } },
    ]);
    for (const each of [ben, carl, dora]) expect(await emailsOf(world, each)).toEqual([]);
  });
});

describe("a member who hasn't written down where they start", () => {
  const asks = { template: "guarantee_baseline", data: { until: expect.any(String) } };
  const seen = async (world: World, member: string) => ({
    emails: (await emailsOf(world, member)).length,
    bell: await bellKinds(world, member),
  });

  test("is asked on days 1, 4 and 6, once each, and no more when the week is over", async ({
    world,
  }) => {
    const ada = await joiner(world);
    for (const [time, emails, bell] of [
      ["23 hours", 0, []],
      ["1 day 1 hour", 1, ["baseline_due"]],
      ["3 days 23 hours", 1, ["baseline_due"]],
      ["4 days 1 hour", 2, ["baseline_due"]],
      ["6 days 1 hour", 3, ["baseline_due"]],
      ["8 days", 3, []],
    ] as const) {
      await letJoinedPass(world, ada, time);
      for (const _ of [1, 2]) await remind(world);
      expect({ time, ...(await seen(world, ada)) }).toEqual({ time, emails, bell });
    }
    expect(await emailsOf(world, ada)).toEqual([asks, asks, asks]);
  });

  test("is asked once after days on which nothing ran, with the day until when it is possible", async ({
    world,
  }) => {
    const ada = await joiner(world);
    await letJoinedPass(world, ada, "5 days");
    await remind(world);
    const emails = await emailsOf(world, ada);
    expect(emails).toEqual([asks]);
    const { bell } = await world.one(ada, "select public.my_notifications() as bell");
    const [line] = (bell as { items: Row[] }).items.filter(({ kind }) => kind === "baseline_due");
    const [{ until: last }] = emails.map(({ data }) => data) as [{ until: string }];
    const until = new Date(last);
    expect(new Date(String(line?.["deadline"]))).toEqual(until);
    const { today } = await world.one(ada, "select public.my_today() as today");
    expect(new Date((today as { baseline_until: string }).baseline_until)).toEqual(until);
  });

  test("is left alone once it is on record, without a live or a paid membership, and years later", async ({
    world,
  }) => {
    const [recorded, lapsed, old] = [await joiner(world), await joiner(world), await joiner(world)];
    const given = await world.newcomer();
    await world.run(
      await world.admin(),
      "select public.admin_grant_complimentary($1, 'student-access', null, 'Guest')",
      [`${given}@example.test`],
    );
    await world.run(recorded, baselineSql, [150_000, "Salary"]);
    for (const each of [recorded, lapsed]) await letJoinedPass(world, each, "2 days");
    await letJoinedPass(world, old, "2 years");
    await world.setSubscriptionStatus(lapsed, "canceled");
    await remind(world);
    for (const each of [recorded, lapsed, old, given]) {
      const bell = each === lapsed ? ["membership_ended"] : [];
      expect(await seen(world, each)).toEqual({ emails: 0, bell });
      const { today } = await world.one(each, "select public.my_today() as today");
      expect(today).toMatchObject({ baseline_until: null });
    }
  });

  test("no longer reads it in the bell and on Today once it is on record", async ({ world }) => {
    const ada = await joiner(world);
    await letJoinedPass(world, ada, "1 day 1 hour");
    await remind(world);
    expect((await seen(world, ada)).bell).toEqual(["baseline_due"]);
    await world.run(ada, baselineSql, [0, "Nothing yet"]);
    expect((await seen(world, ada)).bell).toEqual([]);
    const { today } = await world.one(ada, "select public.my_today() as today");
    expect(today).toMatchObject({ baseline_until: null });
  });
});
