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

const figures = "select * from public.my_content_figures()";
const analytics = "select public.my_course_analytics($1) as page";
const students = "select * from public.my_students($1)";
const count = "select private.count_content_days($1::date)";

/** An article and a course of two lessons by one mentor, with a student who may read them. */
async function published(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const text = await article(world, place, { author_id: mentor });
  const id = await course(world, place, { mentor_id: mentor });
  const lessons = [await courseModule(world, id, 1), await courseModule(world, id, 2)] as const;
  return { place, mentor, text, course: id, lessons, student: await atLevel(world, 2) };
}

type Published = Awaited<ReturnType<typeof published>>;

/** The student reads, enrols, asks and completes both lessons. */
async function finish(world: World, { text, course, lessons, student }: Published): Promise<void> {
  await openArticle(world, student, text);
  await markRead(world, student, text);
  await enrol(world, student, course);
  await world.run(student, "select public.ask_question('Why?', null, $1)", [lessons[0]]);
  for (const lesson of lessons) await complete(world, student, lesson);
}

async function figuresOf(world: World, mentor: string): Promise<Record<string, Row>> {
  const rows = await world.run(mentor, figures);
  return Object.fromEntries(rows.map((row) => [String(row["content_id"]), row]));
}

async function analyticsOf(world: World, actor: string, id: string): Promise<Row> {
  return (await world.one(actor, analytics, [id]))["page"] as Row;
}

/**
 * Moves everything a student did in the texts back by some days. No day counts as finished afterwards: the schedule of the
 * running product may have counted those days without it.
 */
async function moveBack(world: World, { student }: Published, days: number): Promise<void> {
  await world.run("owner", "select private.lock_content_days(true)");
  await world.run("owner", "update private.content_days_state set counted_until = '2000-01-01'");
  for (const [table, column] of [
    ["public.article_reads", "created_at"],
    ["public.course_enrollments", "created_at"],
    ["public.course_enrollments", "completed_at"],
    ["public.module_completions", "created_at"],
    ["private.content_questions", "created_at"],
  ]) {
    const sql = `update ${table} set ${column} = ${column} - make_interval(days => $2) where user_id = $1`;
    await world.run("owner", sql, [student, days]);
  }
}

async function dayBefore(world: World, days: number): Promise<string> {
  const sql = "select ((now() at time zone 'UTC')::date - $1::integer)::text as day";
  return String((await world.one("owner", sql, [days]))["day"]);
}

async function deleteAccount(world: World, account: string): Promise<void> {
  await world.run("owner", "delete from auth.users where id = $1", [account]);
}

async function storedDays(world: World, text: string): Promise<Row[]> {
  const sql = `select event, day::text, sum(amount)::integer as amount from private.content_days
    where content_id = $1 group by event, day having sum(amount) <> 0 order by event, day`;
  return await world.run("owner", sql, [text]);
}

const finished = { enrolments: "1", completions: "1", questions: "1", open_questions: "1" };

describe("the figures of a mentor", () => {
  test("are exactly what a student did", async ({ world }) => {
    const story = await published(world);
    const { mentor, text, course: id, lessons } = story;
    const nothing = { readers: "0", reads: "0", enrolments: "0", completions: "0", questions: "0" };
    expect(await figuresOf(world, mentor)).toMatchObject({ [text]: nothing, [id]: nothing });
    await finish(world, story);
    const shown = await figuresOf(world, mentor);
    expect(Object.keys(shown).toSorted()).toEqual([text, id].toSorted());
    expect(shown[text]).toMatchObject({
      kind: "article",
      readers: "1",
      reads: "1",
      questions: "0",
    });
    expect(shown[id]).toMatchObject({ kind: "course", category: "general", ...finished });
    const page = await analyticsOf(world, mentor, id);
    expect(page).toMatchObject({
      enrolments: 1,
      completions: 1,
      median_days: 0,
      questions: 1,
      open_questions: 1,
      modules: lessons.map((lesson) => ({ id: lesson, completions: 1 })),
      days: [{ day: await dayBefore(world, 0), enrolments: 1, lessons: 2, completions: 1 }],
      cohorts: [{ enrolments: 1, completions: 1 }],
    });
  });

  test("stay the same before, after and while days are counted, and when they are counted again", async ({
    world,
  }) => {
    const story = await published(world);
    const { mentor, text, course: id } = story;
    await finish(world, story);
    await moveBack(world, story, 2);
    const before = [await figuresOf(world, mentor), await analyticsOf(world, mentor, id)];
    expect(before[1]).toMatchObject({
      days: [{ day: await dayBefore(world, 2), enrolments: 1, lessons: 2, completions: 1 }],
    });
    const day = await dayBefore(world, 2);
    for (const since of [null, day, await dayBefore(world, 1), day]) {
      await world.run("owner", count, [since]);
      expect([await figuresOf(world, mentor), await analyticsOf(world, mentor, id)]).toEqual(
        before,
      );
      expect(await storedDays(world, text)).toEqual([{ event: "read", day, amount: 1 }]);
    }
    const later = await atLevel(world, 2);
    await enrol(world, later, id);
    expect(await analyticsOf(world, mentor, id)).toMatchObject({
      enrolments: 2,
      completions: 1,
      days: [
        { day, enrolments: 1 },
        { day: await dayBefore(world, 0), enrolments: 1, lessons: 0 },
      ],
    });
  });

  test("count a day at the border of days in UTC", async ({ world }) => {
    const story = await published(world);
    await enrol(world, story.student, story.course);
    const day = await dayBefore(world, 3);
    const set = "update public.course_enrollments set created_at = $2 where user_id = $1";
    for (const [time, expected] of [
      [`${day}T23:59:59.999Z`, day],
      [`${await dayBefore(world, 2)}T00:00:00Z`, await dayBefore(world, 2)],
    ]) {
      await world.run("owner", set, [story.student, time]);
      await world.run("owner", count, [day]);
      expect(await storedDays(world, story.course)).toEqual([
        { event: "enrolment", day: expected, amount: 1 },
      ]);
      const page = await analyticsOf(world, story.mentor, story.course);
      expect(page["days"]).toEqual([{ day: expected, enrolments: 1, lessons: 0, completions: 0 }]);
    }
  });

  test("lose what a deleted account did, also of counted days", async ({ world }) => {
    const story = await published(world);
    const { mentor, text, course: id, lessons, student } = story;
    const empty = await figuresOf(world, mentor);
    await finish(world, story);
    await moveBack(world, story, 2);
    await world.run("owner", count, [await dayBefore(world, 2)]);
    expect((await figuresOf(world, mentor))[id]).toMatchObject(finished);
    await world.run(
      student,
      "select public.delete_question(id) from jsonb_to_recordset(public.questions_of(null, $1) -> 'items') as q (id uuid)",
      [lessons[0]],
    );
    expect((await figuresOf(world, mentor))[id]).toMatchObject({ questions: "0" });
    await deleteAccount(world, student);
    expect(await figuresOf(world, mentor)).toEqual(empty);
    for (const content of [text, id, ...lessons]) {
      expect(await storedDays(world, content)).toEqual([]);
    }
  });

  test("are nobody else's, and everyone's for administrators", async ({ world }) => {
    const { text, course: id, student } = await published(world);
    const other = await world.member("mentor-access");
    expect(await world.run(other, figures)).toEqual([]);
    expect(Object.keys(await figuresOf(world, await world.admin()))).toEqual(
      expect.arrayContaining([text, id]),
    );
    await world.refused(student, "FF650", figures);
    await world.refused("anon", "42501", figures);
  });
});

describe("a course's analytics", () => {
  test("are for its mentor and administrators, and an unknown course for all others", async ({
    world,
  }) => {
    const { mentor, course: id, student } = await published(world);
    await enrol(world, student, id);
    const other = await world.member("mentor-access");
    const unknown = "00000000-0000-4000-8000-000000000740";
    for (const sql of [analytics, students]) {
      await world.refused(other, "FF740", sql, [id]);
      await world.refused(mentor, "FF740", sql, [unknown]);
      await world.refused(student, "FF650", sql, [id]);
      await world.refused("anon", "42501", sql, [id]);
      expect(await world.run(await world.admin(), sql, [id])).toHaveLength(1);
      expect(await world.run(mentor, sql, [id])).toHaveLength(1);
    }
    await world.setSubscriptionStatus(mentor, "canceled");
    await world.refused(mentor, "FF650", analytics, [id]);
  });

  test("compare with one's other courses, and with five of the category or more", async ({
    world,
  }) => {
    const { place, mentor, course: id, student } = await published(world);
    const compare = async () => (await analyticsOf(world, mentor, id))["comparison"];
    const insert = `insert into public.course_enrollments (user_id, course_id, completed_at) values ($1, $2, now())`;
    const earlier = await course(world, place, { mentor_id: mentor });
    await world.run("owner", insert, [student, earlier]);
    await enrol(world, await atLevel(world, 2), earlier);
    expect(await compare()).toMatchObject({ own_courses: 1, own_rate: 50 });
    const far = await shelf(world, "wealth");
    const rich = await course(world, far, { mentor_id: mentor });
    await world.run("owner", insert, [student, rich]);
    expect(await compare()).toMatchObject({ own_courses: 2, own_rate: 75 });
    // What other tests left in the category does not count here.
    const emptied =
      "update public.courses set enrollment_count = 0 where subcategory_id <> all ($1) and enrollment_count > 0";
    await world.run("owner", emptied, [[place, far]]);
    expect(await compare()).toMatchObject({ category_rate: null });
    for (let more = 0; more < 4; more += 1) {
      await world.run("owner", insert, [student, await course(world, place)]);
    }
    expect(await compare()).toMatchObject({ category_rate: 100 });
  });
});

describe("the students of a course", () => {
  test("are listed with progress and last activity, the newest first, page by page", async ({
    world,
  }) => {
    const { mentor, course: id, lessons, student } = await published(world);
    await enrol(world, student, id);
    const set =
      "update public.course_enrollments set created_at = now() - interval '3 days' where user_id = $1";
    await world.run("owner", set, [student]);
    await complete(world, student, lessons[0]);
    const newer = await atLevel(world, 2);
    await enrol(world, newer, id);
    const rows = await world.run(mentor, students, [id]);
    expect(rows).toMatchObject([
      { user_id: newer, name: "Ada Byron", progress: 0, completed_at: null },
      { user_id: student, name: "Ada Byron", progress: 50, completed_at: null },
    ]);
    const [first, second] = rows;
    expect(first?.["last_active_at"]).toEqual(first?.["enrolled_at"]);
    expect(Number(second?.["last_active_at"]) - Number(second?.["enrolled_at"])).toBeGreaterThan(0);
    const next = "select user_id from public.my_students($1, $2, $3)";
    expect(await world.run(mentor, next, [id, first?.["enrolled_at"], newer])).toEqual([
      { user_id: student },
    ]);
  });

  test("leave out who is not listed or was blocked by the mentor, and nobody else", async ({
    world,
  }) => {
    const { mentor, course: id } = await published(world);
    const [hidden, blocking, blocked] = [
      await atLevel(world, 2),
      await atLevel(world, 2),
      await atLevel(world, 2),
    ];
    for (const member of [hidden, blocking, blocked]) await enrol(world, member, id);
    expect(await world.run(mentor, students, [id])).toHaveLength(3);
    await world.run(hidden, "select public.set_profile_choices('{}', false, true)");
    await world.run(blocking, "select public.block_member($1)", [mentor]);
    await world.run(mentor, "select public.block_member($1)", [blocked]);
    expect(await world.run(mentor, students, [id])).toMatchObject([{ user_id: blocking }]);
    expect(await analyticsOf(world, mentor, id)).toMatchObject({ enrolments: 3 });
  });
});

describe("the counted days", () => {
  test("are written by the server alone", async ({ world }) => {
    const { mentor, course: id, student } = await published(world);
    const run = "select public.count_content_days()";
    expect(await world.run("service_role", run)).toHaveLength(1);
    for (const actor of [mentor, student, await world.admin(), "anon"]) {
      await world.refused(actor, "42501", run);
      await world.refused(actor, "42501", "select private.count_content_days(null)");
      await world.refused(actor, "42501", "select private.content_figures($1)", [[id]]);
      await world.refused(actor, "42501", "select * from private.content_days");
      await world.refused(
        actor,
        "42501",
        "update private.content_days_state set counted_until = now()",
      );
      await world.refused(
        actor,
        "42501",
        "insert into private.content_days (content_id, event, day, amount) values ($1, 'enrolment', now(), 9999)",
        [id],
      );
    }
  });

  test("hold sensible rows only", async ({ world }) => {
    const insert =
      "insert into private.content_days (content_id, event, day, amount) values (gen_random_uuid(), $1, now(), $2)";
    await world.refused("owner", "23514", insert, ["like", 1]);
    await world.refused("owner", "23514", insert, ["read", 0]);
    const state = "insert into private.content_days_state values ($1, now())";
    await world.refused("owner", "23514", state, [false]);
    await world.refused("owner", "23505", state, [true]);
  });
});
