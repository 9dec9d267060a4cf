import { describe, expect } from "vitest";
import { failRenewal, readInvoice, readMembership } from "./owed-world.ts";
import { test, type Row, type World } from "./world.ts";

const setGrace = "select public.set_payment_grace($1)";
const live = "select private.has_live_membership($1) as live, private.plan_role($1) as role";
const mine = "select subscription_id, ends_at > now() as runs from public.grace_periods";
const price_id = "price_mentor_access";

async function isLive(world: World, member: string): Promise<unknown> {
  return (await world.one("owner", live, [member]))["live"];
}

/** The rest of a grace goes by. */
async function endGrace(world: World, member: string): Promise<void> {
  const sql = "update public.grace_periods set ends_at = now() where subscription_id = $1";
  expect(await world.count("owner", sql, [`sub_${member}`])).toBe(1);
}

describe("a payment that failed", () => {
  test("ends access at once without a rule, and with one of 0 days", async ({ world }) => {
    const [ada, ben, admin] = [await world.newcomer(), await world.newcomer(), await world.admin()];
    await failRenewal(world, ada);
    expect(await isLive(world, ada)).toBe(false);
    await world.run(admin, setGrace, [0]);
    await failRenewal(world, ben);
    expect(await isLive(world, ben)).toBe(false);
    expect(await world.run(ben, mine)).toEqual([]);
  });

  test("leaves access and role for the days of the rule, and no longer", async ({ world }) => {
    const [ada, ben, admin] = [await world.newcomer(), await world.newcomer(), await world.admin()];
    await world.run(admin, setGrace, [7]);
    await readMembership(world, ada, { price_id });
    await readMembership(world, ada, { price_id, status: "past_due" });
    expect(await world.one("owner", live, [ada])).toEqual({ live: true, role: "mentor" });
    const length = `select round(extract(epoch from ends_at - now()) / 86400) as days
      from public.grace_periods where subscription_id = $1`;
    expect(await world.one("owner", length, [`sub_${ada}`])).toEqual({ days: "7" });
    expect(await world.run(ada, mine)).toEqual([{ subscription_id: `sub_${ada}`, runs: true }]);
    expect(await world.run(ben, mine)).toEqual([]);
    // A later reading, a later period and a later rule move nothing.
    await world.run(admin, setGrace, [30]);
    await readMembership(world, ada, {
      price_id,
      status: "past_due",
      current_period_start: 1_802_592_000,
    });
    expect(await world.one("owner", length, [`sub_${ada}`])).toEqual({ days: "7" });
    await endGrace(world, ada);
    expect(await world.one("owner", live, [ada])).toEqual({ live: false, role: "student" });
    await readMembership(world, ada, { price_id, status: "past_due" });
    expect(await isLive(world, ada)).toBe(false);
  });

  test.for(["canceled", "unpaid", "paused", "incomplete_expired"])(
    "leaves none once the membership is %s",
    async (status, { world }) => {
      const [ada, admin] = [await world.newcomer(), await world.admin()];
      await world.run(admin, setGrace, [7]);
      await failRenewal(world, ada);
      expect(await isLive(world, ada)).toBe(true);
      await readMembership(world, ada, { status });
      expect(await isLive(world, ada)).toBe(false);
      expect(await world.run(ada, mine)).toEqual([]);
    },
  );

  test("that was met long after has no grace, and a first payment has none", async ({ world }) => {
    const [ada, ben, admin] = [await world.newcomer(), await world.newcomer(), await world.admin()];
    await world.run(admin, setGrace, [7]);
    const began = Math.floor(Date.now() / 1000) - 8 * 86_400;
    await readMembership(world, ada, { status: "past_due", current_period_start: began });
    expect(await isLive(world, ada)).toBe(false);
    await readMembership(world, ben, { status: "incomplete" });
    expect(await isLive(world, ben)).toBe(false);
  });

  test("is past due to staff all the while, and of another product opens nothing", async ({
    world,
  }) => {
    const [ada, ben, admin] = [await world.newcomer(), await world.newcomer(), await world.admin()];
    await world.run(admin, setGrace, [7]);
    await failRenewal(world, ada);
    const status = "select status from private.membership_statuses where user_id = $1";
    expect(await world.one("owner", status, [ada])).toEqual({ status: "past_due" });
    await readMembership(world, ben, { price_id: "price_other" });
    await readMembership(world, ben, { price_id: "price_other", status: "past_due" });
    expect(await isLive(world, ben)).toBe(false);
  });
});

test("the days are an administrator's, within bounds, and audited; members give themselves none", async ({
  world,
}) => {
  const [ada, admin] = [await world.newcomer(), await world.admin()];
  for (const days of [-1, 31, null]) await world.refused(admin, "FF276", setGrace, [days]);
  await world.refused(ada, "FF002", setGrace, [30]);
  await world.refused(await world.plainAdmin(), "FF005", setGrace, [30]);
  await world.refused("anon", "42501", setGrace, [30]);
  await failRenewal(world, ada);
  const give =
    "insert into public.grace_periods (subscription_id, ends_at) values ($1, 'infinity')";
  for (const who of ["anon", ada]) await world.refused(who, "42501", give, [`sub_${ada}`]);
  await world.refused(ada, "42501", "update public.grace_periods set ends_at = 'infinity'");
  await world.refused("anon", "42501", mine);
  await world.run(admin, setGrace, [5]);
  const log =
    "select actor, detail from private.audit_log where action = 'billing_rules.edited' and actor = $1";
  expect(await world.run("owner", log, [admin])).toEqual([
    {
      actor: admin,
      detail: { before: { payment_grace_days: 0 }, after: { payment_grace_days: 5 } },
    },
  ]);
  // The other rules stay as they are.
  expect(
    await world.one(
      "anon",
      "select * from (select withdrawal_refund, renewal_reminder_days from public.billing_rules) r",
    ),
  ).toEqual({
    withdrawal_refund: "full",
    renewal_reminder_days: 0,
  });
});

describe("the e-mails about it", () => {
  const told = async (world: World, member: string): Promise<Row[]> =>
    await world.run(
      "owner",
      "select cause_key from private.email_outbox where user_id = $1 and template = 'payment_failed' order by created_at, cause_key",
      [member],
    );

  test("come with the first, the third and the last try, once each", async ({ world }) => {
    const ada = await world.newcomer();
    await failRenewal(world, ada);
    const counts: number[] = [];
    for (const reading of [
      { attempt_count: 1 },
      { attempt_count: 2 },
      { attempt_count: 3 },
      { attempt_count: 4 },
      { attempt_count: 5, next_attempt: null },
    ]) {
      for (const _ of [1, 2]) await readInvoice(world, ada, reading);
      counts.push((await told(world, ada)).length);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
  });

  test("are one when the third try is the last, and one when there is a single try", async ({
    world,
  }) => {
    const [ada, ben] = [await world.newcomer(), await world.newcomer()];
    await failRenewal(world, ada, { attempt_count: 3 });
    await readInvoice(world, ada, { attempt_count: 3, next_attempt: null });
    expect(await told(world, ada)).toHaveLength(2);
    await failRenewal(world, ben, { attempt_count: 1, next_attempt: null });
    expect(await told(world, ben)).toHaveLength(1);
  });

  test.for([
    { reason: "subscription_create" },
    { reason: "subscription_update" },
    { status: "void" },
    { status: "paid" },
  ])("do not come for what is not owed: %o", async (reading, { world }) => {
    const ada = await world.newcomer();
    await failRenewal(world, ada, { ...reading, attempt_count: 3, next_attempt: null });
    expect(await told(world, ada)).toHaveLength(1);
  });

  test("say what is true when they are sent: amount, next try, and until when there is access", async ({
    world,
  }) => {
    const [ada, admin] = [await world.newcomer(), await world.admin()];
    await world.run("owner", "update auth.users set email_confirmed_at = now() where id = $1", [
      ada,
    ]);
    await world.run(admin, setGrace, [7]);
    await failRenewal(world, ada, { amount_due: 4000, attempt_count: 2 });
    await world.run(
      "owner",
      "delete from private.email_outbox where user_id <> $1 or template <> 'payment_failed'",
      [ada],
    );
    const { data } = await world.one("service_role", "select data from public.claim_email()");
    expect(data).toMatchObject({
      plan: "Student Access",
      card_last4: "4242",
      amount: 4000,
      currency: "gbp",
      attempts: 2,
      next_attempt_at: expect.stringMatching(/^2027-01-17T/),
      access_until: expect.any(String),
    });
  });
});
