import { describe, expect } from "vitest";
import { balanceOf, bring, codeOf, expectZeroSum, payInvoice, release } from "./affiliate-world.ts";
import { beginCoursePurchase, payCourse, recordIntent, sellingMentor } from "./selling-world.ts";
import { test } from "./world.ts";

const begin = "select public.billing_begin_course_purchase($1, $2, 4000) ->> 'state' as state";
const read = "select public.bought_course($1) as course";
const complete = "select public.complete_bought_lesson($1)";

describe("a purchase", () => {
  test("is not made at a price that the buyer did not see", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const buyer = await world.newcomer();
    await world.run("owner", "update public.courses set price = 50 where id = $1", [course.id]);
    const at = "select public.billing_begin_course_purchase($1, $2, $3) ->> 'state' as state";
    for (const seen of [4000, 5001, null]) {
      const answer = await world.one("service_role", at, [buyer, course.slug, seen]);
      expect(answer).toEqual({ state: "price_changed" });
    }
    const attempts = "select from private.course_purchases where user_id = $1";
    expect(await world.run("owner", attempts, [buyer])).toEqual([]);
    const answer = await world.one("service_role", at, [buyer, course.slug, 5000]);
    expect(answer).toEqual({ state: "begun" });
  });

  test("is one at a time, at the price of the moment, and of no use to members", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const stateFor = async (who: string) =>
      (await world.one("service_role", begin, [who, course.slug]))["state"];
    expect(await stateFor(mentor)).toBe("own_course");
    expect(await stateFor(await world.member())).toBe("included");
    expect(await stateFor(await world.admin())).toBe("included");
    const buyer = await world.newcomer();
    const first = await beginCoursePurchase(world, buyer, course);
    expect(await stateFor(buyer)).toBe("busy");
    const expire = "update private.course_purchases set lease_until = now() where id = $1";
    await world.run("owner", expire, [first]);
    const second = await beginCoursePurchase(world, buyer, course);
    // The slow one pays nothing any more.
    const record = "select public.billing_record_course_payment($1, 'pi_1') as counts";
    expect(await world.one("service_role", record, [first])).toEqual({ counts: false });
    await recordIntent(world, second, `pi_${second}`);
    expect(await stateFor(buyer)).toBe("begun");
    await world.run(
      "owner",
      `insert into private.course_purchases (user_id, course_id, course_title, amount_pence, seller_id, share_basis_points, referral_basis_points, state)
       select user_id, course_id, course_title, 1, seller_id, 0, 0, 'failed' from private.course_purchases, generate_series(1, 20) where id = $1`,
      [second],
    );
    await world.run("owner", "update private.course_purchases set lease_until = now()");
    expect(await stateFor(buyer)).toBe("too_many");
  });

  test("is not paid by who has become a member meanwhile, or is paying for it now", async ({
    world,
  }) => {
    const { course } = await sellingMentor(world);
    const record = "select public.billing_record_course_payment($1, $2) as counts";
    const recordFor = async (buyer: string, begun: string) =>
      (await world.one("service_role", record, [begun, `pi_${buyer}`]))["counts"];
    const [joining, waiting, other] = [
      await world.newcomer(),
      await world.newcomer(),
      await world.newcomer(),
    ];
    const attempts = [];
    for (const buyer of [joining, waiting, other]) {
      attempts.push(await beginCoursePurchase(world, buyer, course));
    }
    const [first = "", second = "", third = ""] = attempts;
    const plan = "select public.billing_begin_purchase($1, 'price_student_access')";
    await world.run("service_role", plan, [joining]);
    expect(await recordFor(joining, first)).toBe(false);
    await world.run(
      "owner",
      "update private.billing_attempts set lease_until = now() where user_id = $1",
      [joining],
    );
    expect(await recordFor(joining, first)).toBe(true);
    await world.subscribe(waiting);
    expect(await recordFor(waiting, second)).toBe(false);
    expect(await recordFor(other, third)).toBe(true);
  });

  test("opens the course for life and nothing else", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const other = await sellingMentor(world);
    const buyer = await world.newcomer();
    await world.refused(buyer, "FF856", read, [course.id]);
    await world.refused(buyer, "FF856", complete, [course.modules[0]]);
    await payCourse(world, buyer, course);
    const answer = await world.one(buyer, read, [course.id]);
    expect(answer["course"]).toMatchObject({
      enrollments: [{ progress_percentage: 0, completed_at: null }],
      modules: [{}, {}, { content: "Text of “Send It”." }],
    });
    for (const module of course.modules) await world.run(buyer, complete, [module]);
    await world.run(buyer, complete, [course.modules[0]]);
    const after = await world.one(buyer, read, [course.id]);
    expect(after["course"]).toMatchObject({ enrollments: [{ progress_percentage: 100 }] });
    // Nothing of it counts as membership.
    const level = await world.one(buyer, "select public.effective_level() as level");
    expect(level).toEqual({ level: 0 });
    const ledger = "select * from private.progress_ledger where user_id = $1";
    expect(await world.run("owner", ledger, [buyer])).toEqual([]);
    for (const table of ["courses", "course_modules", "articles", "subcategories"]) {
      expect(await world.run(buyer, `select id from public.${table}`), table).toEqual([]);
    }
    await world.refused(
      buyer,
      "FF404",
      "insert into public.course_enrollments (user_id, course_id) values ($1, $2)",
      [buyer, course.id],
    );
    await world.refused(
      buyer,
      "FF405",
      "insert into public.module_completions (user_id, module_id) values ($1, $2)",
      [buyer, course.modules[0]],
    );
    await world.refused(buyer, "FF856", read, [other.course.id]);
    await world.refused(buyer, "FF856", complete, [other.course.modules[0]]);
    await world.refused(await world.newcomer(), "FF856", read, [course.id]);
    await world.refused("anon", "42501", read, [course.id]);
    // For life: without the offer, the publication and the mentor.
    await world.run("owner", "update public.courses set is_published = false where id = $1", [
      course.id,
    ]);
    await world.run("owner", "delete from private.course_offers where course_id = $1", [course.id]);
    await world.run("owner", "delete from auth.users where id = $1", [mentor]);
    expect((await world.one(buyer, read, [course.id]))["course"]).toMatchObject({ mentor: null });
    const mine = await world.one(buyer, "select public.my_courses() as mine");
    expect(mine["mine"]).toMatchObject([{ state: "paid", completed: 3, lessons: 3 }]);
  });

  test("ends with a refund in full or a dispute, for the buyer and the mentor", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const buyer = await world.newcomer();
    const { again } = await payCourse(world, buyer, course);
    expect(await balanceOf(world, mentor)).toEqual([2800, 0, 0]);
    await again({ amount_refunded: 1000 });
    expect(await balanceOf(world, mentor)).toEqual([2100, 0, 0]);
    await world.run(buyer, read, [course.id]);
    await release(world, mentor);
    expect(await balanceOf(world, mentor)).toEqual([0, 2100, 0]);
    await again({ amount_refunded: 1000, dispute: "open" });
    await world.refused(buyer, "FF856", read, [course.id]);
    expect(await balanceOf(world, mentor)).toEqual([0, 0, 0]);
    await again({ amount_refunded: 1000, dispute: "won" });
    await world.run(buyer, read, [course.id]);
    await again({ amount_refunded: 4000, is_refunded: true });
    await world.refused(buyer, "FF856", read, [course.id]);
    await world.refused(buyer, "FF856", complete, [course.modules[0]]);
    expect(await balanceOf(world, mentor)).toEqual([0, 0, 0]);
    await expectZeroSum(world);
  });

  test("that is refunded or disputed earns nothing, although the buyer's account is gone", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const [affiliate, admin] = [await world.member(), await world.admin()];
    const buyer = await bring(world, affiliate);
    const { id } = await payCourse(world, buyer, course);
    const earned = async () => [await balanceOf(world, mentor), await balanceOf(world, affiliate)];
    const now = Math.floor(Date.now() / 1000);
    const dispute = { kind: "dispute", id: `du_${id}`, status: "needs_response", amount: 4000 };
    const reading = async (changes: Record<string, unknown>) => {
      const snapshot = {
        charge_id: id,
        customer_id: `cus_${buyer}`,
        currency: "gbp",
        amount: 4000,
        amount_refunded: 0,
        is_refunded: false,
        records: [],
        ...changes,
      };
      const sql = "select public.billing_apply_charge(public.billing_next_ticket(), $1) as outcome";
      const { outcome } = await world.one("service_role", sql, [JSON.stringify(snapshot)]);
      expect(outcome).toBe("unknown_customer");
    };
    await world.run("owner", "delete from auth.users where id = $1", [buyer]);
    const kept = [
      [2800, 0, 0],
      [400, 0, 0],
    ];
    expect(await earned()).toEqual(kept);
    await reading({ charge_id: "ch_of_another_shop", is_refunded: true, records: [dispute] });
    await reading({ customer_id: "cus_another", is_refunded: true, records: [dispute] });
    await reading({});
    expect(await earned()).toEqual(kept);
    const part = [
      [2100, 0, 0],
      [300, 0, 0],
    ];
    await reading({ amount_refunded: 1000 });
    expect(await earned()).toEqual(part);
    // An older reading that comes late gives nothing back.
    await reading({});
    expect(await earned()).toEqual(part);
    await release(world, mentor);
    for (const _ of [1, 2]) {
      await reading({
        amount_refunded: 1000,
        dispute: "open",
        records: [{ ...dispute, reason: null, created: now }],
      });
    }
    expect(await earned()).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const records = "select charge_id from private.payment_records where provider_id = $1";
    expect(await world.run("owner", records, [dispute.id])).toEqual([{ charge_id: id }]);
    const told = `select template from private.email_outbox where user_id = $1 and data ->> 'dispute' = $2`;
    expect(await world.run("owner", told, [admin, dispute.id])).toEqual([
      { template: "dispute_opened" },
    ]);
    await expectZeroSum(world);
  });

  test("is carried into the membership when the buyer joins and enrols", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const buyer = await world.newcomer();
    await payCourse(world, buyer, course);
    await world.run(buyer, complete, [course.modules[0]]);
    await world.run(
      "owner",
      "insert into public.course_enrollments (user_id, course_id) values ($1, $2)",
      [buyer, course.id],
    );
    const row = "select progress_percentage from public.course_enrollments where user_id = $1";
    expect(await world.run("owner", row, [buyer])).toEqual([{ progress_percentage: 33 }]);
  });
});

describe("what a sale earns", () => {
  test("is the mentor's share, and a tenth for the member whose link brought the buyer", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const affiliate = await world.member();
    const buyer = await bring(world, affiliate);
    const { again } = await payCourse(world, buyer, course);
    expect(await balanceOf(world, mentor)).toEqual([2800, 0, 0]);
    expect(await balanceOf(world, affiliate)).toEqual([400, 0, 0]);
    const lines = "select kind, course_title, amount_pence from public.my_commissions()";
    const line = { course_title: "Letters That Get Answers" };
    expect(await world.run(affiliate, lines)).toEqual([
      { kind: "course_referral", ...line, amount_pence: "400" },
    ]);
    expect(await world.run(mentor, lines)).toEqual([
      { kind: "course_sale", ...line, amount_pence: "2800" },
    ]);
    const { mine } = await world.one(mentor, "select public.my_course_offers() as mine");
    expect(mine).toMatchObject({ courses: [{ sales: 1, taken_back: 0, earned_pence: 2800 }] });
    expect(JSON.stringify(mine)).not.toContain(buyer);
    await again({ amount_refunded: 4000, is_refunded: true });
    expect(await balanceOf(world, mentor)).toEqual([0, 0, 0]);
    expect(await balanceOf(world, affiliate)).toEqual([0, 0, 0]);
    await expectZeroSum(world);
  });

  test("keeps the rates of its day, and adds nothing for one's own link or a shared card", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    await codeOf(world, mentor);
    await payCourse(world, await bring(world, mentor), course);
    expect(await balanceOf(world, mentor)).toEqual([2800, 0, 0]);
    const affiliate = await world.member();
    const [one, two] = [await bring(world, affiliate), await bring(world, affiliate)];
    await payInvoice(world, affiliate, { card_fingerprint: `of ${affiliate}` });
    await payCourse(world, one, course, { card_fingerprint: `of ${affiliate}` });
    expect(await balanceOf(world, affiliate)).toEqual([0, 0, 0]);
    expect(await balanceOf(world, mentor)).toEqual([5600, 0, 0]);
    const purchase = await beginCoursePurchase(world, two, course);
    await world.run("owner", "update private.selling_terms set share_basis_points = 1000");
    await recordIntent(world, purchase, "pi_of_today");
    await payCourse(world, await world.newcomer(), course);
    expect(await balanceOf(world, mentor)).toEqual([6000, 0, 0]);
  });

  test("is no part of what the guarantee refunds", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const buyer = await world.newcomer();
    await payCourse(world, buyer, course);
    const { id } = await payInvoice(world, buyer);
    const claim = await world.one(
      "owner",
      `insert into private.guarantee_claims (user_id, monthly_pence, statement, lines, state, decided_at)
       values ($1, 0, 'Payslip', '[]', 'granted', now()) returning id`,
      [buyer],
    );
    const refunds = `select r.payment_id from private.guarantee_claims c, private.guarantee_refunds(c) r where c.id = $1`;
    expect(await world.run("owner", refunds, [claim["id"]])).toEqual([{ payment_id: id }]);
  });
});
