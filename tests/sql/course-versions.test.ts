import { describe, expect } from "vitest";
import { atLevel, complete, courseProgressOf, enrol, shelf } from "./library-world.ts";
import {
  courseFields,
  createDraft,
  draftModule,
  draftOf,
  saveDraft,
  submitDraft,
} from "./studio-world.ts";
import { test, type Row, type World } from "./world.ts";

const begun = "select public.enrolled_course_version($1) as modules";
const move = "select public.take_newest_version($1)";

/** A published course of the lessons `begin` and `go-on` by a mentor who publishes without a review. */
async function published(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  await world.run(await world.admin(), "select public.set_trusted_mentor($1, true, 'Known')", [
    mentor,
  ]);
  const draft = await createDraft(world, mentor, "course", courseFields(place));
  await world.run(mentor, submitDraft, [draft, 1]);
  const course = String((await draftOf(world, draft))["course_id"]);
  return { place, mentor, draft, course };
}

type Published = Awaited<ReturnType<typeof published>>;

/** Publishes other lessons over it. */
async function publishAgain(world: World, { mentor, draft, place }: Published, modules: Row[]) {
  const { version } = await draftOf(world, draft);
  const fields = courseFields(place, { modules });
  const saved = await world.one(mentor, saveDraft, [draft, version, fields]);
  await world.run(mentor, submitDraft, [draft, saved["version"]]);
}

async function moduleId(world: World, course: string, slug: string): Promise<string> {
  const sql = "select id from public.course_modules where course_id = $1 and slug = $2";
  return String((await world.one("owner", sql, [course, slug]))["id"]);
}

async function versionOf(world: World, course: string): Promise<unknown> {
  const sql = "select version from public.courses where id = $1";
  return (await world.one("owner", sql, [course]))["version"];
}

async function studentOf(world: World, course: string): Promise<string> {
  const student = await atLevel(world, 2);
  await enrol(world, student, course);
  return student;
}

const newLessons = [draftModule("begin", { title: "Begin anew" }), draftModule("end")];

describe("a newer version of a course", () => {
  test("leaves a member in the middle with the lessons they know, to the end", async ({
    world,
  }) => {
    const story = await published(world);
    const { course } = story;
    const [first, second] = [
      await moduleId(world, course, "begin"),
      await moduleId(world, course, "go-on"),
    ];
    const student = await studentOf(world, course);
    await complete(world, student, first);
    expect((await world.one(student, begun, [course]))["modules"]).toBeNull();
    await publishAgain(world, story, newLessons);
    expect(await versionOf(world, course)).toBe(2);
    expect((await world.one(student, begun, [course]))["modules"]).toMatchObject([
      { id: first, slug: "begin", title: "begin", completions: [{ module_id: first }] },
      {
        id: second,
        slug: "go-on",
        content: expect.stringContaining("The lesson."),
        completions: [],
      },
    ]);
    expect(await courseProgressOf(world, student, course)).toEqual({
      progress_percentage: 50,
      completed: false,
    });
    // The lesson that is gone still counts for who knows it, and for nobody else.
    const later = await studentOf(world, course);
    const insert = "insert into public.module_completions (user_id, module_id) values ($1, $2)";
    await world.refused(later, "FF405", insert, [later, second]);
    await complete(world, student, second);
    expect(await courseProgressOf(world, student, course)).toEqual({
      progress_percentage: 100,
      completed: true,
    });
    expect((await world.one(later, begun, [course]))["modules"]).toBeNull();
  });

  test("is taken by choice, with what was completed", async ({ world }) => {
    const story = await published(world);
    const { course } = story;
    const student = await studentOf(world, course);
    await complete(world, student, await moduleId(world, course, "begin"));
    await publishAgain(world, story, [...newLessons, draftModule("more")]);
    expect(await courseProgressOf(world, student, course)).toMatchObject({
      progress_percentage: 50,
    });
    await world.run(student, move, [course]);
    expect(await courseProgressOf(world, student, course)).toMatchObject({
      progress_percentage: 33,
    });
    expect((await world.one(student, begun, [course]))["modules"]).toBeNull();
    for (const slug of ["end", "more"]) {
      await complete(world, student, await moduleId(world, course, slug));
    }
    expect(await courseProgressOf(world, student, course)).toMatchObject({ completed: true });
  });

  test("takes no completion away", async ({ world }) => {
    const story = await published(world);
    const { course } = story;
    const student = await studentOf(world, course);
    for (const slug of ["begin", "go-on"]) {
      await complete(world, student, await moduleId(world, course, slug));
    }
    await publishAgain(world, story, newLessons);
    await world.run(student, move, [course]);
    expect(await courseProgressOf(world, student, course)).toEqual({
      progress_percentage: 100,
      completed: true,
    });
    const own =
      "select count(*)::integer as count from public.module_completions where user_id = $1";
    expect(await world.one("owner", own, [student])).toEqual({ count: 2 });
  });

  test("begins only when the lessons differ, and each is kept", async ({ world }) => {
    const story = await published(world);
    const { course } = story;
    const first = await studentOf(world, course);
    const same = [draftModule("begin", { minutes: 45 }), draftModule("go-on")];
    await publishAgain(world, story, same);
    expect(await versionOf(world, course)).toBe(1);
    await publishAgain(world, story, newLessons);
    const second = await studentOf(world, course);
    await publishAgain(world, story, [draftModule("end")]);
    expect(await versionOf(world, course)).toBe(3);
    const slugs = async (student: string) =>
      ((await world.one(student, begun, [course]))["modules"] as Row[]).map(({ slug }) => slug);
    expect(await slugs(first)).toEqual(["begin", "go-on"]);
    expect(await slugs(second)).toEqual(["begin", "end"]);
    const exported = "select public.export_my_versions('course') -> 'items' as versions";
    expect((await world.one(story.mentor, exported))["versions"]).toMatchObject([
      { course_id: course, version: 1 },
      { course_id: course, version: 2 },
    ]);
    expect((await world.one(first, exported))["versions"]).toEqual([]);
  });

  test("and the older ones are closed to all who do not take the course now", async ({ world }) => {
    const story = await published(world);
    const { course, mentor } = story;
    const student = await studentOf(world, course);
    await publishAgain(world, story, newLessons);
    const notEnrolled = await atLevel(world, 2);
    for (const sql of [begun, move]) {
      await world.refused(notEnrolled, "FF405", sql, [course]);
      await world.refused(student, "FF405", sql, [null]);
      await world.refused("anon", "42501", sql, [course]);
    }
    for (const actor of ["anon", student, mentor]) {
      await world.refused(actor, "42501", "select * from private.course_versions");
    }
    const set = "update public.course_enrollments set course_version = 2 where user_id = $1";
    await world.refused(student, "42501", set, [student]);
    await world.refused(mentor, "42501", "update public.courses set version = 9 where id = $1", [
      course,
    ]);
    await world.setSubscriptionStatus(student, "canceled");
    for (const sql of [begun, move]) await world.refused(student, "FF405", sql, [course]);
  });
});
