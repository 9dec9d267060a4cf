import { describe, expect } from "vitest";
import { atLevel, complete, course, courseModule, enrol, shelf } from "./library-world.ts";
import { test, type Row, type World } from "./world.ts";

const nudge = "select public.nudge_student($1, $2)";
const students = "select user_id, may_nudge, nudged_at from public.my_students($1)";

/** A course of two lessons by one mentor. */
async function taught(world: World) {
  const place = await shelf(world, "general");
  const mentor = await world.member("mentor-access");
  const whole = await course(world, place, { mentor_id: mentor, title: "Slow mornings" });
  const lessons = [
    await courseModule(world, whole, 1),
    await courseModule(world, whole, 2),
  ] as const;
  return { place, mentor, whole, lessons };
}

/** A student who enrolled so many days ago and did nothing since. */
async function pausedStudent(world: World, whole: string, days = 8): Promise<string> {
  const student = await atLevel(world, 2);
  await enrol(world, student, whole);
  const back = `update public.course_enrollments set created_at = now() - make_interval(days => $2) where user_id = $1`;
  await world.run("owner", back, [student, days]);
  return student;
}

async function told(world: World, member: string): Promise<Row[]> {
  const { bell } = await world.one(member, "select public.my_notifications() as bell");
  const { items } = bell as { items: Row[] };
  return items.filter(({ kind }) => kind === "nudge");
}

async function written(world: World, student: string): Promise<Row[]> {
  const sql = "select kind from public.notifications where user_id = $1 and kind = 'nudge'";
  return await world.run("owner", sql, [student]);
}

describe("a nudge", () => {
  test("tells a student who paused, once in two weeks", async ({ world }) => {
    const { mentor, whole } = await taught(world);
    const student = await pausedStudent(world, whole);
    expect(await world.run(mentor, students, [whole])).toEqual([
      { user_id: student, may_nudge: true, nudged_at: null },
    ]);
    await world.run(mentor, nudge, [whole, student]);
    expect(await told(world, student)).toMatchObject([
      {
        kind: "nudge",
        actor: "Ada Byron",
        place: { category: "general", shelf: "courses", item_id: whole, title: "Slow mornings" },
      },
    ]);
    expect(await world.run(mentor, students, [whole])).toMatchObject([{ may_nudge: false }]);
    await world.refused(mentor, "FF743", nudge, [whole, student]);
    const later =
      "update private.student_nudges set nudged_at = now() - make_interval(days => $2) where student_id = $1";
    await world.run("owner", later, [student, 13]);
    await world.refused(mentor, "FF743", nudge, [whole, student]);
    await world.run("owner", later, [student, 14]);
    await world.run(
      "owner",
      "update public.notifications set detail = '2000-01-01' where user_id = $1",
      [student],
    );
    await world.run(mentor, nudge, [whole, student]);
    expect(await written(world, student)).toHaveLength(2);
  });

  test("waits until a week after the last lesson", async ({ world }) => {
    const { mentor, whole, lessons } = await taught(world);
    const fresh = await pausedStudent(world, whole, 6);
    const back = await pausedStudent(world, whole);
    await complete(world, back, lessons[0]);
    for (const student of [fresh, back]) {
      await world.refused(mentor, "FF742", nudge, [whole, student]);
      expect(await written(world, student)).toEqual([]);
    }
  });

  test("reaches nobody who hides, was blocked, has finished or never enrolled", async ({
    world,
  }) => {
    const { mentor, whole, lessons } = await taught(world);
    const [hidden, blocked, done] = [
      await pausedStudent(world, whole),
      await pausedStudent(world, whole),
      await pausedStudent(world, whole),
    ];
    await world.run(hidden, "select public.set_profile_choices('{}', false, true)");
    await world.run(mentor, "select public.block_member($1)", [blocked]);
    for (const lesson of lessons) await complete(world, done, lesson);
    for (const student of [hidden, blocked, done, await atLevel(world, 2), mentor]) {
      await world.refused(mentor, "FF741", nudge, [whole, student]);
      expect(await written(world, student)).toEqual([]);
    }
  });

  test("says nothing to a lapsed student, and the mentor does not learn of it", async ({
    world,
  }) => {
    const { mentor, whole } = await taught(world);
    const student = await pausedStudent(world, whole);
    await world.setSubscriptionStatus(student, "canceled");
    await world.run(mentor, nudge, [whole, student]);
    await world.setSubscriptionStatus(student, "active");
    expect(await written(world, student)).toEqual([]);
  });

  test("says nothing to a student who has blocked the mentor, and looks to them like any other", async ({
    world,
  }) => {
    const { mentor, whole } = await taught(world);
    const student = await pausedStudent(world, whole);
    const before = await world.run(mentor, students, [whole]);
    await world.run(student, "select public.block_member($1)", [mentor]);
    expect(await world.run(mentor, students, [whole])).toEqual(before);
    await world.run(mentor, nudge, [whole, student]);
    await world.refused(mentor, "FF743", nudge, [whole, student]);
    expect(await written(world, student)).toEqual([]);
  });

  test("is hidden again once the course is closed to the student, finished or blocked", async ({
    world,
  }) => {
    const { mentor, whole, lessons } = await taught(world);
    const student = await pausedStudent(world, whole);
    await world.run(mentor, nudge, [whole, student]);
    const level = "update public.user_levels set current_level = $2 where user_id = $1";
    await world.run("owner", level, [student, 1]);
    expect(await told(world, student)).toEqual([]);
    await world.run("owner", level, [student, 2]);
    expect(await told(world, student)).toHaveLength(1);
    // A student whom the mentor blocks learns nothing of it.
    await world.run(mentor, "select public.block_member($1)", [student]);
    expect(await told(world, student)).toHaveLength(1);
    await world.run(student, "select public.block_member($1)", [mentor]);
    expect(await told(world, student)).toEqual([]);
    await world.run(student, "select public.unblock_member($1)", [mentor]);
    for (const lesson of lessons) await complete(world, student, lesson);
    expect(await told(world, student)).toEqual([]);
  });

  test("is for the mentor of the course and administrators, and has a rate", async ({ world }) => {
    const { mentor, whole } = await taught(world);
    const [student, second] = [
      await pausedStudent(world, whole),
      await pausedStudent(world, whole),
    ];
    await world.refused(student, "FF650", nudge, [whole, second]);
    await world.refused(await world.member("mentor-access"), "FF740", nudge, [whole, student]);
    await world.refused("anon", "42501", nudge, [whole, student]);
    await world.run(await world.admin(), nudge, [whole, student]);
    for (const actor of ["anon", student, mentor]) {
      await world.refused(actor, "42501", "select * from private.student_nudges");
      await world.refused(actor, "42501", "delete from private.student_nudges");
    }
    await world.run("owner", "update private.rate_limits set max_count = 1 where action = 'nudge'");
    await world.run(mentor, nudge, [whole, second]);
    await world.refused(mentor, "FF300", nudge, [whole, await pausedStudent(world, whole)]);
  });
});
