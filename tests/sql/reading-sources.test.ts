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
import { test, type World } from "./world.ts";

const open = "update public.articles set read_count = 1, opened_from = $2 where id = $1";
const enrolFrom =
  "insert into public.course_enrollments (user_id, course_id, enrolled_from) values ($1, $2, $3)";
const sources = "select * from public.sources_of_text($1)";
const courseSources = "select * from public.sources_of_text(null, $1)";
const analytics = "select public.my_article_analytics($1) as page";

async function published(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const text = await article(world, place, { author_id: mentor });
  const whole = await course(world, place, { mentor_id: mentor });
  return { place, mentor, text, whole, lesson: await courseModule(world, whole, 1) };
}

describe("from where readers came", () => {
  test("is the source of the first opening, from a fixed list", async ({ world }) => {
    const { mentor, text } = await published(world);
    const [first, second, third] = [
      await atLevel(world, 2),
      await atLevel(world, 2),
      await atLevel(world, 2),
    ];
    await world.run(first, open, [text, "search"]);
    await world.run(first, open, [text, "today"]);
    await markRead(world, first, text);
    await world.run(second, open, [text, "search"]);
    await world.run(third, open, [text, "https://elsewhere.example/?who=me"]);
    // The call of older versions names no source.
    await openArticle(world, await atLevel(world, 2), text);
    const old = await atLevel(world, 2);
    await openArticle(world, old, text);
    await world.run(
      "owner",
      "update public.article_opens set opened_from = null where user_id = $1",
      [old],
    );
    expect(await world.run(mentor, sources, [text])).toEqual([
      { source: "other", members: "2", finished: "0" },
      { source: "search", members: "2", finished: "1" },
      { source: "unknown", members: "1", finished: "0" },
    ]);
    // The text itself keeps nothing of it.
    const stored = "select read_count, opened_from from public.articles where id = $1";
    expect(await world.one(first, stored, [text])).toEqual({ read_count: 5, opened_from: null });
    const kept = "select opened_from from public.article_opens where user_id = $1";
    expect(await world.run("owner", kept, [third])).toEqual([{ opened_from: "other" }]);
    expect((await world.one(mentor, analytics, [text]))["page"]).toMatchObject({
      readers: 5,
      reads: 1,
      days: [{ reads: 1 }],
    });
  });

  test("is kept with an enrolment, once", async ({ world }) => {
    const { mentor, whole, lesson } = await published(world);
    const [first, second] = [await atLevel(world, 2), await atLevel(world, 2)];
    await world.run(first, enrolFrom, [first, whole, "profile"]);
    await complete(world, first, lesson);
    await world.run(second, enrolFrom, [second, whole, "<script>"]);
    await enrol(world, await atLevel(world, 2), whole);
    const change =
      "update public.course_enrollments set enrolled_from = 'search' where user_id = $1";
    await world.refused(first, "42501", change, [first]);
    expect(await world.run(mentor, courseSources, [whole])).toEqual([
      { source: "other", members: "2", finished: "0" },
      { source: "profile", members: "1", finished: "1" },
    ]);
  });

  test("is for the mentor of a text and administrators", async ({ world }) => {
    const { text, whole } = await published(world);
    const student = await atLevel(world, 2);
    const other = await world.member("mentor-access");
    const calls: [string, string][] = [
      [sources, text],
      [courseSources, whole],
      [analytics, text],
    ];
    for (const [sql, id] of calls) {
      await world.refused(student, "FF650", sql, [id]);
      await world.refused(other, "FF740", sql, [id]);
      await world.refused("anon", "42501", sql, [id]);
      await world.run(await world.admin(), sql, [id]);
    }
    const write = "update public.article_opens set opened_from = 'search'";
    await world.refused(student, "42501", write);
  });
});
