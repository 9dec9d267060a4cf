import { describe, expect } from "vitest";
import { article, atLevel, course, markRead, openArticle, shelf } from "./library-world.ts";
import { test, type World } from "./world.ts";

const analytics = "select public.my_article_analytics($1) -> 'comparison' as comparison";

/** Has so many members open an article, of whom so many read it to the end. */
async function readBy(world: World, text: string, readers: readonly string[], finished: number) {
  for (const [at, reader] of readers.entries()) {
    await openArticle(world, reader, text);
    if (at < finished) await markRead(world, reader, text);
  }
}

describe("an article's analytics", () => {
  test("compare with one's other articles, and with five of the category or more", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const [place, far] = [await shelf(world, "general"), await shelf(world, "wealth")];
    const readers = [await atLevel(world, 4), await atLevel(world, 4)];
    // What other tests left in the category does not count here.
    await world.run("owner", "delete from public.article_opens where not user_id = any ($1)", [
      readers,
    ]);
    const written = async (at: string) => await article(world, at, { author_id: mentor });
    const text = await written(place);
    const compare = async () => (await world.one(mentor, analytics, [text]))["comparison"];
    // Neither one's own readers nor an article that nobody opened change what it is compared with.
    await readBy(world, text, readers, 2);
    await written(place);
    expect(await compare()).toEqual({ own_articles: 0, own_rate: null, category_rate: null });
    await readBy(world, await written(place), readers, 1);
    expect(await compare()).toMatchObject({ own_articles: 1, own_rate: 50 });
    await readBy(world, await written(far), readers, 2);
    expect(await compare()).toMatchObject({ own_articles: 2, own_rate: 75 });
    for (let others = 0; others < 3; others += 1) {
      await readBy(world, await article(world, place), readers, 2);
    }
    expect(await compare()).toMatchObject({ category_rate: null });
    const fifth = await article(world, place);
    await readBy(world, fifth, readers, 2);
    expect(await compare()).toEqual({ own_articles: 2, own_rate: 75, category_rate: 100 });
    await world.run("owner", "update public.articles set is_published = false where id = $1", [
      fifth,
    ]);
    expect(await compare()).toMatchObject({ category_rate: null });
  });

  test("tell the medians to nobody but its mentor", async ({ world }) => {
    const mentor = await world.member("mentor-access");
    const text = await article(world, await shelf(world, "general"), { author_id: mentor });
    await world.refused(await world.member("mentor-access"), "FF740", analytics, [text]);
    await world.refused(await atLevel(world, 4), "FF650", analytics, [text]);
    const direct = "select private.article_comparison(a) from public.articles a where a.id = $1";
    await world.refused(mentor, "42501", direct, [text]);
    for (const computed of ["article_analytics", "course_analytics"]) {
      await world.refused(mentor, "42501", `select private.${computed}($1)`, [text]);
    }
  });

  test("are counted together with those of courses, because each looks at a whole category", async ({
    world,
  }) => {
    const mentor = await world.member("mentor-access");
    const place = await shelf(world, "general");
    const text = await article(world, place, { author_id: mentor });
    const whole = await course(world, place, { mentor_id: mentor });
    const ofCourse = "select public.my_course_analytics($1)";
    await world.run(
      "owner",
      "update private.rate_limits set max_count = 2 where action = 'analytics'",
    );
    await world.run(mentor, analytics, [text]);
    await world.run(mentor, ofCourse, [whole]);
    await world.refused(mentor, "FF300", analytics, [text]);
    await world.refused(mentor, "FF300", ofCourse, [whole]);
    const other = await world.member("mentor-access");
    await world.refused(other, "FF740", ofCourse, [whole]);
  });
});
