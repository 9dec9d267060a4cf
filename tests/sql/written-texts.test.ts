import { describe, expect } from "vitest";
import { article, atLevel, course, shelf } from "./library-world.ts";
import { profileOf } from "./people-world.ts";
import { sellingMentor } from "./selling-world.ts";
import { test, type Row, type World } from "./world.ts";

/** What a profile says a member wrote: the number, and the ids of those it names. */
async function textsOf(world: World, reader: string, author: string) {
  const { texts } = (await profileOf(world, reader, author)) as {
    texts: {
      count: number;
      newest: { id: string; sale_slug: string | null; is_training: boolean }[];
    };
  };
  return { ...texts, ids: texts.newest.map(({ id }) => id) };
}

describe("what a member wrote", () => {
  test("stands on the profile as far as the reader's level opens it", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const others = await world.member("mentor-access");
    const [knowledge, wealth] = [await shelf(world, "general"), await shelf(world, "wealth")];
    const closed = await shelf(world, "general", { is_active: false });
    const day = (at: number) => `2026-11-0${at}T00:00:00Z`;
    const first = await article(world, knowledge, { author_id: mentor, created_at: day(1) });
    const second = await course(world, knowledge, { mentor_id: mentor, created_at: day(2) });
    const high = await article(world, wealth, { author_id: mentor, created_at: day(3) });
    await article(world, knowledge, { author_id: mentor, is_published: false });
    await course(world, knowledge, { mentor_id: mentor, is_published: false });
    await article(world, closed, { author_id: mentor });
    await article(world, knowledge, { author_id: others });
    const seen = async (level: number) => await textsOf(world, await atLevel(world, level), mentor);
    expect(await seen(1)).toEqual({ count: 0, newest: [], ids: [] });
    expect(await seen(2)).toMatchObject({ count: 2, ids: [second, first] });
    expect(await seen(3)).toMatchObject({ count: 2, ids: [second, first] });
    const all = await seen(4);
    expect(all).toMatchObject({ count: 3, ids: [high, second, first] });
    expect(all.newest[0]).toMatchObject({ kind: "article", category: "wealth", sale_slug: null });
    // The author's own page shows what another of their level sees, so that each link opens.
    expect(await textsOf(world, mentor, mentor)).toMatchObject({ count: 0 });
  });

  test("has the courses of the mentors' training for mentors at every level", async ({ world }) => {
    const author = await world.member("mentor-access");
    const place = await shelf(world, "wealth", { open_to_mentors: true });
    const training = await course(world, place, { mentor_id: author });
    await course(world, await shelf(world, "wealth"), { mentor_id: author });
    await course(world, await shelf(world, "wealth", { open_to_mentors: true, is_active: false }), {
      mentor_id: author,
    });
    const seen = async (reader: string) => await textsOf(world, reader, author);
    const mentor = await world.member("mentor-access");
    expect(await seen(mentor)).toMatchObject({
      count: 1,
      newest: [{ id: training, is_training: true }],
    });
    expect(await seen(await atLevel(world, 3))).toMatchObject({ count: 0 });
    const all = await seen(await atLevel(world, 4));
    expect(all.newest.map((text) => text.is_training)).toEqual([false, false]);
  });

  test("leads mentors to a course on sale as members where it belongs to their training", async ({
    world,
  }) => {
    const { mentor: author, course: offered } = await sellingMentor(world);
    const reader = await world.member("mentor-access");
    const sale = async () => (await textsOf(world, reader, author)).newest;
    expect(await sale()).toMatchObject([{ is_training: false, sale_slug: offered.slug }]);
    await world.run(
      "owner",
      `update public.subcategories set open_to_mentors = true
       where id = (select subcategory_id from public.courses where id = $1)`,
      [offered.id],
    );
    expect(await sale()).toMatchObject([{ is_training: true, sale_slug: null }]);
  });

  test("is named newest five first, and counted", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const place = await shelf(world, "general");
    const ids: string[] = [];
    for (let at = 1; at <= 6; at += 1) {
      const created_at = `2026-11-0${at}T00:00:00Z`;
      ids.unshift(await article(world, place, { author_id: mentor, created_at }));
    }
    const shown = await textsOf(world, await atLevel(world, 2), mentor);
    expect(shown).toMatchObject({ count: 6, ids: ids.slice(0, 5) });
  });

  test("names a course above the reader's level while it is on sale, by its public page", async ({
    world,
  }) => {
    const { mentor, course: offered } = await sellingMentor(world);
    const slugs = async (level: number) =>
      (await textsOf(world, await atLevel(world, level), mentor)).newest.map((each) => [
        each.id,
        each.sale_slug,
      ]);
    expect(await slugs(1)).toEqual([[offered.id, offered.slug]]);
    expect(await slugs(3)).toEqual([[offered.id, null]]);
    await world.run(
      "owner",
      "update private.course_offers set is_on_sale = false where course_id = $1",
      [offered.id],
    );
    expect(await slugs(1)).toEqual([]);
    expect(await slugs(3)).toEqual([[offered.id, null]]);
  });

  test("is answered for oneself alone: the rule takes no reader from a request", async ({
    world,
  }) => {
    const ada = await world.member();
    for (const actor of [ada, "service_role"] as const) {
      await world.refused(actor, "42501", "select private.written_texts($1, $1)", [ada]);
    }
  });
});

describe("all that a member wrote", () => {
  const pageSql = "select public.written_texts_page($1, $2::timestamptz, $3, $4) as page";
  async function page(world: World, reader: string, author: string, after: Row | null = null) {
    const values = [author, after?.["created_at"] ?? null, after?.["id"] ?? null, 2];
    return (await world.one(reader, pageSql, values))["page"] as Row[];
  }
  const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => id);

  test("comes page by page after the newest, each text once, though several have the same time", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const place = await shelf(world, "general");
    const ids: string[] = [];
    // Within one microsecond: a time alone would lose or repeat some of them.
    for (let at = 1; at <= 7; at += 1) {
      ids.push(
        await article(world, place, {
          author_id: mentor,
          created_at: "2026-11-05T00:00:00.123456Z",
        }),
      );
    }
    const reader = await atLevel(world, 2);
    const { count, newest } = (await textsOf(world, reader, mentor)) as unknown as {
      count: number;
      newest: Row[];
    };
    expect(count).toBe(7);
    const rest = await page(world, reader, mentor, newest.at(-1));
    expect(idsOf([...newest, ...rest])).toEqual(ids.toSorted());
    expect(await page(world, reader, mentor, rest.at(-1))).toEqual([]);
    expect(idsOf(await page(world, reader, mentor))).toEqual(ids.toSorted().slice(0, 2));
  });

  test("names nothing above the reader's level, nothing unpublished, and nobody else's", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const [knowledge, wealth] = [await shelf(world, "general"), await shelf(world, "wealth")];
    const open = await article(world, knowledge, { author_id: mentor });
    const high = await article(world, wealth, { author_id: mentor });
    await article(world, knowledge, { author_id: mentor, is_published: false });
    await article(world, knowledge, { author_id: await world.member("mentor-access") });
    expect(idsOf(await page(world, await atLevel(world, 2), mentor))).toEqual([open]);
    expect(await page(world, await atLevel(world, 1), mentor)).toEqual([]);
    const all = idsOf(await page(world, await atLevel(world, 4), mentor));
    expect(new Set(all)).toEqual(new Set([open, high]));
  });

  test("is not shown across a block, of who has no profile, or to who is no member", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const id = await article(world, await shelf(world, "general"), { author_id: mentor });
    const [reader, blocker] = [await atLevel(world, 2), await atLevel(world, 2)];
    const block = "select public.block_member($1)";
    await world.run(mentor, block, [reader]);
    await world.run(blocker, block, [mentor]);
    expect(await page(world, reader, mentor)).toEqual([]);
    expect(await page(world, blocker, mentor)).toEqual([]);
    const other = await atLevel(world, 2);
    expect(idsOf(await page(world, other, mentor))).toEqual([id]);
    await world.setSubscriptionStatus(mentor, "canceled");
    expect(await page(world, other, mentor)).toEqual([]);
    await world.refused(await world.newcomer(), "FF700", pageSql, [mentor, null, null, 2]);
    await world.refused("anon", "42501", pageSql, [mentor, null, null, 2]);
  });
});
