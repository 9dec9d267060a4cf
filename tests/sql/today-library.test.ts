import { describe, expect } from "vitest";
import { raise } from "./chat-world.ts";
import {
  article,
  atLevel,
  complete,
  courseModule,
  courseOf,
  enrol,
  markRead,
  openArticle,
  shelf,
} from "./library-world.ts";
import { today } from "./today-world.ts";
import { test } from "./world.ts";

describe("what was left open", () => {
  test("is the next lesson of the course last worked on, until it is complete", async ({
    world,
  }) => {
    const place = await shelf(world, "general");
    const [ada, bob] = [await atLevel(world, 2), await atLevel(world, 2)];
    const [older, newer] = [await courseOf(world, place, 2), await courseOf(world, place, 2)];
    const backdate = `update public.course_enrollments set created_at = now() - $2::interval
      where user_id = $1 and course_id = $3`;
    await enrol(world, ada, older.id);
    await world.run("owner", backdate, [ada, "2 days", older.id]);
    await enrol(world, ada, newer.id);
    await world.run("owner", backdate, [ada, "1 day", newer.id]);
    const lesson = async () => (await today(world, ada)).continue.lesson;
    expect(await lesson()).toMatchObject({ course_id: newer.id, title: "Module 1", progress: 0 });
    await complete(world, ada, String(older.modules[0]));
    expect(await lesson()).toMatchObject({
      course_id: older.id,
      course: "A course",
      title: "Module 2",
      progress: 50,
      category: "general",
      is_training: false,
    });
    await complete(world, ada, String(older.modules[1]));
    expect(await lesson()).toMatchObject({ course_id: newer.id });
    await complete(world, ada, String(newer.modules[0]));
    await complete(world, ada, String(newer.modules[1]));
    await courseModule(world, newer.id, 3);
    expect(await lesson()).toBeNull();
    expect((await today(world, bob)).continue).toEqual({ lesson: null, article: null });
  });

  test("is not a lesson that is hidden, of a withdrawn course or above the level", async ({
    world,
  }) => {
    const ada = await atLevel(world, 2);
    const course = await courseOf(world, await shelf(world, "general"), 2);
    await enrol(world, ada, course.id);
    const lesson = async () => (await today(world, ada)).continue.lesson;
    const hide = "update public.course_modules set is_published = false where id = $1";
    await world.run("owner", hide, [course.modules[0]]);
    expect(await lesson()).toMatchObject({ title: "Module 2" });
    await raise(world, ada, 1);
    expect(await lesson()).toBeNull();
    await raise(world, ada, 2);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await lesson()).toBeNull();
    await world.setSubscriptionStatus(ada, "active");
    expect(await lesson()).toMatchObject({ title: "Module 2" });
    const withdraw = "update public.courses set is_published = false where id = $1";
    await world.run("owner", withdraw, [course.id]);
    expect(await lesson()).toBeNull();
  });

  test("leads mentors to their training at every level", async ({ world }) => {
    const place = await shelf(world, "general", { open_to_mentors: true });
    const course = await courseOf(world, place, 1);
    const mentor = await world.member("mentor-access");
    await enrol(world, mentor, course.id);
    expect((await today(world, mentor)).continue.lesson).toMatchObject({ is_training: true });
    const student = await atLevel(world, 2);
    await enrol(world, student, course.id);
    expect((await today(world, student)).continue.lesson).toMatchObject({ is_training: false });
  });

  test("is the article opened last, to the moment, until it is marked as read", async ({
    world,
  }) => {
    const place = await shelf(world, "general");
    const [first, second] = [await article(world, place), await article(world, place)];
    const [ada, bob] = [await atLevel(world, 2), await atLevel(world, 2)];
    const left = async () => (await today(world, ada)).continue.article?.["article_id"] ?? null;
    await openArticle(world, ada, first);
    await openArticle(world, ada, second);
    expect(await left()).toBe(second);
    await openArticle(world, ada, first);
    expect(await left()).toBe(first);
    await markRead(world, ada, first);
    expect(await left()).toBe(second);
    await raise(world, ada, 1);
    expect(await left()).toBeNull();
    await raise(world, ada, 2);
    await world.setSubscriptionStatus(ada, "canceled");
    expect(await left()).toBeNull();
    await world.setSubscriptionStatus(ada, "active");
    const withdraw = "update public.articles set is_published = false where id = $1";
    await world.run("owner", withdraw, [second]);
    expect(await left()).toBeNull();
    expect((await today(world, bob)).continue.article).toBeNull();
  });

  test("is also an article opened before times were kept, after those of the same day", async ({
    world,
  }) => {
    const place = await shelf(world, "general");
    const [early, late] = [await article(world, place), await article(world, place)];
    const ada = await atLevel(world, 2);
    await openArticle(world, ada, early);
    await openArticle(world, ada, late);
    const forget = "update public.article_opens set last_opened_at = null where article_id = $1";
    await world.run("owner", forget, [late]);
    expect((await today(world, ada)).continue.article).toMatchObject({ article_id: early });
    await markRead(world, ada, early);
    expect((await today(world, ada)).continue.article).toMatchObject({ article_id: late });
  });
});
