import { randomUUID } from "node:crypto";
import { describe, expect } from "vitest";
import { payCourse, sellingMentor } from "./selling-world.ts";
import { test, type World } from "./world.ts";

const save = "select public.save_course_offer($1, $2, $3, $4, $5)";
const begin = "select public.billing_begin_course_purchase($1, $2, 4000) ->> 'state' as state";
const offer = "select public.course_offer($1) as offer";

async function offerOf(world: World, slug: string): Promise<Record<string, unknown> | null> {
  const row = await world.one("service_role", offer, [slug]);
  return row["offer"] as Record<string, unknown> | null;
}

describe("the sale of a course", () => {
  test("is its mentor's to begin, change and end", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const slug = `new-${randomUUID()}`;
    const valid = [course.id, slug, ["Write", " ", "Send "], course.modules[1], true];
    const but = (at: number, value: unknown) => valid.map((each, n) => (n === at ? value : each));
    for (const other of [await world.member("mentor-access"), await world.admin()]) {
      await world.refused(other, "FF850", save, valid);
    }
    await world.refused("anon", "42501", save, valid);
    for (const wrong of ["Ab C", "-a", "ab", "a".repeat(81), null]) {
      await world.refused(mentor, "FF852", save, but(1, wrong));
    }
    const { course: another } = await sellingMentor(world);
    await world.refused(mentor, "FF853", save, but(1, another.slug));
    for (const wrong of [
      [],
      [" "],
      ["a".repeat(161)],
      Array.from({ length: 9 }, () => "a"),
      null,
    ]) {
      await world.refused(mentor, "FF854", save, but(2, wrong));
    }
    for (const wrong of [another.modules[0], randomUUID(), null]) {
      await world.refused(mentor, "FF855", save, but(3, wrong));
    }
    await world.run(mentor, save, valid);
    expect(await offerOf(world, course.slug)).toBeNull();
    expect(await offerOf(world, slug)).toMatchObject({
      outcomes: ["Write", "Send"],
      price_pence: 4000,
      mentor: "Ruth Okafor",
      free_lesson: { title: "One Question a Letter", has_film: false },
    });
    await world.run("owner", "update public.course_modules set video_url = $2 where id = $1", [
      valid[3],
      "https://www.youtube-nocookie.com/embed/abc",
    ]);
    // That there is one, not where.
    const filmed = await offerOf(world, slug);
    expect(filmed).toMatchObject({ free_lesson: { has_film: true } });
    expect(JSON.stringify(filmed)).not.toContain("youtube");
    await world.run(mentor, save, but(4, false));
    expect(await offerOf(world, slug)).toBeNull();
    await world.run("owner", "update public.courses set price = 0 where id = $1", [course.id]);
    await world.refused(mentor, "FF851", save, valid);
    await world.setSubscriptionStatus(mentor, "canceled");
    await world.refused(mentor, "FF850", save, valid);
  });

  test("shows visitors one lesson and nothing else of the course", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const shown = JSON.stringify(await offerOf(world, course.slug));
    expect(shown).toContain("Text of “Begin With the Reader”.");
    expect(shown).toContain("Send It");
    expect(shown).not.toContain("Text of “Send It”.");
    expect(shown).not.toContain(course.id);
    for (const actor of ["anon", await world.newcomer()]) {
      await world.refused(actor, "42501", offer, [course.slug]);
      await world.refused(actor, "42501", begin, [randomUUID(), course.slug]);
      await world.refused(actor, "42501", "select * from private.course_offers");
    }
  });

  test("pauses while the course is withdrawn or its mentor is none", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const publish = "update public.courses set is_published = $2 where id = $1";
    await world.run("owner", publish, [course.id, false]);
    expect(await offerOf(world, course.slug)).toBeNull();
    await world.run("owner", publish, [course.id, true]);
    expect(await offerOf(world, course.slug)).not.toBeNull();
    const show = "update public.course_modules set is_published = $2 where id = $1";
    await world.run("owner", show, [course.modules[0], false]);
    expect(await offerOf(world, course.slug)).toBeNull();
    await world.run("owner", show, [course.modules[0], true]);
    for (const ending of ["banned_until = now() + interval '1 day'", "deleted_at = now()"]) {
      await world.run("owner", `update auth.users set ${ending} where id = $1`, [mentor]);
      expect(await offerOf(world, course.slug), ending).toBeNull();
      const back = "update auth.users set banned_until = null, deleted_at = null where id = $1";
      await world.run("owner", back, [mentor]);
      expect(await offerOf(world, course.slug)).not.toBeNull();
    }
    await world.setSubscriptionStatus(mentor, "canceled");
    expect(await offerOf(world, course.slug)).toBeNull();
    const buyer = await world.newcomer();
    const answer = await world.one("service_role", begin, [buyer, course.slug]);
    expect(answer).toEqual({ state: "not_on_sale" });
  });
});

describe("the sale of a course in a hidden subcategory", () => {
  test("pauses until it is shown again, and buyers read on", async ({ world }) => {
    const { course } = await sellingMentor(world);
    const admin = await world.admin();
    const owner = await world.newcomer();
    await payCourse(world, owner, course);
    const place = await world.one(
      "owner",
      "select subcategory_id as id from public.courses where id = $1",
      [course.id],
    );
    const show = "select public.edit_subcategory($1, is_active => $2)";
    await world.run(admin, show, [place["id"], false]);
    expect(await offerOf(world, course.slug)).toBeNull();
    const buyer = await world.newcomer();
    expect(await world.one("service_role", begin, [buyer, course.slug])).toEqual({
      state: "not_on_sale",
    });
    const read = "select public.bought_course($1) -> 'modules' as modules";
    expect((await world.one(owner, read, [course.id]))["modules"]).not.toHaveLength(0);
    await world.run(owner, "select public.complete_bought_lesson($1)", [course.modules[0]]);
    await world.run(admin, show, [place["id"], true]);
    expect(await offerOf(world, course.slug)).not.toBeNull();
    expect(await world.one("service_role", begin, [buyer, course.slug])).toEqual({
      state: "begun",
    });
  });
});

describe("an address", () => {
  test("that a course was sold under is nobody else's afterwards", async ({ world }) => {
    const { mentor, course } = await sellingMentor(world);
    const other = await sellingMentor(world);
    const moved = `moved-${randomUUID()}`;
    const offered = (of: typeof course, slug: string, isOnSale = true) => [
      of.id,
      slug,
      ["Write"],
      of.modules[0],
      isOnSale,
    ];
    await world.run(mentor, save, offered(course, moved));
    await world.refused(other.mentor, "FF853", save, offered(other.course, course.slug));
    await world.run(mentor, save, offered(course, course.slug));
    await world.refused(other.mentor, "FF853", save, offered(other.course, moved));
    await world.run("owner", "delete from public.courses where id = $1", [course.id]);
    await world.refused(other.mentor, "FF853", save, offered(other.course, moved));
    // One that nobody ever saw is free again.
    const draft = `draft-${randomUUID()}`;
    const third = await sellingMentor(world);
    await world.run(third.mentor, save, offered(third.course, draft, false));
    await world.run(third.mentor, save, offered(third.course, third.course.slug));
    await world.run(other.mentor, save, offered(other.course, draft));
  });
});
