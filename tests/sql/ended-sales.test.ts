import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { payCourse, sellingMentor } from "./selling-world.ts";
import { test, type Row, type World } from "./world.ts";

const end = "select public.end_course_sale($1, $2)";
const allow = "select public.allow_course_sale($1, $2)";
const save = "select public.save_course_offer($1, $2, $3, $4, $5)";
const begin = "select public.billing_begin_course_purchase($1, $2, 4000) ->> 'state' as state";

async function saleOf(world: World, admin: string, course: string): Promise<Row | null> {
  const row = await world.one(admin, "select public.content_sale($1) as sale", [course]);
  return row["sale"] as Row | null;
}

/** What the mentor reads about their only priced course. */
async function mentorsOffer(world: World, mentor: string): Promise<Row | undefined> {
  const { mine } = await world.one(mentor, "select public.my_course_offers() as mine");
  return (mine as { courses: Row[] }).courses[0];
}

/** The kinds of the member's notifications about sales, with what they are about. */
async function toldOfSales(world: World, member: string): Promise<Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  return (bell as { items: Row[] }).items.filter(({ kind }) => kind === "sale_ended");
}

describe("ending a sale from the console", () => {
  test("takes the course off sale, whatever its mentor does, and buyers keep it", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const [admin, buyer] = [await world.admin(), await world.newcomer()];
    await payCourse(world, buyer, course);
    await world.run(admin, end, [course.id, " Copied from a book. "]);
    const offer = "select public.course_offer($1) as offer";
    expect(await world.one("service_role", offer, [course.slug])).toEqual({ offer: null });
    expect(await world.one("service_role", begin, [await world.newcomer(), course.slug])).toEqual({
      state: "not_on_sale",
    });
    const offered = [course.id, course.slug, ["Write"], course.modules[1]];
    await world.refused(mentor, "FF857", save, [...offered, true]);
    await world.run(mentor, save, [...offered, false]);
    expect(await mentorsOffer(world, mentor)).toMatchObject({
      is_on_sale: false,
      is_open: false,
      ended_reason: "Copied from a book.",
      ended_at: expect.any(String) as string,
    });
    const read = "select public.bought_course($1) ->> 'id' as id";
    expect(await world.one(buyer, read, [course.id])).toEqual({ id: course.id });
    await world.run(buyer, "select public.complete_bought_lesson($1)", [course.modules[0]]);
  });

  test("is for administrators with a second factor, with a reason, once", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const admin = await world.admin();
    const outsiders = [
      mentor,
      await world.member("mentor-access"),
      await world.member(),
      await world.newcomer(),
    ];
    for (const sql of [end, allow]) {
      for (const outsider of outsiders) {
        await world.refused(outsider, "FF002", sql, [course.id, "Mine"]);
      }
      for (const actor of ["anon", "service_role"]) {
        await world.refused(actor, "42501", sql, [course.id, "Mine"]);
      }
      await world.refused(await world.plainAdmin(), "FF005", sql, [course.id, "Fraud"]);
      for (const reason of [null, "", " ", "x".repeat(501)]) {
        await world.refused(admin, "FF511", sql, [course.id, reason]);
      }
    }
    await world.refused(admin, "FF858", end, [randomUUID(), "Fraud"]);
    await world.refused(admin, "FF858", allow, [course.id, "Never ended"]);
    expect(await saleOf(world, admin, course.id)).toMatchObject({ is_on_sale: true });
    await world.run(admin, end, [course.id, "x".repeat(500)]);
    await world.refused(admin, "FF858", end, [course.id, "Again"]);
    for (const outsider of outsiders) {
      await world.refused(outsider, "FF002", allow, [course.id, "Mine"]);
    }
    expect(await saleOf(world, admin, course.id)).toMatchObject({ ended_reason: "x".repeat(500) });
  });

  test("also keeps a mentor from beginning again who was quicker", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const offered = [course.id, course.slug, ["Write"], course.modules[0]];
    await world.run(mentor, save, [...offered, false]);
    await world.run(await world.admin(), end, [course.id, "Fraud"]);
    await world.refused(mentor, "FF857", save, [...offered, true]);
  });

  test("stands in the audit log about its mentor, and so does allowing it again", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const admin = await world.admin();
    await world.run(admin, end, [course.id, "Copied"]);
    await world.run(admin, allow, [course.id, "It was their own book"]);
    const log = `select actor, action, detail from private.audit_log
      where subject = $1 and action like 'course.sale%' order by id`;
    const time = expect.any(String) as string;
    expect(await world.run("owner", log, [mentor])).toEqual([
      {
        actor: admin,
        action: "course.sale_ended",
        detail: {
          course: course.id,
          reason: "Copied",
          before: { is_on_sale: true, ended_at: null },
          after: { is_on_sale: false, ended_at: time },
        },
      },
      {
        actor: admin,
        action: "course.sale_allowed",
        detail: {
          course: course.id,
          reason: "It was their own book",
          before: { ended_at: time },
          after: { ended_at: null },
        },
      },
    ]);
  });

  test("is lifted by another administrator, and the mentor then begins the sale", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const [admin, author] = [await world.admin(), await world.admin()];
    await world.run(admin, end, [course.id, "Copied"]);
    const write = "update public.courses set mentor_id = $2 where id = $1";
    await world.run("owner", write, [course.id, author]);
    await world.refused(author, "FF513", allow, [course.id, "Mine"]);
    await world.run("owner", write, [course.id, mentor]);
    await world.run(admin, allow, [course.id, "A mistake"]);
    expect(await saleOf(world, admin, course.id)).toEqual({
      slug: course.slug,
      is_on_sale: false,
      is_open: false,
      ended_at: null,
      ended_reason: null,
    });
    await world.run(mentor, save, [course.id, course.slug, ["Write"], course.modules[0], true]);
    expect(await saleOf(world, admin, course.id)).toMatchObject({ is_open: true });
  });
});

describe("the sale of a course in the console", () => {
  test("is read by administrators, and is null for a course that was never offered", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    expect(await saleOf(world, await world.admin(), course.id)).toEqual({
      slug: course.slug,
      is_on_sale: true,
      is_open: true,
      ended_at: null,
      ended_reason: null,
    });
    expect(await saleOf(world, await world.admin(), randomUUID())).toBeNull();
    const sql = "select public.content_sale($1)";
    for (const actor of [mentor, await world.member()]) {
      await world.refused(actor, "FF002", sql, [course.id]);
    }
    await world.refused("anon", "42501", sql, [course.id]);
    await world.refused(await world.plainAdmin(), "FF005", sql, [course.id]);
  });
});

describe("the mentor of a course", () => {
  test("finds in the bell that an administrator ended its sale, until it is allowed again", async ({
    world,
  }) => {
    const { mentor, course } = await sellingMentor(world);
    const [admin, other] = [await world.admin(), await world.member("mentor-access")];
    const offered = [course.id, course.slug, ["Write"], course.modules[0]];
    await world.run(mentor, save, [...offered, false]);
    expect(await toldOfSales(world, mentor)).toEqual([]);
    await world.run(admin, end, [course.id, "Copied"]);
    const { title } = await world.one("owner", "select title from public.courses where id = $1", [
      course.id,
    ]);
    expect(await toldOfSales(world, mentor)).toMatchObject([
      { excerpt: title, actor: null, unread: true },
    ]);
    expect(await toldOfSales(world, other)).toEqual([]);
    await world.run(mentor, "select public.mark_notifications_read(now() + interval '1 hour')");
    await world.run(admin, allow, [course.id, "A mistake"]);
    expect(await toldOfSales(world, mentor)).toEqual([]);
    await world.run(admin, end, [course.id, "Copied after all"]);
    expect(await toldOfSales(world, mentor)).toMatchObject([{ unread: true }]);
  });
});
