import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { recordPayment } from "./payment-world.ts";
import { payCourse, sellingMentor } from "./selling-world.ts";
import { test, type Row, type World } from "./world.ts";

const day = 86_400;
const start = 1_800_000_000;
const end = start + 30 * day;
const effect = "select ends, ends_at, title from public.admin_refund_effect($1)";

/** Applies a reading of the member's subscription. @returns why it is held, if it is */
async function readSubscription(world: World, member: string, snapshot: Row = {}) {
  const apply = "select public.billing_apply_subscription(public.billing_next_ticket(), $1)";
  const reading = {
    subscription_id: `sub_${member}`,
    customer_id: `cus_${member}`,
    status: "active",
    price_id: "price_mentor_access",
    current_period_start: start,
    current_period_end: end,
    cancel_at_period_end: false,
    created: start,
    ...snapshot,
  };
  await world.run("service_role", apply, [JSON.stringify(reading)]);
  return await world.one(
    "owner",
    "select status, hold, price_id from public.stripe_subscriptions where subscription_id = $1",
    [`sub_${member}`],
  );
}

describe("what a refund ends", () => {
  test.for([
    ["the current period's payment", { period_start: start, period_end: end }, [], true],
    ["an earlier period's", { period_start: start - 30 * day, period_end: start }, [], false],
    ["one for no period", { period_start: null, period_end: null }, [], false],
    [
      "one of a period that another payment covers now",
      { period_start: start - day, period_end: end - day },
      [{ period_start: start, period_end: end }],
      false,
    ],
  ] as [string, Row, Row[], boolean][])(
    "%s: said as it comes",
    async ([, charge, others, ends], { world }) => {
      const [admin, ada] = [await world.admin(), await world.newcomer()];
      const { id } = await recordPayment(world, ada, charge);
      for (const other of others) await recordPayment(world, ada, other);
      await readSubscription(world, ada);
      expect(await world.run(admin, effect, [id])).toEqual(
        ends ? [{ ends: "membership", ends_at: new Date(end * 1000), title: null }] : [],
      );
      await recordPayment(world, ada, { ...charge, charge_id: id, records: [], is_refunded: true });
      expect(await readSubscription(world, ada)).toMatchObject({ hold: ends ? "refunded" : null });
      expect(await world.run(admin, effect, [id])).toEqual([]);
    },
  );

  test("the plan, when the difference of an upgrade comes back before the next payment", async ({
    world,
  }) => {
    const [admin, ada] = [await world.admin(), await world.newcomer()];
    const upgrade = {
      invoice_id: "in_upgrade",
      upgraded_from: "price_student_access",
      upgraded_to: "price_mentor_access",
    };
    const { id } = await recordPayment(world, ada, upgrade);
    await readSubscription(world, ada, { latest_invoice: "in_upgrade" });
    const student = { ends: "plan", ends_at: null, title: "Student Access" };
    expect(await world.run(admin, effect, [id])).toEqual([student]);
    await recordPayment(world, ada, { at: "2020-06-05T12:00:00Z" });
    expect(await world.run(admin, effect, [id])).toEqual([]);
  });

  test("a course, once", async ({ world }) => {
    const [admin, buyer] = [await world.admin(), await world.newcomer()];
    const { course } = await sellingMentor(world);
    const { id, again } = await payCourse(world, buyer, course);
    expect(await world.run(admin, effect, [id])).toMatchObject([{ ends: "course", ends_at: null }]);
    await again({ is_refunded: true, amount_refunded: 4000 });
    expect(await world.run(admin, effect, [id])).toEqual([]);
  });

  test("a gift's code, and the membership that it gave", async ({ world }) => {
    const [admin, giver, reader] = [
      await world.admin(),
      await world.newcomer(),
      await world.newcomer(),
    ];
    const intent = `pi_${randomUUID()}`;
    await world.run(
      "owner",
      `insert into private.gift_memberships (request_id, buyer_id, plan_id, months, amount_pence, code, payment_intent_id)
         values (gen_random_uuid(), $1, 'student-access', 3, 15000, $2, $2)`,
      [giver, intent],
    );
    const { id } = await recordPayment(world, giver, {
      subscription_id: null,
      payment_intent_id: intent,
    });
    await world.run(
      "owner",
      "update private.gift_memberships set paid_at = now() where payment_intent_id = $1",
      [intent],
    );
    const gift = { ends: "gift", title: "Gift: Student Access, 3 months" };
    expect(await world.run(admin, effect, [id])).toEqual([{ ...gift, ends_at: null }]);
    const ends = new Date("2099-01-01T00:00:00Z");
    await world.run(
      "owner",
      `with given as (
         insert into public.complimentary_memberships (user_id, plan_id, ends_at, reason) values ($2, 'student-access', $3, 'Gift') returning id
       )
       update private.gift_memberships g set redeemed_by = $2, redeemed_at = now(), membership_id = given.id
       from given where g.payment_intent_id = $1`,
      [intent, reader, ends],
    );
    expect(await world.run(admin, effect, [id])).toEqual([{ ...gift, ends_at: ends }]);
    await world.run(
      "owner",
      "update public.complimentary_memberships set ended_at = now() where user_id = $1",
      [reader],
    );
    expect(await world.run(admin, effect, [id])).toEqual([]);
  });

  test("is for administrators who have shown their second factor", async ({ world }) => {
    const member = await world.member();
    const { id } = await recordPayment(world, member);
    await world.refused(member, "FF002", effect, [id]);
    await world.refused("anon", "42501", effect, [id]);
    expect(await world.run(await world.admin(), effect, ["ch_none"])).toEqual([]);
  });
});
