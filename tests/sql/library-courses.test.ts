import { describe, expect } from "vitest";
import {
  atLevel,
  complete,
  courseModule,
  courseOf,
  enrol,
  courseProgressOf,
  shelf,
} from "./library-world.ts";
import { test, type World } from "./world.ts";

async function completions(world: World, member: string) {
  return await world.run(
    "owner",
    `select reference, category from private.progress_ledger
      where user_id = $1 and kind = 'course_completed'`,
    [member],
  );
}

async function counts(world: World, courseId: string) {
  const sql = "select enrollment_count, module_count from public.courses where id = $1";
  return await world.one("owner", sql, [courseId]);
}

/** A member enrolled in a course of so many modules in the general category. */
async function enrolled(world: World, modules: number) {
  const course = await courseOf(world, await shelf(world, "general"), modules);
  const member = await atLevel(world, 2);
  await enrol(world, member, course.id);
  return { member, course };
}

describe("enrolling", () => {
  test("counts the member once, whatever count the client sends", async ({ world }) => {
    const { member, course } = await enrolled(world, 3);
    expect(await counts(world, course.id)).toEqual({ enrollment_count: 1, module_count: 3 });
    await expect(enrol(world, member, course.id)).rejects.toMatchObject({ code: "23505" });
    const sent =
      "update public.courses set enrollment_count = 999 where id = $1 returning enrollment_count";
    expect(await world.one(member, sent, [course.id])).toEqual({ enrollment_count: 1 });
    expect(await world.count("owner", sent, [course.id])).toBe(1);
  });

  test("starts at 0 per cent, and no other column may be sent", async ({ world }) => {
    const place = await shelf(world, "general");
    const course = await courseOf(world, place, 1);
    const member = await atLevel(world, 2);
    for (const [column, value] of [
      ["progress_percentage", "100"],
      ["completed_at", "now()"],
      ["created_at", "now()"],
    ]) {
      const sql = `insert into public.course_enrollments (user_id, course_id, ${column}) values ($1, $2, ${value})`;
      await world.refused(member, "42501", sql, [member, course.id]);
    }
    await enrol(world, member, course.id);
    expect(await courseProgressOf(world, member, course.id)).toEqual({
      progress_percentage: 0,
      completed: false,
    });
    for (const column of ["title = 'x'", "price = 0", "is_featured = true", "module_count = 1"]) {
      const sql = `update public.courses set ${column} where id = '${course.id}'`;
      await world.refused(member, "42501", sql);
    }
  });

  test("in several at once is counted for each", async ({ world }) => {
    const place = await shelf(world, "general");
    const [first, second] = [await courseOf(world, place, 1), await courseOf(world, place, 1)];
    const member = await atLevel(world, 2);
    const sql =
      "insert into public.course_enrollments (user_id, course_id) values ($1, $2), ($1, $3)";
    await world.run(member, sql, [member, second.id, first.id]);
    expect(await counts(world, first.id)).toMatchObject({ enrollment_count: 1 });
    expect(await counts(world, second.id)).toMatchObject({ enrollment_count: 1 });
  });
});

describe("progress", () => {
  test("is the rounded share of completed modules, and 100 completes the course once", async ({
    world,
  }) => {
    const { member, course } = await enrolled(world, 6);
    const seen: unknown[] = [];
    for (const id of course.modules) {
      await complete(world, member, id);
      seen.push(Object.values(await courseProgressOf(world, member, course.id)));
    }
    expect(seen).toEqual([
      [17, false],
      [33, false],
      [50, false],
      [67, false],
      [83, false],
      [100, true],
    ]);
    await expect(complete(world, member, course.modules[0] ?? "")).rejects.toMatchObject({
      code: "23505",
    });
    expect(await completions(world, member)).toEqual([
      { reference: course.id, category: "general" },
    ]);
    const progress = await world.one(member, "select * from public.user_progress");
    expect(progress["courses_completed_by_category"]).toMatchObject({ general: [course.id] });
  });

  test("in one's own course is complete at the end, and counts for no level", async ({ world }) => {
    const { member, course } = await enrolled(world, 2);
    const mentor = await atLevel(world, 2);
    await world.run("owner", "update public.courses set mentor_id = $2 where id = $1", [
      course.id,
      mentor,
    ]);
    await enrol(world, mentor, course.id);
    for (const student of [mentor, member]) {
      for (const id of course.modules) await complete(world, student, id);
      expect(await courseProgressOf(world, student, course.id)).toEqual({
        progress_percentage: 100,
        completed: true,
      });
    }
    expect(await completions(world, mentor)).toEqual([]);
    expect(await completions(world, member)).toHaveLength(1);
  });

  test("sent by a client is replaced with the stored value", async ({ world }) => {
    const { member, course } = await enrolled(world, 2);
    const sent = `update public.course_enrollments set progress_percentage = 100, completed_at = now()
      where user_id = $1 and course_id = $2 returning progress_percentage, completed_at`;
    expect(await world.one(member, sent, [member, course.id])).toEqual({
      progress_percentage: 0,
      completed_at: null,
    });
    expect(await completions(world, member)).toEqual([]);
    const moved = "update public.course_enrollments set course_id = $2 where user_id = $1";
    await world.refused(member, "42501", moved, [member, course.id]);
  });

  test("needs an enrolment, also for all modules in one statement", async ({ world }) => {
    const course = await courseOf(world, await shelf(world, "general"), 2);
    const member = await atLevel(world, 2);
    const [first = "", second = ""] = course.modules;
    await expect(complete(world, member, first)).rejects.toMatchObject({ code: "FF405" });
    await enrol(world, member, course.id);
    const sql =
      "insert into public.module_completions (user_id, module_id) values ($1, $2), ($1, $3)";
    await world.run(member, sql, [member, second, first]);
    expect(await courseProgressOf(world, member, course.id)).toEqual({
      progress_percentage: 100,
      completed: true,
    });
    expect(await completions(world, member)).toHaveLength(1);
  });

  test("does not accept a time from the client", async ({ world }) => {
    const { member, course } = await enrolled(world, 1);
    const sql =
      "insert into public.module_completions (user_id, module_id, created_at) values ($1, $2, now())";
    await world.refused(member, "42501", sql, [member, course.modules[0]]);
  });
});

describe("a course that changes", () => {
  test("keeps completions when a module is added, unpublished or deleted", async ({ world }) => {
    const { member, course } = await enrolled(world, 2);
    for (const id of course.modules) await complete(world, member, id);
    const finished = { progress_percentage: 100, completed: true };
    const third = await courseModule(world, course.id, 3);
    expect(await courseProgressOf(world, member, course.id)).toEqual(finished);
    expect(await counts(world, course.id)).toMatchObject({ module_count: 3 });
    await complete(world, member, third);
    await world.run(
      "owner",
      "update public.course_modules set is_published = false where id = $1",
      [course.modules[0]],
    );
    await world.run("owner", "delete from public.course_modules where id = $1", [
      course.modules[1],
    ]);
    expect(await courseProgressOf(world, member, course.id)).toEqual(finished);
    expect(await counts(world, course.id)).toMatchObject({ module_count: 1 });
    await world.run("owner", "update public.courses set is_published = false where id = $1", [
      course.id,
    ]);
    expect(await courseProgressOf(world, member, course.id)).toEqual(finished);
    await world.run("owner", "delete from public.courses where id = $1", [course.id]);
    expect(await completions(world, member)).toHaveLength(1);
  });

  test("changes the progress of open enrolments, and completes those with every module done", async ({
    world,
  }) => {
    const { member, course } = await enrolled(world, 2);
    await complete(world, member, course.modules[0] ?? "");
    const third = await courseModule(world, course.id, 3);
    expect(await courseProgressOf(world, member, course.id)).toMatchObject({
      progress_percentage: 33,
    });
    await world.run("owner", "delete from public.course_modules where id = $1", [third]);
    expect(await courseProgressOf(world, member, course.id)).toMatchObject({
      progress_percentage: 50,
    });
    await world.run(
      "owner",
      "update public.course_modules set is_published = false where id = $1",
      [course.modules[1]],
    );
    expect(await courseProgressOf(world, member, course.id)).toEqual({
      progress_percentage: 100,
      completed: true,
    });
    expect(await completions(world, member)).toHaveLength(1);
  });

  test("without modules completes no enrolment", async ({ world }) => {
    const { member, course } = await enrolled(world, 1);
    await world.run(
      "owner",
      "update public.course_modules set is_published = false where id = $1",
      [course.modules[0]],
    );
    expect(await courseProgressOf(world, member, course.id)).toEqual({
      progress_percentage: 0,
      completed: false,
    });
    await expect(complete(world, member, course.modules[0] ?? "")).rejects.toMatchObject({
      code: "FF405",
    });
  });
});

describe("the owner", () => {
  test("cannot store invalid values", async ({ world }) => {
    const { member, course } = await enrolled(world, 1);
    const place = await shelf(world, "general");
    for (const sql of [
      `update public.course_enrollments set progress_percentage = 101 where user_id = '${member}'`,
      `update public.courses set price = -1 where id = '${course.id}'`,
      `update public.courses set enrollment_count = -1 where id = '${course.id}'`,
      `update public.courses set module_count = -1 where id = '${course.id}'`,
      `update public.courses set estimated_duration = -1 where id = '${course.id}'`,
      `update public.courses set difficulty_level = 'easy' where id = '${course.id}'`,
      `update public.courses set slug = 'Not A Slug' where id = '${course.id}'`,
      `update public.courses set title = '' where id = '${course.id}'`,
      `update public.courses set description = repeat('x', 2001) where id = '${course.id}'`,
      `update public.course_modules set module_order = 0 where course_id = '${course.id}'`,
      `update public.course_modules set estimated_duration = -1 where course_id = '${course.id}'`,
      `update public.course_modules set video_url = 'javascript:alert(1)' where course_id = '${course.id}'`,
      `update public.course_modules set slug = '../x' where course_id = '${course.id}'`,
      `update public.course_modules set title = '' where course_id = '${course.id}'`,
      `update public.course_modules set content = repeat('x', 204801) where course_id = '${course.id}'`,
      `update public.subcategories set main_category = 'health' where id = '${place}'`,
      `update public.subcategories set color = 'red' where id = '${place}'`,
      `update public.subcategories set icon = '../x' where id = '${place}'`,
      `update public.subcategories set slug = 'A B' where id = '${place}'`,
      `update public.subcategories set name = '' where id = '${place}'`,
      `update public.subcategories set description = repeat('x', 301) where id = '${place}'`,
    ]) {
      await world.refused("owner", "23514", sql);
    }
    const text = `insert into public.articles (subcategory_id, slug, title, `;
    for (const [column, value] of [
      ["content", "repeat('x', 204801)"],
      ["excerpt", "repeat('x', 501)"],
      ["estimated_read_time", "0"],
      ["read_count", "-1"],
      ["tags", "array_fill('x'::text, array[11])"],
    ]) {
      await world.refused(
        "owner",
        "23514",
        `${text}${column}) values ('${place}', 'x', 'x', ${value})`,
      );
    }
    for (const [slug, title] of [
      ["A B", "x"],
      ["x", ""],
    ]) {
      await world.refused(
        "owner",
        "23514",
        `${text}content) values ('${place}', '${slug}', '${title}', '')`,
      );
    }
  });
});
