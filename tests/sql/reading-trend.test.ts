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

const trend = "select public.my_reading_trend($1) as trend";

interface Trend {
  today: string;
  readers_this_week: number;
  readers: number;
  reads: number;
  enrolments: number;
  lessons: number;
  before: { reads: number; enrolments: number; lessons: number };
  days: { day: string; readers: number }[];
  stop: { course_id: string; title: string; module: number; members: number } | null;
}

const trendOf = async (world: World, actor: string, days = 30) =>
  (await world.one(actor, trend, [days]))["trend"] as Trend;

/** Two articles and a course of three lessons by one mentor. */
async function published(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const texts = [
    await article(world, place, { author_id: mentor }),
    await article(world, place, { author_id: mentor }),
  ] as const;
  const id = await course(world, place, { mentor_id: mentor, title: "Clinics" });
  const lessons = [
    await courseModule(world, id, 1),
    await courseModule(world, id, 2),
    await courseModule(world, id, 3),
  ] as const;
  return { place, mentor, texts, course: id, lessons };
}

/** Moves what a member opened last into the past. */
async function openedBefore(world: World, member: string, days: number): Promise<void> {
  const sql =
    "update public.article_opens set last_opened_on = last_opened_on - $2::integer where user_id = $1";
  await world.run("owner", sql, [member, days]);
}

describe("what happened to a mentor's texts lately", () => {
  test("counts each reader once a day, in the days that were asked for", async ({ world }) => {
    const { mentor, texts } = await published(world);
    const empty = await trendOf(world, mentor);
    expect(empty).toMatchObject({
      readers_this_week: 0,
      readers: 0,
      reads: 0,
      days: [],
      stop: null,
    });
    const [ada, ben, cat] = [
      await atLevel(world, 2),
      await atLevel(world, 2),
      await atLevel(world, 2),
    ];
    for (const reader of [ada, ben, cat]) await openArticle(world, reader, texts[0]);
    await openArticle(world, ada, texts[1]);
    await markRead(world, ada, texts[0]);
    await openedBefore(world, ben, 6);
    await openedBefore(world, cat, 7);
    const month = await trendOf(world, mentor);
    expect(month).toMatchObject({ readers_this_week: 2, readers: 3, reads: 1 });
    expect(month.days.map(({ readers }) => readers)).toEqual([1, 1, 1]);
    expect(month.days.at(-1)?.day).toBe(month.today);
    expect(await trendOf(world, mentor, 7)).toMatchObject({ readers: 2, readers_this_week: 2 });
    expect(await trendOf(world, mentor, 1)).toMatchObject({ readers: 1, readers_this_week: 2 });
    // More than a year, or nonsense, is answered within the limits.
    expect(await trendOf(world, mentor, 2_000_000_000)).toMatchObject({ readers: 3 });
    expect(await trendOf(world, mentor, -5)).toMatchObject({ readers: 1 });
  });

  test("counts the same in as many days before, but the readers of whom only the last day is kept", async ({
    world,
  }) => {
    const { mentor, texts, course: id, lessons } = await published(world);
    const happened = async (content: string, event: string, days: number, amount: number) =>
      await world.run(
        "owner",
        `insert into private.content_days (content_id, event, day, amount)
         values ($1, $2, (now() at time zone 'UTC')::date - $3::integer, $4)`,
        [content, event, days, amount],
      );
    await happened(texts[0], "read", 6, 2);
    await happened(texts[0], "read", 7, 3);
    await happened(texts[1], "read", 13, 4);
    await happened(texts[1], "read", 14, 50);
    await happened(id, "enrolment", 8, 5);
    await happened(lessons[0], "completion", 9, 6);
    // Of the course itself, which is no lesson.
    await happened(id, "completion", 9, 70);
    expect(await trendOf(world, mentor, 7)).toMatchObject({
      reads: 2,
      enrolments: 0,
      lessons: 0,
      before: { reads: 7, enrolments: 5, lessons: 6 },
    });
    expect(await trendOf(world, mentor)).toMatchObject({
      reads: 59,
      enrolments: 5,
      lessons: 6,
      before: { reads: 0, enrolments: 0, lessons: 0 },
    });
  });

  test("says at which lesson most members stand", async ({ world }) => {
    const { mentor, course: id, lessons } = await published(world);
    const [ada, ben, cat, dan] = [
      await atLevel(world, 2),
      await atLevel(world, 2),
      await atLevel(world, 2),
      await atLevel(world, 2),
    ];
    for (const member of [ada, ben, cat, dan]) await enrol(world, member, id);
    for (const member of [ada, ben, dan]) await complete(world, member, lessons[0]);
    for (const lesson of [lessons[1], lessons[2]]) await complete(world, dan, lesson);
    // Dan is through, Cat has not begun: two stand at the second.
    expect(await trendOf(world, mentor)).toMatchObject({
      enrolments: 4,
      lessons: 5,
      stop: { course_id: id, title: "Clinics", module: 2, members: 2 },
    });
  });

  test("is the mentor's own, and everyone's for administrators", async ({ owner, world }) => {
    await owner.query("set transaction isolation level repeatable read");
    const admin = await world.admin();
    const before = await trendOf(world, admin);
    const { texts } = await published(world);
    await openArticle(world, await atLevel(world, 2), texts[0]);
    const other = await world.member("mentor-access");
    expect(await trendOf(world, other)).toMatchObject({ readers: 0, days: [], stop: null });
    expect((await trendOf(world, admin)).readers).toBe(before.readers + 1);
    await world.refused(await world.member(), "FF650", trend, [30]);
    await world.refused("anon", "42501", trend, [30]);
    await world.refused(other, "42501", "select private.usual_stop($1)", [[]]);
  });
});
