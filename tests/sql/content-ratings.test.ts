import { describe, expect } from "vitest";
import {
  article,
  atLevel,
  complete,
  course,
  courseModule,
  enrol,
  markRead,
  openArticle,
  shelf,
} from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

const rate = "select public.rate_text($2, $3, $1)";
const rateCourse = "select public.rate_text($2, null, null, $1)";
const takeBack = "select public.delete_rating($1)";
const takeDown = "select public.remove_rating_comment($1, 'Rude')";
const ratingOf = "select public.rating_of($1) as rating";
const ratingsOf = "select public.ratings_of_text($1) as ratings";

/** An article of a mentor that a student has read to the end. */
async function written(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const text = await article(world, place, { author_id: mentor });
  return { place, mentor, text, student: await reader(world, text) };
}

async function reader(world: World, text: string): Promise<string> {
  const member = await atLevel(world, 2);
  await openArticle(world, member, text);
  await markRead(world, member, text);
  return member;
}

async function shown(world: World, member: string, text: string): Promise<Row> {
  return (await world.one(member, ratingOf, [text]))["rating"] as Row;
}

async function received(world: World, mentor: string, text: string): Promise<Row> {
  return (await world.one(mentor, ratingsOf, [text]))["ratings"] as Row;
}

async function sums(world: World, text: string): Promise<Row> {
  const sql = "select rating_count, rating_sum from public.articles where id = $1";
  return await world.one("owner", sql, [text]);
}

describe("a rating of an article", () => {
  test("is shown as an average to readers, and with its sentence to the mentor", async ({
    world,
  }) => {
    const { place, mentor, text, student } = await written(world);
    expect(await shown(world, student, text)).toEqual({
      count: 0,
      average: null,
      may_rate: true,
      own: null,
    });
    await world.run(student, rate, [text, 5, "  It changed my Mondays. "]);
    await world.run(await reader(world, text), rate, [text, 2, "   "]);
    expect(await shown(world, student, text)).toEqual({
      count: 2,
      average: 3.5,
      may_rate: true,
      own: { stars: 5, sentence: "It changed my Mondays.", may_quote: false },
    });
    const { slug } = await world.one(
      "owner",
      "select slug from public.subcategories where id = $1",
      [place],
    );
    const page = "select public.subcategory_page('general', $1, 'articles') as page";
    expect((await world.one(student, page, [slug]))["page"]).toMatchObject({
      items: [{ id: text, author_id: mentor, rating_count: 2, rating: 3.5 }],
    });
    expect(await received(world, mentor, text)).toMatchObject({
      count: 2,
      average: 3.5,
      distribution: [0, 1, 0, 0, 1],
      may_take_down: false,
      sentences: [{ stars: 5, sentence: "It changed my Mondays." }],
    });
    // Nothing says who wrote the sentence.
    expect(JSON.stringify(await received(world, mentor, text))).not.toContain(student);
  });

  test("is one of each member, and replaced or taken back by its author", async ({ world }) => {
    const { text, student } = await written(world);
    await world.run(student, rate, [text, 1, "No."]);
    await world.run(student, rate, [text, 4, null]);
    expect(await sums(world, text)).toEqual({ rating_count: 1, rating_sum: 4 });
    expect(await shown(world, student, text)).toMatchObject({ own: { stars: 4, sentence: null } });
    await world.run(await reader(world, text), takeBack, [text]);
    expect(await sums(world, text)).toEqual({ rating_count: 1, rating_sum: 4 });
    await world.run(student, takeBack, [text]);
    expect(await sums(world, text)).toEqual({ rating_count: 0, rating_sum: 0 });
    await world.run(student, rate, [text, 3, null]);
    await world.run("owner", "delete from auth.users where id = $1", [student]);
    expect(await sums(world, text)).toEqual({ rating_count: 0, rating_sum: 0 });
  });

  test("is refused for what one has not read, wrote oneself, or may no longer read", async ({
    world,
  }) => {
    const { mentor, text, student } = await written(world);
    const unread = await atLevel(world, 2);
    await world.refused(unread, "FF731", rate, [text, 5, null]);
    await openArticle(world, unread, text);
    await world.refused(unread, "FF731", rate, [text, 5, null]);
    await world.run("owner", "update public.user_levels set current_level = 2 where user_id = $1", [
      mentor,
    ]);
    await openArticle(world, mentor, text);
    await markRead(world, mentor, text);
    await world.refused(mentor, "FF732", rate, [text, 5, null]);
    expect(await shown(world, mentor, text)).toMatchObject({ may_rate: false });
    await world.setSubscriptionStatus(student, "canceled");
    await world.refused(student, "FF730", rate, [text, 5, null]);
    await world.refused(student, "FF730", ratingOf, [text]);
    await world.refused(await world.member(), "FF730", rate, [text, 5, null]);
    await world.refused(student, "FF730", rate, [null, 5, null]);
    for (const sql of [ratingOf, ratingsOf, takeBack, takeDown]) {
      await world.refused("anon", "42501", sql, [text]);
    }
    await world.refused("anon", "42501", rate, [text, 5, null]);
    expect(await sums(world, text)).toEqual({ rating_count: 0, rating_sum: 0 });
  });

  test("has one to five stars, a short sentence and a rate", async ({ world }) => {
    const { text, student } = await written(world);
    for (const stars of [0, 6, -1, null]) {
      await world.refused(student, "FF733", rate, [text, stars, null]);
    }
    await world.refused(student, "FF733", rate, [text, 5, "a".repeat(281)]);
    await world.run(student, rate, [text, 5, "a".repeat(280)]);
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 1 where action = 'rate_text'",
    );
    await world.refused(student, "FF300", rate, [text, 4, null]);
  });

  test("cannot be written or read past the functions", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    await world.run(student, rate, [text, 5, "Good."]);
    const forged = `insert into private.content_ratings (user_id, article_id, stars) values ($1, $2, 5)`;
    for (const actor of ["anon", student, mentor, await world.admin()]) {
      await world.refused(actor, "42501", "select * from private.content_ratings");
      await world.refused(actor, "42501", forged, [student, text]);
      const set = "update public.articles set rating_sum = 500, rating_count = 100 where id = $1";
      await world.refused(actor, "42501", set, [text]);
    }
    const other = await world.member("mentor-access");
    await world.refused(other, "FF740", ratingsOf, [text]);
    await world.refused(student, "FF650", ratingsOf, [text]);
    await world.setSubscriptionStatus(mentor, "canceled");
    await world.refused(mentor, "FF650", ratingsOf, [text]);
    expect(await sums(world, text)).toEqual({ rating_count: 1, rating_sum: 5 });
  });

  test("loses its sentence to administrators alone, with a record", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    await world.run(student, rate, [text, 1, "An insult."]);
    const { sentences } = await received(world, mentor, text);
    const [{ id } = { id: "" }] = sentences as { id: string }[];
    for (const actor of [mentor, student]) await world.refused(actor, "FF002", takeDown, [id]);
    const plain = await world.plainAdmin();
    await world.refused(plain, "FF005", takeDown, [id]);
    await expect(received(world, plain, text)).rejects.toThrow();
    const admin = await world.admin();
    expect(await received(world, admin, text)).toMatchObject({ may_take_down: true });
    await world.run(admin, takeDown, [id]);
    await world.refused(admin, "FF734", takeDown, [id]);
    expect(await received(world, mentor, text)).toMatchObject({ count: 1, sentences: [] });
    const log = "select action, subject, detail from private.audit_log where actor = $1";
    const [entry] = await world.run("owner", log, [admin]);
    expect(entry).toMatchObject({ action: "rating.sentence_removed", subject: student });
    expect(JSON.stringify(entry)).not.toContain("insult");
  });

  test("cannot be told by a block or by its time whose it is", async ({ world }) => {
    const { mentor, text, student } = await written(world);
    const other = await reader(world, text);
    for (const member of [student, other]) await world.run(member, rate, [text, 1, "Words."]);
    const sql = "select id from private.content_ratings where article_id = $1 order by id";
    const [first, second] = await world.run("owner", sql, [text]);
    const at = "update private.content_ratings set rated_at = $2 where id = $1";
    await world.run("owner", at, [first?.["id"], "2026-03-01T00:00:00Z"]);
    await world.run("owner", at, [second?.["id"], "2026-03-31T23:59:59Z"]);
    await world.run("owner", "set local timezone = 'Pacific/Auckland'");
    const said = { stars: 1, sentence: "Words.", month: "2026-03-01" };
    const sentences = [
      { ...said, id: first?.["id"] },
      { ...said, id: second?.["id"] },
    ];
    expect((await received(world, mentor, text))["sentences"]).toEqual(sentences);
    await world.run(mentor, "select public.block_member($1)", [student]);
    await world.run(other, "select public.block_member($1)", [mentor]);
    expect((await received(world, mentor, text))["sentences"]).toEqual(sentences);
  });
});

describe("a rating of a course", () => {
  test("is for who has completed it", async ({ world }) => {
    const { place, mentor, student } = await written(world);
    const whole = await course(world, place, { mentor_id: mentor });
    const lesson = await courseModule(world, whole, 1);
    await world.refused(student, "FF731", rateCourse, [whole, 5]);
    await enrol(world, student, whole);
    await world.refused(student, "FF731", rateCourse, [whole, 5]);
    await complete(world, student, lesson);
    await world.run(student, rateCourse, [whole, 5]);
    const sql = "select rating_count, rating_sum from public.courses where id = $1";
    expect(await world.one("owner", sql, [whole])).toEqual({ rating_count: 1, rating_sum: 5 });
    await world.refused(mentor, "FF732", rateCourse, [whole, 5]);
    const both = "select public.rate_text(5, null, $1, $2)";
    await world.refused(student, "FF730", both, [whole, whole]);
  });
});

describe("the syllabus of a course", () => {
  const syllabus = "select * from public.course_syllabus($1)";

  test("is what a member sees before enrolling, without the lessons", async ({ world }) => {
    const { place, mentor, student } = await written(world);
    const whole = await course(world, place, { mentor_id: mentor });
    await courseModule(world, whole, 2, { title: "Go on", estimated_duration: 7 });
    await courseModule(world, whole, 1, { title: "Begin", estimated_duration: 4 });
    await courseModule(world, whole, 3, { title: "Hidden", is_published: false });
    const expected = [
      { title: "Begin", minutes: 4 },
      { title: "Go on", minutes: 7 },
    ];
    expect(await world.run(student, syllabus, [whole])).toEqual(expected);
    const modules = "select content from public.course_modules where course_id = $1";
    expect(await world.run(student, modules, [whole])).toEqual([]);
    await world.run("owner", "update public.courses set is_published = false where id = $1", [
      whole,
    ]);
    expect(await world.run(mentor, syllabus, [whole])).toEqual(expected);
    await world.refused(student, "FF404", syllabus, [whole]);
  });

  test("is closed below the level, to a lapsed member and to visitors", async ({ world }) => {
    const { place } = await written(world);
    const whole = await course(world, place);
    const lapsed = await atLevel(world, 2);
    await world.setSubscriptionStatus(lapsed, "canceled");
    for (const outsider of [await world.member(), lapsed, await world.newcomer()]) {
      await world.refused(outsider, "FF404", syllabus, [whole]);
    }
    await world.refused("anon", "42501", syllabus, [whole]);
  });
});
